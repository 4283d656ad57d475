// Package transfer takes in entries as an export has them (extensions §10).
//
// What always holds: a line is taken as a whole or not at all, and a line that changes nothing
// leaves the entry's version as it is.
//
// It may import editing, content, site, slug, db, input and cms.
package transfer
