// Package fulltext finds documents by the words of their texts. It knows texts by their space and
// id; it knows no entry and no site.
//
// Words:
//   - term: a stem with its weight in a text and the words that were written (package analysis
//     makes them).
//   - posting: a document that has a term. The postings of a term in a space are one list, in
//     blocks.
//   - pending change: what becomes of a document in the lists, one row written in the transaction
//     of its change.
//   - merge: applies many pending changes to the lists together.
//   - ranks: how many documents come before some keys of the default order, for pages far behind.
//
// What always holds:
//   - A search reads the pending changes beside the lists, so it finds what was confirmed.
//   - Pending changes are bounded: writers merge some where there are many, and wait where there
//     are too many (Pace).
//   - The ranks of any number of entries fit into an item, and an edit that leaves an entry near
//     its place does not touch them.
//   - A crash in a merge loses nothing: the pending changes stay until the last step, and the next
//     merge starts over.
//
// It may import index, for the rows and counters of a space, and db.
package fulltext
