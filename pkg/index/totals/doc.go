// Package totals counts documents: of a space, of a value, of a label. A change moves no counter in
// its transaction. It writes one change row (db.Tx.Count), and merges bring many rows into the
// counters.
//
// Words:
//   - collection: the spaces that share their change rows, such as all of a model.
//   - near counter: one that every list asks for. The near counters of a collection stand in one
//     item beside its change rows, so that one read gives both.
//   - far counter: any other, an item of its own. Its version is the number of the last merge that
//     moved it.
//   - state: the item with the near counters. It names the change rows of the last merge.
//
// A merge writes the state, with the near counters moved and the rows named; then it moves the far
// counters; then it deletes the rows. So:
//   - A row that the state names is counted in the near counters already.
//   - While all rows that the state names are there, a far counter may or may not have been moved,
//     and its version tells. Once one row is gone, all far counters have been moved.
//   - A crash leaves rows that the state names. The next merge ends that one first.
//   - What was moved is not moved again: a far counter is replaced only as it was read, and not
//     where it has the number of the merge.
//
// A read needs the far counters as they are after the state was read, or an earlier read by the
// process that saw the same state with its merge done.
//
// It may import db.
package totals
