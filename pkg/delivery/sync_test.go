package delivery

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/site"
)

// TestSyncOfLargeEntries syncs entries of which a whole page would be too large for an answer: the
// pages hold fewer, and the sync comes to its end with all of them, from the walk and from the
// feed.
func TestSyncOfLargeEntries(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	models := &site.Models{Store: w.stores.Site}
	if _, err := models.Create(ctx, editor, map[string]any{"slug": "books", "name": "Books",
		"fields": []any{map[string]any{"name": "text", "type": "json"}}}); err != nil {
		t.Fatal(err)
	}
	const books = 12 // three pages
	ids := make([]string, books)
	save := func(n int, letter string) {
		body := map[string]any{"title": fmt.Sprint("Book ", n), "status": "published",
			"data": map[string]any{"text": strings.Repeat(letter, 900_000)}}
		if ids[n] == "" {
			e, err := w.entries.Create(ctx, editor, "books", body)
			must.Do(t, err)
			ids[n] = e.ID
			return
		}
		if _, err := w.entries.Update(ctx, editor, "books", ids[n], body, nil); err != nil {
			t.Fatal(err)
		}
	}
	query := "?models=books"
	follow := func() int {
		seen := map[string]bool{}
		for range 3 * books {
			answer := get(w.fresh, w.base+"/sync"+query)
			var page struct {
				Data []struct{ Entry struct{ ID string } }
				Meta struct {
					NextToken string `json:"next_token"`
					Complete  bool
				}
			}
			if err := json.Unmarshal(answer.Body.Bytes(), &page); err != nil || answer.Code != 200 {
				t.Fatalf("%d: %v: %.300s", answer.Code, err, answer.Body)
			}
			if size := answer.Body.Len(); size > maxSyncBytes+1<<20 {
				t.Errorf("a page has %d bytes", size)
			}
			for _, op := range page.Data {
				seen[op.Entry.ID] = true
			}
			query = "?token=" + page.Meta.NextToken
			if page.Meta.Complete {
				return len(seen)
			}
		}
		t.Fatal("the sync does not end")
		return 0
	}
	for n := range books {
		save(n, "a")
	}
	if got := follow(); got != books {
		t.Errorf("the walk shows %d entries, want %d", got, books)
	}
	for n := range 6 {
		save(n, "b")
	}
	if got := follow(); got < 6 {
		t.Errorf("the feed shows %d entries, want 6 at least", got)
	}
}

// TestSyncOfImages syncs files with a srcset. The token carries the widths, so a change of a file has
// one too.
func TestSyncOfImages(t *testing.T) {
	w := newWorld(t)
	width := 700
	picture := assets.Asset{ID: "018f3f70-11aa-7c3d-8a51-7b7d1f0a9c01", Mime: "image/png", Width: &width, Scalable: true}
	drawing := assets.Asset{ID: "018f3f70-11aa-7c3d-8a51-7b7d1f0a9c02", Mime: "image/svg+xml", Width: &width}
	put := func(files ...assets.Asset) {
		t.Helper()
		tx := w.stores.Assets.Begin()
		for _, f := range files {
			assets.PutMedia(tx, f, true)
		}
		must.Do(t, w.stores.Assets.Commit(t.Context(), tx))
	}
	token := ""
	sync := func(query string) (files map[string]map[string]any) {
		t.Helper()
		answer := get(w.fresh, w.base+"/sync?"+query)
		var page struct {
			Data []struct{ Entry map[string]any }
			Meta struct {
				NextToken string `json:"next_token"`
			}
		}
		if err := json.Unmarshal(answer.Body.Bytes(), &page); err != nil || answer.Code != 200 {
			t.Fatalf("%d: %v: %s", answer.Code, err, answer.Body)
		}
		token = page.Meta.NextToken
		files = map[string]map[string]any{}
		for _, op := range page.Data {
			files[op.Entry["id"].(string)] = op.Entry
		}
		return files
	}
	put(picture, drawing)
	for id, f := range sync("models=media") {
		if set, has := f["srcset"]; has {
			t.Errorf("without images, %s has the srcset %v", id, set)
		}
	}
	address := "https://cms.example/media/" + picture.ID
	files := sync("models=media&images=800,390")
	want := address + "?w=400&fm=auto 400w, " + address + "?w=800&fm=auto 700w"
	if got := files[picture.ID]["srcset"]; got != want {
		t.Errorf("the srcset is %v, want %s", got, want)
	}
	if got := files[drawing.ID]["srcset"]; got != "" {
		t.Errorf("the srcset of a drawing is %v", got)
	}

	changed, err := w.stores.Assets.Media(t.Context(), picture.ID)
	must.Do(t, err)
	changed.Alt, changed.Focal, changed.Edition = "New", &cms.Focal{X: 0.5, Y: 0.3}, 2
	put(*changed)
	f := sync("token=" + url.QueryEscape(token))[picture.ID]
	want = address + "?v=2&w=400&fm=auto&fp=0.5,0.3 400w, " + address + "?v=2&w=800&fm=auto&fp=0.5,0.3 700w"
	if f["srcset"] != want || f["alt"] != "New" {
		t.Errorf("the changed file is %v, want the srcset %s", f, want)
	}

	for _, query := range []string{"images=", "images=x", "images=2561", "images=" + strings.Repeat("32,", 16) + "32",
		"images=400&token=" + url.QueryEscape(token)} {
		if answer := get(w.fresh, w.base+"/sync?"+query); answer.Code != 400 {
			t.Errorf("%s: %d %s", query, answer.Code, answer.Body)
		}
	}
}
