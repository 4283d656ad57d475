// Package bulk runs jobs: one action, such as publish or delete, applied to many entries
// (extensions §7).
//
// Words: a job applies one action to entries that are named by id or matched by a filter. A chunk
// is a row with the ids of up to 500 of them. A failure is an entry that the action could not be
// applied to, with the reason.
//
// What always holds: the row of a job holds its state, and its timer only names the row. Every step
// commits in the same transaction as its change of an entry, and checks the version of the row. So
// a step happens once, even if it is repeated after a crash or run by two workers. A job has the
// permissions of the user who started it. It changes entries only through their use cases and never
// writes an entry itself.
package bulk
