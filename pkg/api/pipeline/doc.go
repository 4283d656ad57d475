// Package pipeline has the steps of every request of the REST API before and after its handler:
// routes, origin, key and secret, limit, log, scope, Idempotency-Key, the envelope, CORS and ETags.
//
//   - route: a line of the route table: method, pattern, handler, scope and supported parameters.
//   - handler: reads a call and returns an answer or an error. It writes nothing itself.
//   - call: one request, with the site and the key.
//   - reader: runs handlers for the delivery API, which checks the key itself.
//
// The order of the steps is that of specification §5; see the method serveKeyed. Handlers are in
// package api, which imports this one.
package pipeline
