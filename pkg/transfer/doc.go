// Package transfer imports entries from the lines of an export (extensions §10).
//
// What always holds: a line is checked as a whole, with its draft, before anything is stored. The
// draft is stored after the entry; after a crash in between, importing the line again adds it. A
// line that changes nothing does not change the version of the entry.
package transfer
