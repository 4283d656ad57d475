// Package tree reads where entries stand: their addresses, the entries above them, and the trees of models
// (extensions §13).
//
// Words:
//   - address: a small row with the id of an entry alone as its key, which has what the URL of the entry
//     depends on.
//   - above, below: said of entries of one tree, at any distance.
//
// What always holds:
//   - An entry holds the id of the entry above it and its position, so a move writes one entry.
//   - The structure of a tree is read from the index rows of the path parent, which hold the position and,
//     if they are short, slug and title. 2,000 entries take one round trip and some 100 read units.
//   - Whoever puts an entry below another one requires the addresses above to be unchanged, and rewrites
//     one row of that entry, which whoever deletes it requires to be unchanged.
package tree
