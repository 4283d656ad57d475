// Package content keeps entries: their drafts, slugs, unique values, revisions and trash, and the
// rows by which lists and searches find them. Package editing has the use cases that change
// entries.
//
// Words:
//   - entry, draft, revision, slug, trash: as in package cms.
//   - manifest: what was written for an entry outside its own item in a generation of the index, so
//     that a change removes exactly that.
//   - stale: of an entry whose last change the generation that is being built lacks.
//   - claim: a row by which an entry reserves a slug or a unique value.
//
// What always holds:
//   - Entry, revision, claims, index rows, pending text and events of a save are one transaction.
//     What a large change takes away of these follows in a second one, before the change is
//     confirmed (db.Rest).
//   - No two entries of a model and locale have the same slug, nor the same value of a unique
//     field.
//   - Lists and searches read one generation of the index, which is complete. Reindex builds the
//     next beside it; it may stop and start again anywhere.
//   - Permissions are checked where entries are read and again by the commit.
//
// It may import site, assets, index, fulltext and db.
package content
