// Package tries limits attempts to sign in and to confirm a session, so that nobody can guess
// passwords and codes or lock others out.
//
// Words:
//   - try: an attempt to sign in or to confirm. It counts as wrong until it turns out to be right.
//   - bucket: what tries are counted by, such as an account and an address.
//   - window: the time in which tries are counted.
//   - lock: a bucket with too many wrong tries refuses further tries for a while.
//
// What always holds:
//   - A try counts as wrong before the secret is looked at, so that parallel tries cannot exceed a
//     limit.
//   - A browser that has signed in before has a bucket of its own.
package tries
