// Package links follows what refers to what: it resolves references inline (decisions §3), tells
// where files and entries are used, and deletes what is not used (extensions §6).
//
// Words:
//   - include: an entry or a file that is answered together with the entries that refer to it.
//   - use: a place that leads to a file or an entry.
//
// What always holds:
//   - The cost of an answer is bounded: 2,000 included objects, 2,000 holders of a reference.
//   - The rows of references are written by package db, in the transaction of the change that makes
//     or removes the reference.
//
// It may import translations, editing, content, site, assets, db, input and cms.
package links
