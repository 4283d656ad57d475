// Package search runs queries for entries: lists of one model with filters and a search text, and
// searches of all models (decisions §3, §4).
//
// Words:
//   - weights: how much each word of a search counts. The cursor carries them, so that all pages
//     are ranked alike.
//
// What always holds: the order of a list is the same on all its pages, even if entries are saved
// between the requests.
package search
