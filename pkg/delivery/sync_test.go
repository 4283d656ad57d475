package delivery

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"headless/pkg/site"
)

// TestSyncOfLargeEntries syncs entries of which a whole page would be too large for an answer: the
// pages hold fewer, and the sync comes to its end with all of them, from the walk and from the
// feed.
func TestSyncOfLargeEntries(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	models := &site.Models{Store: w.stores.Site}
	if _, err := models.Create(ctx, editor, map[string]any{"slug": "books", "name": "Books", "fields": []any{map[string]any{"name": "text", "type": "json"}}}); err != nil {
		t.Fatal(err)
	}
	const books = 12 // three pages
	ids := make([]string, books)
	save := func(n int, letter string) {
		body := map[string]any{"title": fmt.Sprint("Book ", n), "status": "published",
			"data": map[string]any{"text": strings.Repeat(letter, 900_000)}}
		if ids[n] == "" {
			e, err := w.entries.Create(ctx, editor, "books", body)
			if err != nil {
				t.Fatal(err)
			}
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
