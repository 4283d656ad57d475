package site_test

import (
	"slices"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/site"
)

// TestPurgesOfDefinitions holds that a change purges tags only if answers differ (extensions §8).
func TestPurgesOfDefinitions(t *testing.T) {
	store := newLocales(t).Store
	form := func(change func(*cms.Form)) func(*db.Tx, *site.Site) {
		return func(tx *db.Tx, now *site.Site) {
			f := cms.NewForm()
			f.ID, f.Slug, f.Name = "1", "contact", "Contact"
			change(&f)
			was := ""
			if now.Forms[f.Slug] != nil {
				was = f.Slug
			}
			site.PutForm(tx, now, was, f)
		}
	}
	put := func(active bool, f cms.Field) func(*db.Tx, *site.Site) {
		return func(tx *db.Tx, now *site.Site) {
			was := ""
			if now.Models["posts"] != nil {
				was = "posts"
			}
			site.PutModel(tx, now, was, site.Model{Model: cms.Model{ID: "1", Slug: "posts", IsActive: active,
				Fields: []cms.Field{f}}})
		}
	}
	model := func(f cms.Field) func(*db.Tx, *site.Site) { return put(true, f) }
	noModel := func(tx *db.Tx, now *site.Site) { site.DeleteModel(tx, now, "posts") }
	noForm := func(tx *db.Tx, now *site.Site) { site.DeleteForm(tx, now, "contact") }
	noLocale := func(tx *db.Tx, now *site.Site) { site.DeleteLocale(tx, now, "de") }
	group := func(inner cms.Field) cms.Field {
		return cms.Field{Name: "group", Type: cms.TypeGroup, Fields: []cms.Field{inner}}
	}
	setting := func(key, value string, public bool) func(*db.Tx, *site.Site) {
		return func(tx *db.Tx, now *site.Site) {
			site.PutSettings(tx, now, cms.Setting{Group: "site", Key: key, Value: value, IsPublic: public})
		}
	}
	german := func(name string, active bool) func(*db.Tx, *site.Site) {
		return func(tx *db.Tx, now *site.Site) {
			site.PutLocales(tx, now, cms.Locale{Code: "de", Name: name, IsActive: active})
		}
	}
	all := []string{cms.TagLocales, cms.TagSchema, cms.TagSettings}
	for _, step := range []struct {
		name   string
		change func(*db.Tx, *site.Site)
		tags   []string
	}{
		{"a new form", form(func(*cms.Form) {}), nil},
		{"its notifications", form(func(f *cms.Form) { f.NotifyEmails = []string{"a@example.com"} }), nil},
		{"its message", form(func(f *cms.Form) { f.SuccessMessage = "Thanks" }), []string{cms.TagSchema}},
		{"a new model", model(group(cms.Field{Name: "a"})), []string{cms.TagSchema}},
		{"the form of its entries", model(group(cms.Field{Name: "a", Label: "A", Help: "It helps.", Tab: "T"})), nil},
		{"another field", model(group(cms.Field{Name: "b"})), []string{cms.TagSchema}},
		{"an inactive model", put(false, group(cms.Field{Name: "b"})), []string{cms.TagSchema}},
		{"changed while inactive", put(false, group(cms.Field{Name: "c"})), nil},
		{"deleted", noModel, nil},
		{"an inactive form", form(func(f *cms.Form) { f.IsActive = false }), []string{cms.TagSchema}},
		{"active again", form(func(*cms.Form) {}), nil},
		{"no form", noForm, []string{cms.TagSchema}},
		{"a public setting", setting("name", "One", true), []string{cms.TagSettings}},
		{"the same again", setting("name", "One", true), nil},
		{"hidden", setting("name", "One", false), []string{cms.TagSettings}},
		{"changed while hidden", setting("name", "Two", false), nil},
		{"the address of the site", setting("url", "https://a.example", false), []string{cms.TagSettings}},
		{"an inactive locale", german("de", false), nil},
		{"activated", german("de", true), all},
		{"renamed", german("German", true), []string{cms.TagLocales}},
		{"the same locale", german("German", true), nil},
		{"deactivated", german("German", false), all},
		{"no locale", noLocale, nil},
	} {
		now, err := store.Site(t.Context())
		must.Do(t, err)
		tx := store.Begin()
		step.change(tx, now)
		if err := store.Commit(t.Context(), tx); err != nil {
			t.Fatal(step.name, err)
		}
		got := slices.Clone(tx.Purge().Tags)
		slices.Sort(got)
		if !slices.Equal(got, step.tags) {
			t.Errorf("%s purges %v, want %v", step.name, got, step.tags)
		}
	}
}
