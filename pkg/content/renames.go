package content

import (
	"fmt"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/site/renames"
	"headless/pkg/table"
)

// entryJSON unpacks a stored entry, with the current names of its fields.
func entryJSON(m *site.Model, body []byte) ([]byte, error) {
	raw, err := db.UnpackBytes(body)
	raw = m.WithSpot(raw)
	if err != nil || !m.Building() {
		return raw, err
	}
	pending := m.PendingRenames()
	if len(pending) == 0 {
		return raw, nil
	}
	e, err := decodeEntryJSON(raw)
	if err != nil || !renames.Move(m.Fields, e.Data, pending, false) {
		return raw, err
	}
	return cms.Marshal(e)
}

// decodeEntry reads a stored entry; numbers keep their digits.
func decodeEntry(m *site.Model, item *table.Item) (*cms.Entry, error) {
	raw, err := entryJSON(m, item.Body)
	if err != nil {
		return nil, fmt.Errorf("content: entry %s: %w", item.Partition, err)
	}
	return decodeEntryJSON(raw)
}
