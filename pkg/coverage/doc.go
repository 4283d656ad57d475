// Package coverage says in which locales an entry has translations, as the index holds it: an entry
// is listed by its coverage, so that lists of what is missing or outdated read a page only
// (extensions §3).
//
// Words:
//   - coverage: the locales of an entry's group, and whether the entry is older than the original.
//   - original: the member of a group in the default locale.
//
// What always holds: every entry of a localized model has one coverage in the index, which a save
// keeps. Package groups changes it right behind a change of the group or of the original.
//
// It may import index.
package coverage
