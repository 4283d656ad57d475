// Package links handles references between entries and files: it resolves references inline
// (decisions §3), finds where files and entries are used, replaces references to a file, and
// deletes entries and files that are not in use (extensions §6).
//
// Words:
//   - include: the objects of entries and files that replace references to them in an answer.
//   - holder: an entry, a draft or the settings with a reference to a file or an entry, its target.
//   - use: one reference of a holder, with its path.
//
// What always holds:
//   - The cost of an answer is limited: at most 2,000 included objects, and 2,000 holders are read.
//   - Package db writes the rows of references, in the transaction that adds or removes the
//     reference.
package links
