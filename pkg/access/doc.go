// Package access decides who may use the admin area: users with roles, sessions, second factors and
// access tokens.
//
// Words:
//   - session: a signed-in browser of a user, found by the hash of its token.
//   - reach: the models and locales that a role is restricted to.
//   - epoch: a number of a user that grows when all sessions must end. A session belongs to the
//     epoch in which it was opened.
//
// What always holds:
//   - Passwords and tokens are stored as hashes only.
//   - A changed password ends all other sessions.
//   - There is always an active admin after the first one was created.
package access
