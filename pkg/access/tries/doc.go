// Package tries limits wrong tries to sign in and to confirm who one is, so that passwords and
// codes cannot be guessed and nobody can lock others out.
//
// Words:
//   - bucket: what tries are counted for, such as an account and an address.
//   - window: the time in which tries are counted.
//   - lock: after too many wrong tries, a bucket takes none for a while.
//
// What always holds:
//   - A try counts as wrong before the secret is looked at, so that parallel tries cannot exceed a
//     limit.
//   - A browser that has signed in before has a count of its own.
//
// It may import db.
package tries
