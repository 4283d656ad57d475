package site_test

import (
	"cmp"
	"context"
	"path/filepath"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/site"
	"headless/pkg/table/bolt"
)

// TestDeleteLocaleBesideOtherChanges deletes locales while every look for their entries is overtaken
// by another change of the site. The look reads counters of all models, so it must not be repeated
// for each such change.
func TestDeleteLocaleBesideOtherChanges(t *testing.T) {
	for name, active := range map[string]bool{"active": true, "inactive": false} {
		t.Run(name, func(t *testing.T) {
			locales := newLocales(t)
			create(t, locales, "de", active)
			looks := 0
			locales.InUse = func(ctx context.Context, code string) (bool, error) {
				looks++
				return false, changeSite(ctx, locales.Store)
			}
			must.Do(t, locales.Delete(t.Context(), cms.Actor{}, "de"))
			if looks > 2 {
				t.Errorf("%d looks at the entries of all models", looks)
			}
		})
	}
}

// TestDeleteLocaleReopens deletes a locale in which an entry appears after the first look, in a
// request that ends at that moment. The locale stays active.
func TestDeleteLocaleReopens(t *testing.T) {
	locales := newLocales(t)
	create(t, locales, "de", true)
	ctx, hangUp := context.WithCancel(t.Context())
	looks := 0
	locales.InUse = func(context.Context, string) (bool, error) {
		if looks++; looks == 2 {
			hangUp()
		}
		return looks == 2, nil
	}
	if err := locales.Delete(ctx, cms.Actor{}, "de"); err == nil {
		t.Fatal("a locale in use was deleted")
	}
	v, err := locales.Get(t.Context(), "de")
	if err != nil || !v.IsActive {
		t.Errorf("the locale is %+v, %v", v, err)
	}
}

// TestDeleteLocaleRefused deletes a locale in which an entry appears after the first look. Who uses the
// locale meanwhile is asked to try again.
func TestDeleteLocaleRefused(t *testing.T) {
	ctx, locales := t.Context(), newLocales(t)
	create(t, locales, "de", true)
	models := &site.Models{Store: locales.Store}
	_, err := models.Create(ctx, cms.Actor{}, map[string]any{"slug": "things", "name": "Things", "localized": true})
	must.Do(t, err)
	uses := func() (save, read error) {
		now, err := locales.Store.Site(ctx)
		must.Do(t, err)
		e := &cms.Entry{Locale: "de"}
		return now.Models["things"].Permit(ctx, cms.ActionWrite, nil, e), now.RequireLocale("de")
	}
	looks := 0
	locales.InUse = func(context.Context, string) (bool, error) {
		if looks++; looks == 2 {
			save, read := uses()
			if cms.CodeOf(save) != cms.CodeUnavailable || cms.CodeOf(read) != cms.CodeUnavailable {
				t.Errorf("a save ends with %v, a read with %v", save, read)
			}
		}
		return looks == 2, nil
	}
	if err := locales.Delete(ctx, cms.Actor{}, "de"); cms.CodeOf(err) != cms.CodeConflict || looks != 2 {
		t.Fatalf("after %d looks: %v", looks, err)
	}
	save, read := uses()
	if err := cmp.Or(save, read); err != nil {
		t.Error(err)
	}
}

// newLocales returns the locales of a new site, of which English is the default.
func newLocales(t *testing.T) *site.Locales {
	t.Helper()
	tbl, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	t.Cleanup(func() { tbl.Close() })
	locales := &site.Locales{Store: rooms.New(tbl, time.Now).Site}
	must.Do(t, locales.EnsureDefault(t.Context()))
	return locales
}

func create(t *testing.T, locales *site.Locales, code string, active bool) {
	t.Helper()
	body := map[string]any{"code": code, "name": code, "is_active": active}
	if _, err := locales.Create(t.Context(), cms.Actor{}, body); err != nil {
		t.Fatal(err)
	}
}

// changeSite changes something else of the site.
func changeSite(ctx context.Context, store *site.Store) error {
	return store.Retry(ctx, func() error {
		now, err := store.Site(ctx)
		if err != nil {
			return err
		}
		tx := store.Begin()
		site.PutSettings(tx, now, cms.Setting{Group: "site", Key: "name", Value: time.Now().String()})
		return store.Commit(ctx, tx)
	})
}
