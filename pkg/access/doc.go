// Package access decides who may use the admin area: users with roles, sessions, second factors and
// access tokens.
//
// Words:
//   - session: a signed-in user's browser, known by the hash of its token.
//   - reach: the models and locales that a role is restricted to.
//   - epoch: a number of a user. Sessions of another epoch have ended.
//
// What always holds:
//   - Passwords and tokens are stored as hashes only.
//   - A changed password ends all other sessions.
//   - There is always an active admin once there was one.
//
// It may import site, whose models and locales roles name, input and db.
package access
