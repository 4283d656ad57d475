// Package fulltext finds documents by the words of their texts. It identifies a text by its space
// and id, and knows neither the entries' storage nor the site.
//
// Words:
//   - term: a stem, its weight in a text, and the words of the text that have this stem (package
//     analysis makes terms).
//   - pending row: the text of a change that no segment has yet, written in the transaction of the
//     change. An entry has one at most.
//   - segment: an immutable index of some documents, in pages of 4 KB; see package segment, which has
//     an example in numbers. The numbers of documents of other segments that its own replace are its
//     kills.
//   - root: the one item that lists the live segments. It is replaced by compare-and-swap.
//   - flush: makes a segment of the pending rows of all models. The root counts flushes.
//   - merge: makes one segment of several of about the same size.
//   - view: a root with the headers of its segments.
//   - void: a segment that may not become live any more, since its writer was given up.
//
// What always holds:
//   - A search reads the pending rows and then the root, so it finds every committed change. It never
//     begins anew because of a flush or a merge: pages of a segment do not change, and those that the
//     root no longer lists stay for two minutes.
//   - A search shows entries as they are when it begins, or later, though it reads them eventually, for
//     half a read unit each: it knows the version of each and reads those again that come in another
//     one. So each save writes a pending row, also one that changes no text, which is some 4 write
//     units more. Segments of the format before this one have no versions; their entries are read
//     consistently.
//   - A live document is in one segment only. A flush or merge checks this by the root that it
//     replaces; it gives up if another flush was first.
//   - Leases save work. Nothing is wrong if two processes hold one.
//   - A crash loses nothing: a row is deleted only after the root has the segment that took it. The
//     next holder of a lease deletes the pages that a crash left.
//   - The number of pending rows of a model is bounded: a writer flushes if there are many, and waits
//     if there are too many (Pace).
//
// # A day of a site in numbers
//
// A save of a text of 100 words writes one pending row of 450 bytes. When 64 rows wait, a flush writes
// a segment of about 8 pages, replaces the root, and deletes the rows: about 0.6 write units a text for
// the pages and one for the row. Four such segments are merged into one of 32 pages, four of these into
// one of 128, and so on: a hundred thousand texts are in about ten segments of 12 MB together, and
// moving each text through all sizes has cost one or two write units more. A search for a frequent word
// reads two or three pages of each segment, about 40 read units in a process that knows nothing yet. A
// process that has the pages reads the pending rows, and then the root and at the same time the 20
// entries of the page: 2 + 1 + 10 units, and with the key and the configuration 15 read units in two
// round trips for any words. It also keeps which documents of each segment have a word that was
// searched for, so a word of a hundred thousand entries takes 1.2 ms of a processor, not 4.7.
package fulltext
