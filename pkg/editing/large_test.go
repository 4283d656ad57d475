package editing

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/cms/validation"
	"headless/pkg/content"
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

// TestTooManyObjects: an entry of an earlier version that has more rows than an entry may have is read, and can be
// changed to fewer. Nothing stores so many again.
func TestTooManyObjects(t *testing.T) {
	w := newContentWorld(t, `{"slug": "large", "name": "Large", "fields": [{"name": "rows", "type": "list",
		"fields": [{"name": "x", "type": "text"}]}]}`)
	rows := func(n int) string {
		return `{"data": {"rows": [` + strings.TrimSuffix(strings.Repeat("{},", n), ",") + `]}}`
	}
	e, err := w.Create(t.Context(), w.actor, "large", w.body(`{"title": "Large"}`))
	must.Do(t, err)
	now, err := w.Store.Site(t.Context())
	must.Do(t, err)
	m := now.Models["large"]
	rec, err := w.Store.EntryForChange(t.Context(), m, e.ID)
	must.Do(t, err)
	large := *rec.Entry
	large.Version, large.Data = 2, w.body(rows(validation.MaxObjects + 1))["data"].(map[string]any)
	tx := w.Store.Begin()
	content.SaveEntry(tx, m, rec, &large, w.actor, cms.EventEntryUpdated)
	must.Do(t, w.Store.Commit(t.Context(), tx))
	got, err := w.Store.Entry(t.Context(), m, e.ID)
	must.Do(t, err)
	if n := len(got.Data["rows"].([]any)); n != validation.MaxObjects+1 {
		t.Errorf("%d rows are read", n)
	}
	for name, change := range map[string]func() error{
		"update": func() error {
			_, err := w.Update(t.Context(), w.actor, "large", e.ID, w.body(`{"title": "Larger"}`), nil)
			return err
		},
		"draft": func() error {
			_, err := w.SaveDraft(t.Context(), w.actor, "large", e.ID, w.body(`{"title": "Larger"}`), nil)
			return err
		},
		"publish": func() error {
			_, err := w.Publish(t.Context(), w.actor, "large", e.ID, PublishOptions{}, nil)
			return err
		},
		"duplicate": func() error {
			_, err := w.Duplicate(t.Context(), w.actor, "large", e.ID, nil, true)
			return err
		},
	} {
		if err := change(); codeOf(err) != cms.CodeValidationFailed {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = w.SaveDraft(t.Context(), w.actor, "large", e.ID, w.body(rows(1)), nil)
	must.Do(t, err)
	_, err = w.Publish(t.Context(), w.actor, "large", e.ID, PublishOptions{}, nil)
	must.Do(t, err)
	if _, err = w.RestoreRevision(t.Context(), w.actor, "large", e.ID, 2); codeOf(err) != cms.CodeValidationFailed {
		t.Errorf("restore: %v", err)
	}
}

// TestTooManySharedObjects: the rows that an entry shares with its translations are counted with the rows of each.
func TestTooManySharedObjects(t *testing.T) {
	w := newContentWorld(t, `{"slug": "large", "name": "Large", "localized": true, "fields": [
		{"name": "own", "type": "list", "fields": [{"name": "x", "type": "text"}]},
		{"name": "shared", "type": "list", "translatable": false, "fields": [{"name": "x", "type": "text"}]}]}`)
	data := func(field string, n int) string {
		return fmt.Sprintf(`"data": {%q: [%s]}`, field, strings.TrimSuffix(strings.Repeat("{},", n), ","))
	}
	en, err := w.Create(t.Context(), w.actor, "large", w.body(`{"title": "One"}`))
	must.Do(t, err)
	de, err := w.Create(t.Context(), w.actor, "large", w.body(fmt.Sprintf(
		`{"title": "Eins", "locale": "de", "translation_of": %q, %s}`, en.ID, data("own", 13_000))))
	must.Do(t, err)
	refused := func(what string, err error) {
		t.Helper()
		if e, ok := errors.AsType[*cms.Error](err); !ok || len(e.Details["data"]) != 1 ||
			!strings.Contains(e.Details["data"][0], "the translation in de") {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err = w.Update(t.Context(), w.actor, "large", en.ID, w.body(`{`+data("shared", 13_000)+`}`), nil)
	refused("update", err)
	_, err = w.SaveDraft(t.Context(), w.actor, "large", en.ID, w.body(`{`+data("shared", 13_000)+`}`), nil)
	must.Do(t, err)
	_, err = w.Publish(t.Context(), w.actor, "large", en.ID, PublishOptions{}, nil)
	refused("publish", err)
	_, err = w.Update(t.Context(), w.actor, "large", en.ID, w.body(`{`+data("shared", 12_000)+`}`), nil)
	must.Do(t, err)

	must.Do(t, w.Delete(t.Context(), w.actor, "large", de.ID, nil))
	_, err = w.Update(t.Context(), w.actor, "large", en.ID, w.body(`{`+data("shared", 13_000)+`}`), nil)
	must.Do(t, err)
	_, err = w.RestoreFromTrash(t.Context(), w.actor, de.ID)
	refused("trash", err)
	_, err = w.Update(t.Context(), w.actor, "large", en.ID, w.body(`{`+data("shared", 12_000)+`}`), nil)
	must.Do(t, err)
	_, err = w.RestoreFromTrash(t.Context(), w.actor, de.ID)
	must.Do(t, err)
}
