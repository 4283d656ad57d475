package api_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"strings"
	"testing"

	"headless/pkg/api"
	"headless/pkg/api/pipeline"
	"headless/pkg/apikeys"
	"headless/pkg/db"
	"headless/pkg/delivery"
	"headless/pkg/editing"
	"headless/pkg/must"
	"headless/pkg/table"
)

const newsModel = `{"slug": "news", "name": "News", "fields": [{"name": "body", "type": "textarea", "searchable": true},
	{"name": "more", "type": "relation", "model": "news"}]}`

// observer reads as the public while drafts change and changes fail halfway.
type observer struct {
	*contentWorld
	r        *rand.Rand
	delivery *delivery.Handler
	base     string
	ids      []string
	// Texts that each entry may have: the confirmed one, and those of publishes whose answer was
	// lost.
	live []map[int]bool
	text int
}

func newObserver(t *testing.T) *observer {
	o := &observer{contentWorld: newContent(t), r: rand.New(rand.NewPCG(1, 2))}
	o.model(newsModel)
	entries := &editing.Entries{Store: o.store.Content}
	log := slog.New(slog.DiscardHandler)
	reader := pipeline.NewReader(o.store.Keys, log, api.SiteRoutes(), api.ContentRoutes(entries),
		api.SearchRoutes(entries))
	o.delivery = delivery.New(delivery.Config{Keys: o.store.Keys, Log: log, Entries: entries, Reader: reader})
	o.base = delivery.Base + "/" +
		o.key(`{"name": "Site", "kind": "publishable", "rate_limit": 1000000}`).PublicKey
	for i := range 4 {
		more := ""
		if i > 0 {
			more = fmt.Sprintf(`, "more": %q`, o.ids[i-1])
		}
		e := o.create("news",
			fmt.Sprintf(`{"title": "live 0", "slug": "n%d", "status": "published", "data": {"body": "live 0"%s}}`,
				i, more))
		o.ids, o.live = append(o.ids, e.ID), append(o.live, map[int]bool{0: true})
	}
	return o
}

// change makes one random change of a draft. In one of four, a write of it breaks off, before or
// after it took effect.
func (o *observer) change() {
	i := o.r.IntN(len(o.ids))
	at := "/news/" + o.ids[i]
	if o.r.IntN(4) == 0 {
		left, kind := o.r.IntN(2), []table.FaultKind{table.Throttled, table.AnswerLost}[o.r.IntN(2)]
		o.setFault(func(call table.Call) table.Fault {
			if call.Method != "Write" {
				return table.Fault{}
			}
			if left--; left >= -3 && left < 0 { // a retry breaks off too
				return table.Fault{Kind: kind}
			}
			return table.Fault{}
		})
		defer o.setFault(table.NoFaults)
	}
	o.text++
	switch o.r.IntN(6) {
	case 0:
		o.call(o.admin, "DELETE", at+"/draft", "")
	case 1, 2: // all that the draft changes is replaced, then published
		body := fmt.Sprintf(`{"title": "live %d", "slug": "n%d", "data": {"body": "live %d"}, "seo": {"title": null}}`,
			o.text, i, o.text)
		if o.call(o.admin, "PUT", at+"/draft", body).Code != 200 {
			return
		}
		o.live[i][o.text] = true
		if o.call(o.admin, "POST", at+"/publish", `{"force": true}`).Code == 200 {
			o.live[i] = map[int]bool{o.text: true}
		}
	default:
		o.call(o.admin, "PUT", at+"/draft", fmt.Sprintf(
			`{"title": "secret %d", "slug": "secret-%d", "data": {"body": "secret %d"}, "seo": {"title": "secret"}}`,
			o.text, o.text, o.text))
	}
}

// look reads in every way that the public has, and checks that nothing of a draft is in it.
func (o *observer) look(t *testing.T) {
	t.Helper()
	for i, id := range o.ids {
		o.whole(t, i, o.read(t, o.public, "/news/"+id, 200))
	}
	i := o.r.IntN(len(o.ids))
	for _, path := range []string{
		fmt.Sprintf("/news/n%d?include=more", i), "/news?include=more", "/news?q=live&sort=title",
		"/search?q=live", "/news?translations=true&fields=title,translations",
	} {
		o.read(t, o.public, path, 200)
	}
	for _, path := range []string{"/search?q=secret", "/news?q=secret",
		"/news?filter%5Btitle%5D%5Bcontains%5D=secret"} {
		var found []json.RawMessage
		if a := o.call(o.public, "GET", path, ""); a.Code != 200 ||
			json.Unmarshal(a.Data, &found) != nil || len(found) > 0 || a.Meta.Total != 0 {
			t.Fatalf("%s: %d %s", path, a.Code, a.Body)
		}
	}
	o.read(t, o.public, fmt.Sprintf("/news/secret-%d", o.text), 404)
	o.read(t, o.public, "/news?version=draft", 403)
	w := httptest.NewRecorder()
	o.delivery.ServeHTTP(w, httptest.NewRequest("GET", o.base+"/news/"+o.ids[i]+"?include=more", nil))
	o.clean(t, "delivery", w.Body.String())
	o.whole(t, i, w.Body.Bytes())
}

func (o *observer) read(t *testing.T, k apikeys.WithSecret, path string, status int) []byte {
	t.Helper()
	a := o.call(k, "GET", path, "")
	if a.Code != status {
		t.Fatalf("%s: %d %s", path, a.Code, a.Body)
	}
	o.clean(t, path, a.Body.String()+fmt.Sprint(a.Header()))
	return a.Body.Bytes()
}

func (o *observer) clean(t *testing.T, where, text string) {
	t.Helper()
	if strings.Contains(text, `"secret`) || strings.Contains(text, "secret ") {
		t.Fatalf("after %d changes, %s shows a draft: %s", o.text, where, text)
	}
}

// whole checks that an entry is one of those that were published, title and text of the same one.
func (o *observer) whole(t *testing.T, i int, raw []byte) {
	t.Helper()
	var a struct {
		Data struct {
			Title string
			Data  struct{ Body string }
		}
	}
	n := -1
	must.Do(t, json.Unmarshal(raw, &a))
	if _, err := fmt.Sscanf(a.Data.Title, "live %d", &n); err != nil ||
		a.Data.Data.Body != a.Data.Title || !o.live[i][n] {
		t.Fatalf("after %d changes, entry %d is %q, %q; it may be any of %v", o.text, i,
			a.Data.Title, a.Data.Data.Body, o.live[i])
	}
}

// TestDraftsAreInvisible makes 1,000 random changes of drafts, many of which break off, while the
// public reads: nobody sees a word of a draft, and an entry is always as one publish left it.
func TestDraftsAreInvisible(t *testing.T) {
	o := newObserver(t)
	for range 1000 {
		o.change()
		if o.r.IntN(12) == 0 {
			o.look(t)
		}
	}
	o.look(t)
	events, err := o.store.Outbox(t.Context(), 10_000)
	if err != nil || len(events) == 0 {
		t.Fatal(len(events), err)
	}
	for _, item := range events {
		raw, err := db.UnpackBytes(item.Body)
		must.Do(t, err)
		o.clean(t, "an event", string(raw))
	}
}
