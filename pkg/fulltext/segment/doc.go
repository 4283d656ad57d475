// Package segment is the stored form of the full-text index: immutable, packed segments. It is pure:
// it turns documents into pages and pages into posting lists, and knows no table.
//
// Words:
//   - document: the text of an entry in one space. Its number in a segment is its place among the
//     documents, which are sorted by space and id. It has the version of the entry.
//   - page: at most PageBytes bytes with a checksum, so that an item of the table takes one read
//     unit. It is never changed.
//   - header: the pages that name the spaces, the first key of each page of the dictionary, kills and
//     taken rows.
//   - kills: the numbers of documents of other segments that the documents of this one replace.
//   - taken: the pending rows that the segment was made from.
//
// What always holds:
//   - Equal documents give equal pages, whether they come at once (Build) or in parts (Merge).
//   - Segments of the format before this one, without versions, are read and merged like others.
//   - Damaged pages give ErrDamaged. They never cause a panic.
//
// # An example in numbers
//
// A thousand texts of a hundred words from a vocabulary of 20,000 have about 78 stems each. As one
// row for each stem of each text, that is 78,000 postings. In a segment, a text has a number below
// 1,000 rather than an id of 16 bytes. The list of a stem that ten texts have is ten gaps between
// numbers. The average gap is 100, so a gap takes about 8 bits as a Rice code. The weight of the stem
// takes 3 to 8 bits: it is a rank among the weights in the list. So such a list takes about 20 bytes,
// and with its stem, without the letters that it shares with the stem before, about 25. A dictionary
// page of 4 KB has 160 of them. The whole segment has some 220 KB, or 55 pages. To find the texts
// with a word, a search reads one of these pages: the header says which. To add 64 texts, a flush
// writes a segment of a few pages and touches no other.
package segment
