// Package fulltext finds documents by the words of their texts. It identifies a text by its space
// and id, and knows neither the entries' storage nor the site.
//
// Words:
//   - term: a stem, its weight in a text, and the words of the text that have this stem (package
//     analysis makes terms).
//   - posting: a document that has a term. The postings of a term in a space are one list, in
//     blocks.
//   - pending change: a change of a document that the lists do not include yet. It is one row,
//     written in the transaction that changes the document.
//   - merge: applies many pending changes to the lists together.
//   - ranks: how many documents come before some keys of the default order, so that a page at a
//     large offset is found quickly.
//
// What always holds:
//   - A search reads the pending changes beside the lists, so it finds every committed change.
//   - The number of pending changes is bounded: a writer merges some if there are many, and waits
//     if there are too many (Pace).
//   - The ranks of any number of entries fit into one item. A change that hardly moves an entry in
//     the default order does not touch them.
//   - A crash during a merge loses nothing: the pending changes stay until the last step, and the
//     next merge starts over.
package fulltext
