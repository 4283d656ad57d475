// Package accounts has the pages of users, roles, invitations, sessions, second factors, API keys
// and one's own profile.
package accounts
