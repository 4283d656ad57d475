// Package forms defines forms, takes what visitors submit, and sends the mails that follow.
//
// Words:
//   - submission: what a visitor sent, with its status.
//   - honeypot: a field that people do not see. A submission that fills it is spam.
//   - mail: a message to be sent for a submission. Its row says when to look at it next.
//
// What always holds:
//   - A submission commits together with its event and its mails. A mail is sent at least once and
//     given up after the last retry.
//   - An address has at most five submissions a minute.
//   - The submissions of a deleted form are removed by the sweeper.
//
// It may import site, index, input, db and the ports mail and queue, and spam.
package forms
