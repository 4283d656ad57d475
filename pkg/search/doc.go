// Package search answers queries for entries: lists of one model with filters and a text, and the
// search of all models (decisions §3, §4).
//
// Words:
//   - weights: how much each word of a search counts, remembered in the cursor so that all pages
//     are ranked alike.
//
// What always holds: the order of a list is the same on all its pages, whatever is saved between
// two of them.
//
// It may import editing, content, site, fulltext, index, db and cms.
package search
