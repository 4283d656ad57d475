// Package apikeys keeps the API keys and counts their requests.
//
// Words:
//   - API key: a public part, by which it is found, and a secret, of which only the hash is stored.
//   - reach: the models and locales that a key is restricted to.
//   - opening: what a request needs to know first, its key and the site, read in one round trip.
//   - block: tokens of a key's minute that a process takes from the shared counter together.
//
// What always holds:
//   - Secrets are stored as hashes only.
//   - A revoked key is refused at its next request.
//   - What all processes let through in a minute never exceeds the limit of a key.
//
// It may import site, whose version is read in the same round trip as a key, input and db.
package apikeys
