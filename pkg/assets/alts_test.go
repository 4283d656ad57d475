package assets

import (
	"context"
	"maps"
	"strings"
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

// TestAltsOfUploads begins direct uploads with texts, and completes them without the right to write these any more.
func TestAltsOfUploads(t *testing.T) {
	w := newMediaWorld(t)
	s := w.start(nil)
	s.Locales = func(context.Context) ([]cms.Locale, error) { return []cms.Locale{{Code: "en"}, {Code: "de"}}, nil }
	u, err := s.Direct(t.Context(), map[string]any{"name": "a.txt", "mime": "text/plain", "size": number(4),
		"alts": map[string]any{"de": "A"}})
	must.Do(t, err)
	meta := objectMeta("a.txt", "text/plain", 1)
	meta.ContentType = u.Upload.Headers["Content-Type"]
	must.Do(t, w.blobs.Put(t.Context(), incomingKey(u.ID), strings.NewReader("text"), meta))
	with := func(locale string) context.Context {
		return cms.WithPermissions(t.Context(), cms.NewPermissions([]cms.Rule{
			{Models: []string{cms.AreaMedia}, Locales: []string{locale}}}))
	}
	if m, err := s.Complete(with("en"), mediaActor, u.ID); cms.CodeOf(err) != cms.CodeForbidden {
		t.Errorf("without the right to write it: %+v, %v", m, err)
	}
	if m, err := s.Complete(with("de"), mediaActor, u.ID); err != nil || m.Alts["de"] != "A" {
		t.Errorf("with the right: %+v, %v", m, err)
	}
}
