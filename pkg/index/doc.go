// Package index lists documents by any of their fields, in any order, at a cost that depends on the
// page only. It knows documents by a Collection; it knows no entry and no site.
//
// Words:
//   - space: a set of documents that are listed together, such as the published entries of a model
//     in a locale.
//   - row: one item for each document and indexed value, in the order of the value, the default
//     order and the id.
//   - counter: how many documents of a space have a value, or are there at all. Counters give exact
//     totals; package totals keeps them.
//   - label: what a collection says of a document beside its values. The documents of a space and a
//     label have rows in the default order too, so that they can be listed alone.
//   - specification: which paths of a collection have rows and counters (IndexSpec).
//   - cursor: the sort key of the last record of a page, with a checksum of the query.
//
// A query runs in three steps: plan.go and list.go pick a strategy, stream.go reads rows in order,
// collection.go loads the bodies of one page.
//
// What always holds:
//   - Rows are added in the transaction of the document. They are taken away there or right behind
//     it, before the change is confirmed. How counters move is in that transaction too. So a list
//     shows what was confirmed.
//   - Every strategy gives records the same sort keys, so a cursor fits whichever strategy answers
//     the next page.
//   - A query that would read more than MaxCollect rows ends with ErrNotIndexed.
//
// It may import totals, db and collation.
package index
