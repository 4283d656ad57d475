// Package forms defines forms, stores what visitors submit, and sends mails about it.
//
// Words:
//   - submission: what a visitor sent, with its status.
//   - honeypot: a field that people do not see. A submission that fills it is spam.
//   - mail: a message about a submission or an account. Its row says when the sweeper checks it
//     next.
//
// What always holds:
//   - A submission, its event and its mails are stored in one transaction. A mail is sent at least
//     once, or given up after its last retry.
//   - An IP address may send at most five submissions a minute.
//   - The submissions of a deleted form are removed by the sweeper.
//   - Files go with their submission, and those without one after an hour; see package forms/files.
package forms
