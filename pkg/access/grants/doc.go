// Package grants lets programs act as users, by OAuth 2.1 (extensions §17).
//
// Words:
//   - program: a client of OAuth. It registers itself, or its id is the URL of its metadata.
//   - grant: what a user has allowed a program, up to a level, until the user ends it.
//   - code: what the program gets after the consent, and redeems for tokens within a minute.
//   - level: the upper bound of a grant. Each request also needs the present permissions of the user.
//
// What always holds:
//   - Codes and tokens are stored as hashes only. They name the row of their grant, so a grant is one
//     row, and each of its changes depends on the version that was read.
//   - A code is redeemed once. A code or refresh token that comes again ends its grant.
//   - A grant ends with its user's account, password, and access tokens.
package grants
