// Package db stores items in the table port with transactions. All packages that store data use it.
//
// Words:
//   - Tx: the operations of one atomic change. Packages add theirs, then Commit writes all or none.
//   - rest: the deletions of a large change for which its transaction has no room. A second
//     transaction makes them directly after the first.
//   - document: a small JSON value of a kind, stored by Docs, with a version for optimistic
//     locking.
//   - event: a change that happened. It is in the outbox from the commit until it is dispatched. The
//     events of a transaction share a row of it as far as they fit.
//   - timer: a time at which the thing that a reference names is checked.
//   - change row: how much a transaction adds to the counters of a collection. It is kept until it
//     is merged.
//   - activity: who did what, written in the transaction of the change itself. Package logs lists it.
//
// What always holds:
//   - If the condition of an operation fails, Commit returns the error given with that operation,
//     or ErrOvertaken if none was given. On ErrOvertaken, Retry runs the use case again from its
//     first read.
//   - The transaction of a save has at most MaxOps operations. A rest is done once, before the same
//     thing changes again.
//   - An event is in the outbox if, and only if, its change was committed.
//   - A body larger than a few KB is compressed; Unmarshal reads both forms.
package db
