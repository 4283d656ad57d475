package webhook

import (
	"encoding/json"

	"headless/pkg/cms"
)

// MaxBody is the maximum size of a body with complete data, in bytes.
const MaxBody = 64 << 10

type payload struct {
	Event      string   `json:"event"`
	OccurredAt cms.Time `json:"occurred_at"`
	Data       any      `json:"data"`
	Version    int64    `json:"version,omitempty"`  // of the entry, for entry events
	Sequence   int64    `json:"sequence,omitempty"` // orders the events of an entry
}

type truncatedData struct {
	ID        string `json:"id"`
	Truncated bool   `json:"truncated"`
}

// Body returns the request body for e: event, occurred_at and data, and for entry events version
// and sequence. Callers store it, since the same bytes are signed and sent on every attempt. If the
// body would be larger than MaxBody, its data is only the subject's id and "truncated": true. If
// the data has no id (settings.updated), the id is that of the event.
func Body(e cms.Event) []byte {
	p := payload{Event: e.Kind, OccurredAt: e.OccurredAt, Data: e.Data, Version: e.Version, Sequence: e.Sequence}
	if len(e.Data) == 0 {
		p.Data = struct{}{}
	}
	body, err := cms.Marshal(p)
	if err == nil && len(body) <= MaxBody {
		return body
	}
	p.Data = truncatedData{ID: subject(e), Truncated: true}
	body, _ = cms.Marshal(p) // plain strings always encode
	return body
}

func subject(e cms.Event) string {
	var data struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(e.Data, &data) != nil || data.ID == "" {
		return e.ID
	}
	return data.ID
}
