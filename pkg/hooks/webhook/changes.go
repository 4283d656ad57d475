package webhook

import (
	"slices"

	"headless/pkg/cms"
)

// Change is an entry event in a bundle (extensions §7).
type Change struct {
	Event      string   `json:"event"`
	Model      string   `json:"model"` // slug
	ID         string   `json:"id"`
	Locale     string   `json:"locale"`
	OccurredAt cms.Time `json:"occurred_at"`
}

// ChangesBody returns the request body of a bundle: its events, and the sorted cache tags of the
// changed entries. Its size is not limited.
func ChangesBody(changes []Change) []byte {
	var tags []string
	for _, c := range changes {
		tags = append(tags, "e."+c.ID, "m."+c.Model, "l."+c.Model+"."+c.Locale)
	}
	slices.Sort(tags)
	data := struct {
		Events []Change `json:"events"`
		Tags   []string `json:"tags"`
	}{changes, slices.Compact(tags)}
	body, _ := encode(payload{Event: cms.EventChanges,
		OccurredAt: changes[len(changes)-1].OccurredAt, Data: data}) // plain values always encode
	return body
}
