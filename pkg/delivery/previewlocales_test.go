package delivery

import (
	"fmt"
	"strings"
	"testing"

	"headless/pkg/menus"
	"headless/pkg/must"
	"headless/pkg/planning/ahead"
	"headless/pkg/site"
)

// TestPreviewCostOfLocales counts what reads cost more in a preview that changes two models in five locales: 500 docs,
// and 200 terms of which the translations share values. A list in all locales reads every change. A read of single
// terms reads the changes of their translations, and no others.
func TestPreviewCostOfLocales(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	locales := []string{"en", "de", "fr", "es", "it"}
	for _, code := range locales[1:] {
		_, err := (&site.Locales{Store: w.stores.Site}).Create(ctx, editor,
			bodyOf(t, fmt.Sprintf(`{"code": %q, "name": %[1]q}`, code)))
		must.Do(t, err)
	}
	var term string // id of the last one
	links := map[string][]string{}
	fill := func(model string, shares bool, n int) {
		_, err := (&site.Models{Store: w.stores.Site}).Create(ctx, editor,
			bodyOf(t, fmt.Sprintf(`{"slug": %q, "name": "M", "localized": true,
			"url": "/{locale}/%[1]s/{slug}", "fields": [{"name": "code", "type": "text", "translatable": %t}]}`,
				model, !shares)))
		must.Do(t, err)
		for i := range n {
			group := ""
			for _, locale := range locales {
				e, err := w.entries.Create(ctx, editor, model, bodyOf(t, fmt.Sprintf(
					`{"title": "Stored", "status": "published", "locale": %q, "slug": "s-%d"%s}`, locale, i, group)))
				must.Do(t, err)
				draft := `{"title": "Changed"}`
				if locale == "en" {
					draft = `{"title": "Changed", "slug": "new-` + fmt.Sprint(i) + `", "data": {"code": "new"}}`
					group = `, "translation_of": "` + e.ID + `"`
				}
				term = e.ID
				_, err = w.entries.SaveDraft(ctx, editor, model, e.ID, bodyOf(t, draft), nil)
				must.Do(t, err)
				if i < 5 {
					links[locale] = append(links[locale], fmt.Sprintf(`{"label": "A", "entry": {"model": %q, "id": %q}}`, model, e.ID))
				}
			}
		}
	}
	fill("docs", false, 100)
	fill("terms", true, 40)
	var items []string
	for locale, list := range links {
		items = append(items, fmt.Sprintf("%q: [%s]", locale, strings.Join(list, ",")))
	}
	_, err := (&menus.Menus{Store: w.stores.Content}).Create(ctx, editor, bodyOf(t, `{"slug": "main", "name": "Main",
		"items": {`+strings.Join(items, ",")+`}}`))
	must.Do(t, err)
	must.Do(t, w.entries.MergeTotals(ctx))
	get(w.fresh, w.base+"/docs?per_page=5") // makes the key of cursors
	made, err := ahead.Of(w.entries).Create(ctx, editor, map[string]any{"drafts": true})
	must.Do(t, err)
	if made.Changes != 700 {
		t.Errorf("%d changes", made.Changes)
	}
	for path, want := range map[string]struct {
		units float64
		shows string
	}{
		"/docs?per_page=20&locale=de":                   {150, `"total":100`},
		"/docs?per_page=20&locale=any":                  {550, `"total":500`},
		"/docs?per_page=20&locale=any&sort=-title":      {560, `"total":500`},
		"/docs?per_page=20&locale=de&translations=true": {180, `"total":100`},
		"/docs?per_page=20&locale=de&fallback=true":     {150, `"total":100`},
		"/resolve?path=/de/docs/s-1":                    {150, "Changed"},
		"/menus/main":                                   {80, "/en/terms/new-0"},
		"/menus/main?locale=de":                         {80, "/de/terms/s-0"},
		"/sitemap-1.xml":                                {200, "/en/docs/new-1"},
		"/terms/" + term:                                {60, `"code":"new"`},
		"/terms/" + term + "?translations=true":         {60, `"code":"new"`},
		"/terms?per_page=20&locale=de":                  {350, `"code":"new"`},
		"/terms/s-1?locale=de":                          {350, `"code":"new"`},
	} {
		t.Run(path, func(t *testing.T) {
			trips, units, text := w.costOfPreview(t, path, path, made.Token)
			if !strings.Contains(text, want.shows) {
				t.Errorf("it does not show %q: %.500s", want.shows, text)
			}
			if trips > 3 || units > want.units {
				t.Errorf("it takes %d round trips and %.0f read units more", trips, units)
			}
		})
	}
}
