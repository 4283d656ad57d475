package embedded

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// syncKills is how many operations there are between two kills.
const syncKills = 100

// TestSyncAfterKills lets clients make random changes, follows them by sync, and kills the process
// again and again. After each kill the copy that followed, and copies that go on from any of its
// former tokens, equal the lists. Longer:
//
//	SYNC_OPERATIONS=10000 go test -run TestSyncAfterKills -timeout 30m ./pkg/app/embedded
func TestSyncAfterKills(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; make check leaves it out")
	}
	operations := 500
	if s := os.Getenv("SYNC_OPERATIONS"); s != "" {
		var err error
		if operations, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	w := &syncWorld{killsWorld: newKillsWorld(t, killsWait)}
	w.restart()
	w.prepare()
	following := syncCopy{entries: map[string]string{}}
	former := []syncCopy{following.clone()}
	tokens, compared := 0, 0
	for round := range operations / syncKills {
		seen := w.changeAndKill(int64((round+1)*syncKills), &following)
		tokens += len(seen)
		for _, c := range seen { // of all that were seen, some
			if len(former) < 300 {
				former = append(former, c)
			} else {
				former[rand.IntN(len(former))] = c
			}
		}
		want := w.lists()
		again := []*syncCopy{&following}
		for range 3 {
			c := former[rand.IntN(len(former))].clone()
			again = append(again, &c)
		}
		for _, c := range again {
			for !w.page(c) {
			}
			compared++
			if t.Failed() || !maps.Equal(c.entries, want) {
				t.Fatalf("after %d operations and %d kills a copy has\n%v\nthe lists\n%v",
					w.done.Load(), w.kills,
					c.entries, want)
			}
		}
	}
	t.Logf("%d operations, %d kills, %d tokens, %d copies compared, %d entries, answers %v",
		w.done.Load(), w.kills, tokens, compared, len(following.entries), w.answers)
}

// syncWorld is the state that the clients of TestSyncAfterKills share.
type syncWorld struct {
	*killsWorld
	base string       // of the delivery API
	done atomic.Int64 // operations that were answered

	lock sync.Mutex
	made []string // addresses of entries
}

var syncModels = []string{"pages", "plain"}

// prepare makes two models, one of them with translations, and the keys.
func (w *syncWorld) prepare() {
	w.t.Helper()
	w.signIn()
	w.must(201, w.admin, "POST /admin/locales", object{"code": "de", "name": "German"})
	for _, model := range syncModels {
		w.must(201, w.admin, "POST /admin/models", object{"slug": model, "name": model,
			"localized": model == "pages", "fields": []object{{"name": "n", "type": "number"}}})
	}
	made := w.must(201, w.admin, "POST /admin/keys",
		object{"name": "site", "kind": "publishable", "rate_limit": 1_000_000}).object()
	w.base = "/delivery/v1/" + made["public_key"].(string)
}

// changeAndKill makes changes until their number is reached, while a copy follows, and kills the
// process at one of them. It returns the states that the copy went through.
func (w *syncWorld) changeAndKill(until int64, following *syncCopy) (seen []syncCopy) {
	w.t.Helper()
	at := w.done.Load() + rand.Int64N(until-w.done.Load())
	var clients, follower sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for w.done.Load() < until && !w.t.Failed() {
				w.change()
			}
		})
	}
	stop := make(chan struct{})
	follower.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if token := following.token; w.page(following) && following.token != token {
				seen = append(seen, following.clone())
			}
		}
	})
	w.until("the process is to be killed", func() bool { return w.done.Load() >= at })
	w.kill()
	w.restart()
	clients.Wait()
	close(stop)
	follower.Wait()
	return seen
}

// change makes one random change, which may be refused.
func (w *syncWorld) change() {
	at := rand.IntN(10)
	w.lock.Lock()
	address := ""
	if len(w.made) > 0 {
		address = w.made[rand.IntN(len(w.made))]
	}
	w.lock.Unlock()
	entry := "/api/v1" + address
	status := []string{"published", "published", "draft", "archived"}[rand.IntN(4)]
	title := fmt.Sprint("Title ", rand.IntN(30))
	var r reply
	switch {
	case address == "" || at < 2:
		model := syncModels[rand.IntN(2)]
		body := object{"title": title, "status": status, "data": object{"n": rand.IntN(100)}}
		if model == "pages" {
			body["locale"] = []string{"en", "de"}[rand.IntN(2)]
		}
		if r = w.ask(w.key, "POST /api/v1/"+model, body); r.status == http.StatusCreated {
			w.lock.Lock()
			w.made = append(w.made, "/"+model+"/"+r.object()["id"].(string))
			w.lock.Unlock()
		}
	case at < 4:
		r = w.ask(w.key, "DELETE "+entry, nil)
	case at < 6:
		r = w.ask(w.admin, "POST /admin/trash"+address[strings.LastIndex(address, "/"):]+"/restore", nil)
	case at < 7:
		r = w.ask(w.key, "PUT "+entry, object{"locale": []string{"en", "de"}[rand.IntN(2)]})
	case at < 8:
		if r = w.ask(w.key, "PUT "+entry+"/draft", object{"title": title}); r.status == http.StatusOK {
			r = w.ask(w.key, "POST "+entry+"/publish", object{"force": true})
		}
	default:
		r = w.ask(w.key, "PUT "+entry, object{"title": title, "status": status})
	}
	if r.status == 0 { // killed
		time.Sleep(20 * time.Millisecond)
		return
	}
	w.done.Add(1)
}

// syncCopy is what a client of a sync holds: entries as JSON by id, and the token to go on from.
type syncCopy struct {
	token   string
	entries map[string]string
}

func (c *syncCopy) clone() syncCopy { return syncCopy{c.token, maps.Clone(c.entries)} }

// page applies the next page and reports whether it was the last. It changes nothing if there
// is no answer.
func (w *syncWorld) page(c *syncCopy) (complete bool) {
	call := "GET " + w.base + "/sync?per_page=7"
	if c.token != "" {
		call = "GET " + w.base + "/sync?token=" + url.QueryEscape(c.token)
	}
	r := w.ask(http.Header{}, call, nil)
	if r.status == 0 || r.status == http.StatusServiceUnavailable {
		time.Sleep(20 * time.Millisecond)
		return false
	}
	if r.status != http.StatusOK {
		w.t.Errorf("%s: %d %s", call, r.status, r.raw)
		return true
	}
	for _, line := range r.list() {
		line := line.(map[string]any)
		if line["op"] == "delete" {
			delete(c.entries, line["id"].(string))
			continue
		}
		id, text := identified(line["entry"])
		c.entries[id] = text
	}
	c.token = r.json.Meta["next_token"].(string)
	return r.json.Meta["complete"] == true
}

// lists reads all that the delivery API shows.
func (w *syncWorld) lists() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	for _, model := range syncModels {
		total := 0
		for page := 1; page == 1 || len(all) < total; page++ {
			r := w.must(200, http.Header{},
				fmt.Sprintf("GET %s/%s?locale=any&per_page=100&page=%d", w.base, model, page), nil)
			if page == 1 {
				total = len(all) + r.total()
			}
			if len(r.list()) == 0 && len(all) < total {
				w.t.Fatalf("the list of %s ends after %d of %d", model, len(all), total)
			}
			for _, entry := range r.list() {
				id, text := identified(entry)
				all[id] = text
			}
		}
	}
	return all
}

// identified is the id of an entry and its JSON with the keys in order.
func identified(entry any) (id, text string) {
	raw, _ := json.Marshal(entry) // it was read from JSON
	return entry.(map[string]any)["id"].(string), string(raw)
}
