// Package people has the scenarios of accounts: sessions, second factors, programs, invitations, leaving.
package people
