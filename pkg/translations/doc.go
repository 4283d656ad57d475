// Package translations reads groups of translations: the best translation for a chain of locales,
// what is missing in a locale, and what is older than its original (extensions §3). Groups are kept
// by package content and changed by package editing.
//
// What always holds: a read with fallback, of one entry or a list, takes at most one round trip
// more than the read without it, and reads each group once. The package only reads. What is
// missing or outdated is told by the coverages that entries are listed by. Whoever may see a list
// learns no more of entries outside it than whether they exist and are newer.
//
// It may import search, groups, content, coverage, site, index and cms.
package translations
