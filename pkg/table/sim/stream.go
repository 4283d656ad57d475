package sim

import "headless/pkg/table"

// Record is a change of one item in the table's stream. Old and New are nil if the item did not or
// does not exist.
type Record struct {
	Key      table.Key
	Old, New *table.Item
}

// Changes returns at most limit records from a position on, in the order of the changes of each
// item.
func (t *Table) Changes(from, limit int) []Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	if from >= len(t.stream) {
		return nil
	}
	return append([]Record(nil), t.stream[from:min(from+limit, len(t.stream))]...)
}

// Deliver passes the records from a position on to a consumer in batches, as Lambda does. If the
// consumer reports failed records, by position in the batch, the first of these and all later
// records are delivered again. Some batches are delivered twice. Deliver returns the position after
// the last processed record.
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
		isRepeated := t.random.IntN(4) == 0
		t.mu.Unlock()
		if isRepeated {
			handle(records)
		}
		from += len(records)
	}
}
