// Package translations reads groups of translations: the best translation for a chain of locales,
// missing translations, and translations that are older than their original (extensions §3).
// Package groups stores the groups, and package editing changes them.
//
// What always holds: a read with fallback, of one entry or a list, takes at most one round trip
// more than a read without, and reads each group once. The package never writes. Missing and
// outdated translations are found by the coverages in the index. A list reveals of entries outside
// it only whether they exist and are newer.
package translations
