// Package analysis cuts text into terms for full-text search and scores matches.
//
// A text is split into words. A word has a folded form (lower case, without accents) and a stem
// (the folded form without its ending, by the rules of the language). A Document holds a weight for
// each stem; a Query is matched against it. All functions are pure. Package fulltext stores the
// index that makes search fast, and uses the same functions.
package analysis
