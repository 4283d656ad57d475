// Package totals counts documents: of a space, of a value, of a label. A transaction does not write
// the counters that it changes. It writes one change row (db.Tx.Count), and a merge adds many such
// rows to the counters.
//
// Words:
//   - collection: spaces that share their change rows, such as all spaces of a model.
//   - near counter: a counter that every list needs. The near counters of a collection are in one
//     item, in the partition of its change rows, so that one read returns both.
//   - far counter: any other counter, in an item of its own. Its version is the number of the last
//     merge that changed it.
//   - state: the item with the near counters. It names the change rows of the last merge.
//
// A merge first writes the state, with the new near counters and the names of the rows. Then it
// changes the far counters, and then it deletes the rows. So:
//   - The near counters already include a row that the state names.
//   - While all rows that the state names exist, the version of a far counter shows whether the
//     merge has changed it already. Once one of the rows is gone, all far counters are changed.
//   - A crash leaves rows that the state names. The next merge finishes the interrupted one first.
//   - A merge changes no counter twice: it replaces a far counter only if that is unchanged since
//     it was read, and not if it has the number of the merge already.
//
// A read must read the far counters after the state, unless the process saw earlier that the merge
// of the same state was done.
package totals
