// Package content stores entries: their drafts, slugs, unique values, revisions and trash, and the
// rows by which lists and searches find them. Package editing changes entries.
//
// Words:
//   - entry, draft, revision, slug, trash: as in package cms.
//   - manifest: the list of rows that were written for an entry in a generation of the index, so
//     that a change removes exactly these.
//   - stale: an entry is stale if the generation that is being built lacks its last change.
//   - claim: a row by which an entry reserves a slug or a unique value.
//
// What always holds:
//   - Entry, revision, claims, index rows, pending text and events of a save are one transaction.
//     For a large change, a second transaction makes the deletions, before the change is confirmed
//     (db.Rest).
//   - No two entries of a model and locale have the same slug, nor the same value of a unique
//     field.
//   - Lists and searches read one generation of the index, which is complete. Reindex builds the
//     next one at the same time; it may stop and start again anywhere.
//   - Permissions are checked when entries are read, and again by the commit.
package content
