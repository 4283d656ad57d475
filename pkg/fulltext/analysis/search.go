// Package analysis cuts text into terms for full-text search and scores what matches.
//
// A text becomes words, a word becomes its folded form (what a reader who ignores case and
// accents sees) and its stem (that without its ending, by the rules of the language). A
// Document holds a weight for each stem; a Query is matched against it. All is pure: the
// index that makes it quick is kept elsewhere and uses the same functions.
package analysis
