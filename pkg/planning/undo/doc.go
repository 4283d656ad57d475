// Package undo notes the changes of a release in rows beside it, so that a job can take it back (see package bulk).
//
// What always holds: the row of a change is written in the transaction of the change, and deleted in the transaction
// that takes it back. So each change is taken back once, even if the job is repeated after a crash.
package undo
