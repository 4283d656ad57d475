// Package pipeline is what every request of the REST API goes through before and after its handler:
// routes, origin, key and secret, limit, log, scope, Idempotency-Key, the envelope, CORS and ETags.
//
//   - route: a line of the route table: method, pattern, handler, scope, known parameters.
//   - handler: reads a call and gives back an answer or an error. It writes nothing itself.
//   - call: one request, with the site and the key that opened it.
//   - reader: runs handlers for the delivery API, which checks the key itself.
//
// The order of the steps is that of specification §5; see the method serveKeyed. Handlers are in
// package api, which imports this one.
package pipeline
