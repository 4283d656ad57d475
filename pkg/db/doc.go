// Package db keeps items on the table port by transactions. Every room stores what it has through
// it.
//
// Words:
//   - Tx: the operations of one atomic change. Rooms add theirs, then Commit writes all or none.
//   - rest: what a large change takes away, in a second transaction right behind its first.
//   - document: a small JSON value of a kind, stored by Docs, with a version for optimistic
//     locking.
//   - event: what happened, in the outbox from the commit until it is dispatched.
//   - timer: a time at which something named by a reference is looked at.
//   - change row: by how much a transaction moves the counters of a collection, until it is merged.
//   - activity: who did what, written in the transaction of the change itself.
//
// What always holds:
//   - A condition that fails ends Commit with the error that the operation was given, else with
//     ErrOvertaken. Retry then runs the use case again from its first read.
//   - The transaction of a save has at most MaxOps operations. A rest is done once, and before the
//     next change of the same thing.
//   - An event is in the outbox if, and only if, its change was committed.
//   - A body larger than a few KB is compressed; Unmarshal reads both forms.
//
// It imports the table port and cms, and no other package.
package db
