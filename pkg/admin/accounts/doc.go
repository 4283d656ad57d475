// Package accounts has the pages of users and the work that they leave, of roles, invitations, sessions, second
// factors, passkeys, access tokens and API keys, of programs that sign in by a code, and of one's own profile.
package accounts
