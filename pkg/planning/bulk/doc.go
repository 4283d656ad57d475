// Package bulk is the room for jobs: one action, such as publish or delete, applied to many entries
// (extensions §7).
//
// Words: a job applies one action to the entries that are named by id or chosen by a filter. A
// chunk is a row with the ids of up to 500 of them. A failure is an entry that the action could not
// be applied to, with the reason.
//
// What always holds: the row of a job is the truth, and its timer only points at it. A step commits
// in one transaction with the change of the entry that it makes, under the version of the row, so a
// step that is repeated after a crash, or run by two workers, happens once. A job does what whoever
// began it may do, and nothing else. It asks the use cases of entries for every change and never
// writes an entry itself.
package bulk
