package delivery

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"headless/pkg/must"
	"headless/pkg/site"
)

// TestSitemapParts walks through the parts of a sitemap that are not aligned to the entries read at
// a time, nor to models: each address is in one part, with all its translations.
func TestSitemapParts(t *testing.T) {
	defer func(part, read int) { sitemapPart, sitemapRead = part, read }(sitemapPart, sitemapRead)
	sitemapPart, sitemapRead = 25, 10
	w := newWorld(t)
	ctx := t.Context()
	if _, err := (&site.Locales{Store: w.stores.Site}).Create(ctx, editor,
		map[string]any{"code": "de", "name": "German"}); err != nil {
		t.Fatal(err)
	}
	models := &site.Models{Store: w.stores.Site}
	want := map[string][]string{} // languages by address
	for _, slug := range []string{"events", "places"} {
		if _, err := models.Create(ctx, editor, map[string]any{"slug": slug, "name": slug, "localized": true,
			"url": "/{locale}/" + slug + "/{slug}"}); err != nil {
			t.Fatal(err)
		}
		for i := range 33 {
			body := map[string]any{"title": "T", "slug": fmt.Sprint("t", i), "status": "published",
				"seo": map[string]any{"noindex": i == 7}}
			e, err := w.entries.Create(ctx, editor, slug, body)
			must.Do(t, err)
			address, languages := fmt.Sprintf("/%s/t%d", slug, i), []string{"en"}
			if i%3 == 0 {
				body["locale"], body["translation_of"] = "de", e.ID
				if _, err := w.entries.Create(ctx, editor, slug, body); err != nil {
					t.Fatal(err)
				}
				languages = []string{"de", "en"}
				want["/de"+address] = languages
			}
			if i != 7 {
				want["/en"+address] = languages
			}
		}
	}
	var parts struct {
		Parts []struct {
			Loc string `xml:"loc"`
		} `xml:"sitemap"`
	}
	if err := xml.Unmarshal(get(w.fresh, w.base+"/sitemap.xml").Body.Bytes(), &parts); err != nil ||
		len(parts.Parts) != 4 {
		t.Fatalf("%d parts of 88 entries (%v), want 4", len(parts.Parts), err)
	}
	for i := range parts.Parts {
		var set struct {
			URLs []struct {
				Loc   string `xml:"loc"`
				Links []struct {
					Lang string `xml:"hreflang,attr"`
				} `xml:"link"`
			} `xml:"url"`
		}
		must.Do(t, xml.Unmarshal(get(w.fresh, fmt.Sprint(w.base, "/sitemap-", i+1, ".xml")).Body.Bytes(), &set))
		if len(set.URLs) > sitemapPart {
			t.Errorf("part %d has %d addresses", i+1, len(set.URLs))
		}
		for _, u := range set.URLs {
			address := u.Loc[len("https://cms.example"):]
			var languages []string
			for _, l := range u.Links {
				languages = append(languages, l.Lang)
			}
			slices.Sort(languages)
			if !slices.Equal(languages, want[address]) {
				t.Errorf("%s has the languages %v, want %v", address, languages, want[address])
			}
			delete(want, address)
		}
	}
	if len(want) > 0 {
		t.Errorf("no part has %v", want)
	}
	if a := get(w.fresh, w.base+"/sitemap-5.xml"); a.Code != http.StatusNotFound {
		t.Errorf("a part beyond the last: %d", a.Code)
	}
}
