// Package device signs in programs that have no browser (RFC 8628). A program shows its user a short
// code. The user enters it in the admin area and approves the program, which then gets a session.
//
// Words:
//   - login: a program that waits for its user's decision.
//   - device code: the secret of the program, by which it asks for the decision.
//   - user code: the short code that a user enters.
//
// What always holds:
//   - Both codes are stored as hashes only, and each leads to one session at most.
//   - Only a session that was confirmed recently approves a program; an access token never does.
//   - A session is opened only if its user is active and has the password of the approval.
package device
