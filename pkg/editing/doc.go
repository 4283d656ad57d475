// Package editing has the use cases that change entries: it creates, updates, publishes, deletes
// and restores them, saves drafts beside them, and adds them to groups of translations. Package
// content stores the results.
//
// Words:
//   - entry, draft, revision, slug, trash: as in package cms.
//   - live: the stored entry, in contrast to the entry with its draft laid over it.
//   - outdated: said of a draft whose entry has changed since the version that the draft is based
//     on.
//
// What always holds:
//   - A change is validated as a whole before anything is written. Its commit fails if the model or
//     a locale changed after the validation.
//   - Readers of an entry see the changes of its draft only after the draft is published.
//   - Permissions are checked before any problem of the content is reported, and again by the
//     commit.
package editing
