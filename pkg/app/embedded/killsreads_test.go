package embedded

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"reflect"
)

func (c *killsClient) upload() {
	name := c.next() + ".txt"
	content := []byte("content of " + name)
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	part, _ := m.CreateFormFile("file", name) // never fails: it writes to memory
	part.Write(content)
	m.Close()
	r := c.ask(c.key, "POST /api/v1/upload", form{m.FormDataContentType(), body.Bytes()})
	file := r.object()
	if r.status != http.StatusCreated {
		found := c.sure(c.key, "GET /api/v1/upload/files?filter[name]="+name).list()
		if len(found) == 0 {
			return
		}
		file, _ = found[0].(map[string]any)
	}
	id := file["id"].(string)
	c.expect("media.uploaded", id, 0)
	if rand.IntN(2) == 0 {
		c.mu.Lock()
		c.files[id] = content
		c.mu.Unlock()
		return
	}
	r = c.ask(c.key, "DELETE /api/v1/upload/files/"+id, nil)
	if r.status != http.StatusNoContent &&
		c.sure(c.key, "GET /api/v1/upload/files/"+id).status == http.StatusOK {
		c.mu.Lock()
		c.files[id] = content
		c.mu.Unlock()
		return
	}
	c.expect("media.deleted", id, 0)
}

func (c *killsClient) submit() {
	text := c.next()
	header := http.Header{"X-Forwarded-For": {fmt.Sprintf("198.51.%d.%d", rand.IntN(250), 1+rand.IntN(250))}}
	r := c.ask(header, "POST /api/v1/forms/contact/submit", object{"text": text})
	if r.status != http.StatusCreated {
		return // unknown: nobody can ask
	}
	c.expect("form.submission.created", r.object()["id"].(string), 0)
	c.mu.Lock()
	c.mails[text] = true
	c.mu.Unlock()
}

// read expects a confirmed entry everywhere at once.
func (c *killsClient) read(r *record) {
	for _, path := range []string{r.path(), "/api/v1/" + r.model + "/" + r.entry["slug"].(string)} {
		if got := c.sure(c.key, "GET "+path); !reflect.DeepEqual(got.object(), r.entry) {
			c.t.Errorf("GET %s: %s, want %v", path, got.raw, r.entry)
		}
	}
}

func (c *killsClient) list() {
	want := map[string]object{}
	for _, r := range c.own {
		if r.model == "notes" && r.status() == "published" {
			want[r.id] = r.entry
		}
	}
	got := c.sure(c.public, "GET /api/v1/notes?per_page=100&sort=-data.n&filter[data.owner]="+c.name)
	if got.total() != len(want) || len(got.list()) != min(len(want), 100) {
		c.t.Errorf("%s: total %d and %d entries, want %d", c.name, got.total(), len(got.list()), len(want))
	}
	for _, item := range got.list() {
		entry := item.(map[string]any)
		if !reflect.DeepEqual(entry, want[entry["id"].(string)]) {
			c.t.Errorf("listed %v, want %v", entry, want[entry["id"].(string)])
		}
	}
}

func (c *killsClient) search() {
	r := c.any()
	want := map[string]bool{}
	if r.status() == "published" {
		want[r.id] = true
	}
	c.finds(r.word(), want)
	if r.former != "" {
		c.finds(r.former, map[string]bool{})
	}
}

func (w *killsWorld) finds(word string, want map[string]bool) {
	got, found := w.sure(w.public, "GET /api/v1/search?q="+word), map[string]bool{}
	for _, item := range got.list() {
		found[item.(map[string]any)["id"].(string)] = true
	}
	if !maps.Equal(found, want) || got.total() != len(want) {
		w.t.Errorf("search for %s: total %d, %v, want %v", word, got.total(), found, want)
	}
}
