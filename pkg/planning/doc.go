// Package planning is the room for changes of entries that nobody makes by hand at that moment:
// schedules of single entries, releases of many, and jobs over many entries (extensions §4, §7).
//
// Words: a plan says when one entry is published and unpublished. A release is a named list of
// entries that are published or unpublished together. A job applies one action to many entries. A
// timer (store.Timer) says when one of them is looked at.
//
// What always holds: a timer only points at a row, and the row is the truth. Every step commits in
// one transaction with the change of the entry that it makes, under the version of the row, so a
// step that is repeated after a crash, or run by two workers, happens once. Planning asks the
// entries' use cases for every change and never writes an entry itself.
package planning
