// Package presence keeps who has an entry open in the admin area.
//
// Words:
//   - window: one page of a browser that has an entry open. It chooses its name.
//
// What always holds:
//   - A window that says nothing for stay is gone. Nothing has to remove it.
//   - Nobody's work depends on these rows: a lost one is written again by the next word of its
//     window.
//
// It may import db, table and cms.
package presence
