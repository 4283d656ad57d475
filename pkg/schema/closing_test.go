package schema_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table"
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

// TestRefusedDeletionsReopen lets deletions of models and locales fail at each call to the table, once and for good.
// What was closed for the deletion and stays is open again, at the latest by the next sweep after a minute.
func TestRefusedDeletionsReopen(t *testing.T) {
	deletions := map[string]func(s *service) error{
		"the route of models":  func(s *service) error { return s.Models.Delete(s.t.Context(), admin, "things") },
		"the route of locales": func(s *service) error { return s.Locales.Delete(s.t.Context(), admin, "de") },
		"a schema": func(s *service) error {
			body := map[string]any{"deletes": map[string]any{"models": []any{"things"}, "locales": []any{"de"}}}
			plan, err := s.Plan(s.t.Context(), body)
			if err != nil {
				return err
			}
			return s.apply(body, plan)
		},
	}
	for name, remove := range deletions {
		for _, kind := range []table.FaultKind{table.Throttled, table.AnswerLost} {
			for _, times := range []int{1, 1000} {
				for n, met := 1, true; met; n++ {
					synctest.Test(t, func(t *testing.T) {
						what := fmt.Sprintf("%s, fault %d of %d calls from call %d", name, kind, times, n)
						s := newService(t)
						s.Locales.InUse = func(context.Context, string) (bool, error) { return false, nil }
						s.Models.HasEntries = func(context.Context, *site.Model) (bool, error) { return false, nil }
						_, err := s.Locales.Create(t.Context(), admin, map[string]any{"code": "de", "name": "German"})
						must.Do(t, err)
						_, err = s.Models.Create(t.Context(), admin, map[string]any{"slug": "things", "name": "Things"})
						must.Do(t, err)
						calls := 0
						s.fault = func(table.Call) table.Fault {
							if calls++; calls < n || calls >= n+times {
								return table.Fault{}
							}
							return table.Fault{Kind: kind}
						}
						deleted := remove(s)
						met, s.fault = calls >= n, nil
						if times > 1 {
							time.Sleep(2 * time.Minute)
							must.Do(t, s.Store.Site.Reopen(t.Context()))
						}
						now, err := s.Store.Site.Site(t.Context())
						must.Do(t, err)
						if m := now.Models["things"]; m != nil && (!m.IsActive || deleted == nil && name == "the route of models") {
							t.Errorf("%s: %v, and the model is %+v", what, deleted, m)
						}
						if l := now.Locale("de"); l != nil && (!l.IsActive || deleted == nil && name == "the route of locales") {
							t.Errorf("%s: %v, and the locale is %+v", what, deleted, l)
						}
					})
				}
			}
		}
	}
}
