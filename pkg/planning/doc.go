// Package planning makes planned changes of entries: schedules of single entries and releases of
// many (extensions §4). Jobs are in package bulk.
//
// Words: a plan holds the times at which one entry is published and unpublished. A release is a
// named list of entries that are published or unpublished together. A timer (db.Timer) says when a
// plan or a release is checked.
//
// What always holds: the row of a plan or release holds its state, and a timer only names the row.
// Every step commits in the same transaction as its change of an entry, and checks the version of
// the row. So a step happens once, even if it is repeated after a crash or run by two workers.
// Planning changes entries only through their use cases and never writes an entry itself.
package planning
