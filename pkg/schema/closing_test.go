package schema_test

import (
	"context"
	"errors"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/must"
)

// TestLocaleWithLateEntry deletes a locale in which an entry is saved after the check of the plan. The
// locale stays and is open again.
func TestLocaleWithLateEntry(t *testing.T) {
	s := newService(t)
	looks := 0
	s.Locales.InUse = func(context.Context, string) (bool, error) { // as soon as the plan is applied
		looks++
		return looks > 2, nil
	}
	_, err := s.Locales.Create(t.Context(), admin, map[string]any{"code": "de", "name": "German"})
	must.Do(s.t, err)
	body := map[string]any{"deletes": map[string]any{"locales": []any{"de"}}}
	var failure *cms.Error
	if err := s.apply(body, s.planned(body, 1)); !errors.As(err, &failure) || failure.Code != cms.CodeConflict {
		t.Errorf("the plan ended with %v, want CONFLICT", err)
	}
	v, err := s.Locales.Get(t.Context(), "de")
	if err != nil || !v.IsActive {
		t.Errorf("the locale is %+v, %v", v, err)
	}

	looks = -10 // nobody saves an entry now
	must.Do(s.t, s.apply(body, s.planned(body, 1)))
	if _, err := s.Locales.Get(t.Context(), "de"); err == nil {
		t.Error("the locale is still there")
	}
}
