package content

import (
	"fmt"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/table"
)

// entryItem returns the row of an entry. Its Count is the generation of the model whose names of fields it has; rows of
// former versions have none.
func entryItem(m *site.Model, e *cms.Entry) table.Item {
	return table.Item{Key: entryKey(m.ID, e.ID), Version: e.Version, Count: int64(m.Gen),
		Body: db.PackBytes(db.MustMarshal(e.Stored()))}
}

// entryJSON unpacks a stored entry, with the current names of its fields.
func entryJSON(m *site.Model, item *table.Item) ([]byte, error) {
	raw, err := db.UnpackBytes(item.Body)
	raw = m.WithSpot(raw)
	if err != nil || !m.Building() {
		return raw, err
	}
	if len(m.PendingRenames()) == 0 {
		return raw, nil
	}
	e, err := decodeEntryJSON(raw)
	if err != nil || !m.RenameEntry(int(item.Count), e.Data) {
		return raw, err
	}
	return cms.Marshal(e)
}

// decodeEntry reads a stored entry; numbers keep their digits.
func decodeEntry(m *site.Model, item *table.Item) (*cms.Entry, error) {
	raw, err := entryJSON(m, item)
	if err != nil {
		return nil, fmt.Errorf("content: entry %s: %w", item.Partition, err)
	}
	return decodeEntryJSON(raw)
}
