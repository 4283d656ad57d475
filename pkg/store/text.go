package store

import (
	"github.com/google/uuid"

	"headless/pkg/cms"
)

// indexedText is what the text index holds of an entry.
type indexedText struct {
	Space string            `json:"s"`
	Terms map[string]uint16 `json:"t"` // stem to weight
}

// text computes what the text index holds of an entry, nil where the model has nothing to search.
func (m *Model) text(space string, e *cms.Entry) *indexedText { return nil }

func (t *Tx) retext(m *Model, was, now *indexedText, id uuid.UUID, version int64) {}
