package site_test

import (
	"context"
	"errors"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/site"
)

// TestDeleteModelRefused deletes a model in which an entry, or to which a relation, appears after the
// first look. Who uses the model meanwhile is asked to try again, and the model stays active.
func TestDeleteModelRefused(t *testing.T) {
	for _, late := range []string{"entry", "relation"} {
		t.Run(late, func(t *testing.T) {
			ctx, store := t.Context(), newLocales(t).Store
			models := &site.Models{Store: store}
			_, err := models.Create(ctx, cms.Actor{}, map[string]any{"slug": "things", "name": "Things"})
			must.Do(t, err)
			looks := 0
			models.HasEntries = func(ctx context.Context, m *site.Model) (bool, error) {
				looks++
				now, err := store.Site(ctx)
				must.Do(t, err)
				var refused *cms.Error
				_, err = now.ActiveModel("things")
				if looks > 1 && (!errors.As(err, &refused) || refused.Code != cms.CodeUnavailable) {
					t.Errorf("look %d: a use of the model ends with %v", looks, err)
				}
				if looks == 2 && late == "relation" {
					return false, addRelation(ctx, store)
				}
				return looks > 1 && late == "entry", nil
			}
			if err := models.Delete(ctx, cms.Actor{}, "things"); err == nil {
				t.Fatal("a model in use was deleted")
			}
			now, err := store.Site(ctx)
			must.Do(t, err)
			if _, err := now.ActiveModel("things"); err != nil || looks < 2 {
				t.Errorf("after %d looks: %v", looks, err)
			}
		})
	}
}

// addRelation creates a model with a relation to things.
func addRelation(ctx context.Context, store *site.Store) error {
	_, err := (&site.Models{Store: store}).Create(ctx, cms.Actor{}, map[string]any{"slug": "others",
		"name": "Others", "fields": []any{map[string]any{"name": "thing", "type": "relation", "model": "things"}}})
	return err
}
