package embedded

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"
)

// record is what a client knows of one of its entries.
type record struct {
	model, id string
	entry     object // as the service answered it
	former    string // a word that it held before
	trashed   bool
}

func (r *record) version() int   { return int(r.entry["version"].(float64)) }
func (r *record) status() string { return r.entry["status"].(string) }
func (r *record) data(name string) any {
	return r.entry["data"].(map[string]any)[name]
}
func (r *record) word() string { return strings.Fields(r.data("body").(string))[0] }
func (r *record) path() string { return "/api/v1/" + r.model + "/" + r.id }

// killsClient writes entries that nobody else writes.
type killsClient struct {
	*killsWorld
	name string
	own  []*record
	bin  []*record
}

func newKillsClient(w *killsWorld, n int) *killsClient {
	return &killsClient{killsWorld: w, name: fmt.Sprintf("client-%d", n)}
}

func (c *killsClient) run(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		if c.t.Failed() {
			return
		}
		switch at := rand.IntN(100); {
		case at < 25 || len(c.own) == 0:
			c.create()
		case at < 45:
			c.update()
		case at < 60:
			c.toggle()
		case at < 68:
			c.remove()
		case at < 71:
			c.restore()
		case at < 73:
			c.upload()
		case at < 75:
			c.submit()
		case at < 77:
			c.duplicate()
		case at < 85:
			c.list()
		case at < 93:
			c.search()
		default:
			c.read(c.any())
		}
	}
}

func (c *killsClient) any() *record { return c.own[rand.IntN(len(c.own))] }

func (c *killsClient) model() string {
	if rand.IntN(50) == 0 {
		return "things"
	}
	return "notes"
}

func (c *killsClient) create() {
	word, model := c.next(), c.model()
	status := []string{"draft", "published", "published"}[rand.IntN(3)]
	body := object{"title": "One title of many", "status": status, "data": object{
		"code": c.name + "-" + word, "owner": c.name, "n": rand.IntN(1000), "body": word +
			" words of " + c.name}}
	header := c.key.Clone()
	keyed := rand.IntN(2) == 0
	if keyed {
		header.Set("Idempotency-Key", c.name+word)
	}
	busy := 0 // answers that the first request still runs
	if keyed && rand.IntN(3) == 0 {
		c.hangUp(header, "POST /api/v1/"+model, body)
		busy = 50
	}
	r := c.ask(header, "POST /api/v1/"+model, body)
	// The same key makes one entry.
	for keyed && (r.status == 0 || r.status == 503 || r.status == 409 && busy > 0) {
		time.Sleep(20 * time.Millisecond)
		busy--
		r = c.ask(header, "POST /api/v1/"+model, body)
	}
	if r.status != http.StatusCreated {
		if r.status != 0 && r.status != http.StatusServiceUnavailable && !(keyed && r.status == 409) {
			c.t.Errorf("create: %d %s", r.status, r.raw)
			return
		}
		found := c.sure(c.key, "GET /api/v1/"+model+"?filter[status]=any&filter[data.code]="+c.name+"-"+word)
		c.mu.Lock()
		c.settled++
		c.mu.Unlock()
		if len(found.list()) == 0 {
			return
		}
		r.json.Data = found.list()[0]
	}
	entry := r.object()
	made := &record{model: model, id: entry["id"].(string), entry: entry}
	if entry["title"] != body["title"] || entry["status"] != status || made.data("code") != c.name+"-"+word ||
		made.data("body") != word+" words of "+c.name || made.version() != 1 {
		c.t.Errorf("created %v, got %v", body, entry)
	}
	c.keep(made)
	c.expect("entry.created", made.id, 1)
	if status == "published" {
		c.expect("entry.published", made.id, 1)
	}
	if rand.IntN(4) == 0 {
		c.read(made)
	}
}

func (c *killsClient) keep(r *record) {
	c.own = append(c.own, r)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.records[r.id] = r
	c.taken[r.data("code").(string)] = r.id
}

// save sends a change and finds out its outcome, even if the answer was lost.
func (c *killsClient) save(r *record, call string, header http.Header, body object,
	want func(object) bool) bool {
	before := r.entry
	got := c.ask(header, call, body)
	var entry object
	switch got.status {
	case http.StatusOK:
		entry = got.object()
	case 0, http.StatusServiceUnavailable:
		entry = c.sure(c.key, "GET "+r.path()).object()
		c.mu.Lock()
		c.settled++
		c.mu.Unlock()
		if reflect.DeepEqual(entry, before) {
			return false
		}
	default:
		c.t.Errorf("%s: %d %s", call, got.status, got.raw)
		return false
	}
	if entry == nil || !want(entry) || int(entry["version"].(float64)) != r.version()+1 {
		c.t.Errorf("%s: sent %v on top of %v, got %v", call, body, before, entry)
		return false
	}
	c.mu.Lock()
	r.entry = entry
	c.mu.Unlock()
	return true
}

func (c *killsClient) update() {
	r := c.any()
	word, n := c.next(), rand.IntN(1000)
	body := object{"data": object{"body": word + " changed by " + c.name, "n": n}}
	old := r.word()
	if !c.save(r, "PUT "+r.path(), c.key, body, func(e object) bool {
		data := e["data"].(map[string]any)
		return data["body"] == word+" changed by "+c.name && data["n"] == float64(n)
	}) {
		return
	}
	r.former = old
	c.expect("entry.updated", r.id, r.version())
	if rand.IntN(4) == 0 {
		c.read(r)
	}
}

func (c *killsClient) toggle() {
	r := c.any()
	from := r.status()
	to := []string{"draft", "published", "archived"}[rand.IntN(3)]
	if !c.save(r, "PUT "+r.path(), c.key, object{"status": to},
		func(e object) bool { return e["status"] == to }) {
		return
	}
	c.expect("entry.updated", r.id, r.version())
	switch {
	case from != "published" && to == "published":
		c.expect("entry.published", r.id, r.version())
	case from == "published" && to != "published":
		c.expect("entry.unpublished", r.id, r.version())
	}
}

func (c *killsClient) remove() {
	i := rand.IntN(len(c.own))
	r := c.own[i]
	got := c.ask(c.key, "DELETE "+r.path(), nil)
	switch got.status {
	case http.StatusNoContent:
	case 0, http.StatusServiceUnavailable:
		c.mu.Lock()
		c.settled++
		c.mu.Unlock()
		if c.sure(c.key, "GET "+r.path()).status == http.StatusOK {
			return
		}
	default:
		c.t.Errorf("delete: %d %s", got.status, got.raw)
		return
	}
	c.own = slices.Delete(c.own, i, i+1)
	c.bin = append(c.bin, r)
	c.mu.Lock()
	r.trashed = true
	c.mu.Unlock()
	c.expect("entry.deleted", r.id, r.version()+1)
	if again := c.sure(c.key, "GET "+r.path()); again.status != http.StatusNotFound {
		c.t.Errorf("deleted, and read: %d", again.status)
	}
}

func (c *killsClient) restore() {
	if len(c.bin) == 0 {
		return
	}
	i := rand.IntN(len(c.bin))
	r := c.bin[i]
	got := c.ask(c.admin, "POST /admin/trash/"+r.id+"/restore", nil)
	if got.status == http.StatusConflict {
		return // another entry has its slug now
	}
	if got.status != 0 && got.status != http.StatusOK && got.status != http.StatusServiceUnavailable {
		c.t.Errorf("restore: %d %s", got.status, got.raw)
		return
	}
	now := c.sure(c.key, "GET "+r.path())
	if got.status != http.StatusOK {
		c.mu.Lock()
		c.settled++
		c.mu.Unlock()
		if now.status == http.StatusNotFound {
			return
		}
	}
	entry := now.object()
	if entry == nil || entry["status"] != r.status() || !reflect.DeepEqual(entry["data"], r.entry["data"]) ||
		entry["slug"] != r.entry["slug"] {
		c.t.Errorf("restored as %s, was %v", now.raw, r.entry)
		return
	}
	c.bin = slices.Delete(c.bin, i, i+1)
	c.mu.Lock()
	r.entry, r.trashed = entry, false
	c.mu.Unlock()
	c.own = append(c.own, r)
	c.expect("entry.updated", r.id, r.version())
	if r.status() == "published" {
		c.expect("entry.published", r.id, r.version())
	}
}

// duplicate sends a unique value that another entry holds.
func (c *killsClient) duplicate() {
	r := c.any()
	body := object{"title": "Second", "data": object{"code": r.data("code"), "body": "second"}}
	if got := c.ask(c.key, "POST /api/v1/"+r.model, body); got.status != http.StatusConflict &&
		got.status != 0 &&
		got.status != http.StatusServiceUnavailable {
		c.t.Errorf("a second entry of one code: %d %s", got.status, got.raw)
	}
	body = object{"title": "Second", "slug": r.entry["slug"],
		"data": object{"code": c.next(), "body": "second"}}
	if got := c.ask(c.key, "POST /api/v1/"+r.model, body); got.status != http.StatusConflict &&
		got.status != 0 &&
		got.status != http.StatusServiceUnavailable {
		c.t.Errorf("a second entry of one slug: %d %s", got.status, got.raw)
	}
}
