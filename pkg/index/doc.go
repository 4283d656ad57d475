// Package index lists documents by any of their fields, in any order, at a cost that depends on the
// page only. It reads documents through a Collection and does not depend on entries or the site.
//
// Words:
//   - space: a set of documents that are listed together, such as the published entries of a model
//     in a locale.
//   - row: one item for each document and indexed value, in the order of the value, the default
//     order and the id.
//   - counter: how many documents of a space have a value, or how many documents a space has.
//     Counters give exact totals; package totals stores them.
//   - label: a text that a collection gives a document, besides its values. The documents of a
//     label have rows of their own in the default order, so they can be listed alone.
//   - specification: which paths of a collection have rows and counters (IndexSpec).
//   - cursor: the sort key of the last record of a page, with a checksum of the query.
//
// A query runs in three steps, which a lister puts together. plan.go makes a plan from the counters. A source opens
// streams of rows in the order of the list, from its cursor on; where rows do not have the order or the values for the
// filters, a sorter and a matcher read bodies. A Collection loads the bodies of the page.
//
// What always holds:
//   - Rows are added in the transaction that saves the document, with the changes of the counters.
//     Rows are removed there or directly after it, before the change is confirmed. So a list shows
//     all confirmed changes.
//   - All strategies give records the same sort keys, so a cursor works with any of them.
//   - Each row has the version of its document. So a list reads documents eventually, at half the
//     price, and reads again only those that come in an older version. That is why a save writes all
//     rows of its document: a row that kept its version would make each list read consistently, 10
//     units more for 20 documents. Each row also has the values of the other fields, so that a filter
//     needs no document. One of them, the time of the last change, is new with each save.
//   - A query that would read more than MaxCollect rows fails with ErrNotIndexed.
package index
