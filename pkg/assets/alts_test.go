package assets

import (
	"context"
	"maps"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/must"
)

// TestAltsOfFormerLocale keeps the text of a locale that the site no longer has, and lets it be sent back and removed.
func TestAltsOfFormerLocale(t *testing.T) {
	w := newMediaWorld(t)
	s := w.start(nil)
	codes := []string{"en", "de"}
	s.Locales = func(context.Context) (locales []cms.Locale, err error) {
		for _, code := range codes {
			locales = append(locales, cms.Locale{Code: code})
		}
		return locales, nil
	}
	file, err := s.Upload(t.Context(), mediaActor, textUpload("a.txt", "text"))
	must.Do(t, err)
	change := func(alts any) (map[string]string, error) {
		m, err := s.Update(t.Context(), mediaActor, file.ID, map[string]any{"alts": alts}, nil)
		return m.Alts, err
	}
	if _, err := change(map[string]any{"en": "A", "de": "B"}); err != nil {
		t.Fatal(err)
	}
	codes = codes[:1]
	if _, err := change(map[string]any{"fr": "C"}); cms.CodeOf(err) != cms.CodeValidationFailed {
		t.Errorf("a locale that never was: %v", err)
	}
	want := map[string]string{"en": "D", "de": "B"}
	if got, err := change(map[string]any{"en": "D", "de": "B"}); err != nil || !maps.Equal(got, want) {
		t.Errorf("sent back: %v, %v", got, err)
	}
	if got, err := change(map[string]any{"de": nil, "en": ""}); err != nil || got != nil {
		t.Errorf("removed: %v, %v", got, err)
	}
}
