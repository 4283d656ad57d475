// Package editing changes entries: it creates, updates, publishes, deletes and restores them, keeps
// drafts beside them, and joins them to groups of translations. Package content keeps what these
// changes write.
//
// Words:
//   - entry, draft, revision, slug, trash: as in package cms.
//   - live: an entry as it is stored, in contrast to the entry with its draft laid over it.
//   - outdated: a draft whose entry was saved after the version that the draft is based on.
//
// What always holds:
//   - A change is validated as a whole before anything is written, and commits under the models and
//     locales that it was validated against.
//   - A draft changes nothing that readers of its entry see until it is published.
//   - Permissions are checked before a problem is reported, and again by the commit.
//
// It may import redirects, content, site, slug, assets, db, input and cms.
package editing
