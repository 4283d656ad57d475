// Package translations reads groups of translations: the best translation for a chain of locales,
// what is missing in a locale, and what is older than its original (extensions §3). Groups are kept
// by package content and changed by package editing.
//
// What always holds: a read with fallback, of one entry or a list, takes at most one round trip
// more than the read without it, and reads each group once. The package only reads. What is
// missing or outdated is told by rows of the index and of the groups, of which a list reads 16,000
// each at most. Whoever may see a list learns no more of entries outside it than whether
// they exist and are newer.
//
// It may import search, editing, content, site, index, table and cms.
package translations
