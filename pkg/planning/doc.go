// Package planning is the room for changes of entries that nobody makes by hand at that moment:
// schedules of single entries and releases of many (extensions §4). Jobs stand in the package bulk.
//
// Words: a plan says when one entry is published and unpublished. A release is a named list of
// entries that are published or unpublished together. A timer (db.Timer) says when one of them is
// looked at.
//
// What always holds: a timer only points at a row, and the row is the truth. Every step commits in
// one transaction with the change of the entry that it makes, under the version of the row, so a
// step that is repeated after a crash, or run by two workers, happens once. Planning asks the
// entries' use cases for every change and never writes an entry itself.
package planning
