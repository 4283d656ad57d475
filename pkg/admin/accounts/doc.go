// Package accounts has the pages of who may get in: users, roles, invitations, sessions, second
// factors, API keys and one's own profile.
package accounts
