// Package transfer takes in entries as an export has them (extensions §10).
//
// What always holds: a line is checked as a whole, with its draft, before any of it is stored. The
// draft is stored after the entry; where a crash came in between, the same line adds it. A line
// that changes nothing leaves the entry's version as it is.
//
// It may import editing, content, site, slug, db, input and cms.
package transfer
