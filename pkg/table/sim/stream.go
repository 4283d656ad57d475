package sim

import "headless/pkg/table"

// Record is a change of one item, as the table's stream tells it. Old and New are nil where the
// item was or is absent.
type Record struct {
	Key      table.Key
	Old, New *table.Item
}

// Changes are the records from a position on, at most max, in the order of the changes of each
// item.
func (t *Table) Changes(from, limit int) []Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	if from >= len(t.stream) {
		return nil
	}
	return append([]Record(nil), t.stream[from:min(from+limit, len(t.stream))]...)
}

// Deliver hands the records from a position on to a consumer in batches, as Lambda does: what it
// reports as failed, by position in the batch, comes again with all that follows, and some batches
// come twice. It returns the position after the last record that was taken.
func (t *Table) Deliver(from, batch int, handle func([]Record) (failed []int)) int {
	for {
		records := t.Changes(from, batch)
		if len(records) == 0 {
			return from
		}
		failed := handle(records)
		if len(failed) > 0 {
			from += failed[0]
			continue
		}
		t.mu.Lock()
		again := t.random.IntN(4) == 0
		t.mu.Unlock()
		if again {
			handle(records)
		}
		from += len(records)
	}
}
