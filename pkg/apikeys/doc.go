// Package apikeys stores the API keys and counts their requests.
//
// Words:
//   - API key: a public part, by which it is found, and a secret, of which only the hash is stored.
//   - reach: the models and locales that a key is restricted to.
//   - opening: the key and the configuration, which every request reads first, in one round trip.
//   - block: several tokens of a key's minute, which a process takes from the shared counter at
//     once.
//
// What always holds:
//   - Secrets are stored as hashes only.
//   - A revoked key is refused at its next request.
//   - The requests that all processes accept in a minute never exceed the limit of a key.
package apikeys
