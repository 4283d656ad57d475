package editing

import (
	"fmt"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/must"
)

// TestGrowingEntry: changes that together are more than a stored document may expand to are refused, and what was
// stored before stays readable.
func TestGrowingEntry(t *testing.T) {
	const fields = 9
	var list []string
	for i := range fields {
		list = append(list, fmt.Sprintf(`{"name": "f%d", "type": "json"}`, i))
	}
	w := newContentWorld(t, `{"slug": "large", "name": "Large", "fields": [`+strings.Join(list, ",")+`]}`)
	e, err := w.Create(t.Context(), w.actor, "large", w.body(`{"title": "Large"}`))
	must.Do(t, err)
	value := strings.Repeat("x", 1_000_000)
	for i := range fields {
		body := w.body(fmt.Sprintf(`{"data": {"f%d": %q}}`, i, value))
		_, err = w.Update(t.Context(), w.actor, "large", e.ID, body, nil)
		if i < fields-1 {
			must.Do(t, err)
		}
	}
	if codeOf(err) != cms.CodePayloadTooLarge {
		t.Errorf("over 8 MB: %v", err)
	}
	m, err := w.Store.Site(t.Context())
	must.Do(t, err)
	got, err := w.Store.Entry(t.Context(), m.Models["large"], e.ID)
	must.Do(t, err)
	if got.Version != fields || got.Data["f8"] != nil || got.Data["f7"] != value {
		t.Errorf("version %d with %d fields", got.Version, len(got.Data))
	}
}
