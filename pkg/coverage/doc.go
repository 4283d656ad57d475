// Package coverage encodes in which locales an entry has translations. The index stores entries by
// their coverage, so that a list of missing or outdated translations reads one page only
// (extensions §3).
//
// Words:
//   - coverage: the locales of an entry's group, and whether the entry is older than the original.
//   - original: the member of a group in the default locale.
//
// What always holds: every entry of a localized model has one coverage in the index, which a save
// of the entry keeps. Package groups updates it after the commit of a change to the group or to the
// original.
package coverage
