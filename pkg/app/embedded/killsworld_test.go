package embedded

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/must"
)

type object = map[string]any

// killsWorld is the state that the clients of TestKills share.
type killsWorld struct {
	t            *testing.T
	wait         time.Duration
	url, port    string
	dir          string
	server       *exec.Cmd
	log          lines
	http         *http.Client
	kills        int
	slowestStart time.Duration
	admin        http.Header
	key          http.Header // role admin, all scopes
	public       http.Header // reads only
	receivers    *receivers

	mu      sync.Mutex
	records map[string]*record // by id
	taken   map[string]string  // unique codes and their entries
	events  map[string]bool    // that must arrive
	files   map[string][]byte  // by id
	mails   map[string]bool    // the texts of the sent mails
	answers map[int]int
	settled int
	serial  int
}

func newKillsWorld(t *testing.T, wait time.Duration) *killsWorld {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	listener.Close() // for the server
	w := &killsWorld{
		t: t, wait: wait, port: port, url: "http://127.0.0.1:" + port, dir: os.Getenv("KILLS_DATA"),
		http: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{
			MaxIdleConnsPerHost: 128}},
		records: map[string]*record{}, taken: map[string]string{}, events: map[string]bool{},
		files: map[string][]byte{}, mails: map[string]bool{}, answers: map[int]int{},
	}
	if w.dir == "" {
		w.dir = t.TempDir()
	}
	t.Cleanup(func() {
		if w.server != nil {
			w.server.Process.Kill()
			w.server.Wait()
		}
	})
	w.receivers = newReceivers()
	server := httptest.NewServer(w.receivers)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	w.receivers.url = server.URL
	return w
}

// reply is an answer of the service. Status 0: there was none.
type reply struct {
	status int
	raw    []byte
	json   struct {
		Data  any            `json:"data"`
		Meta  map[string]any `json:"meta"`
		Error *struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
}

func (r reply) object() object {
	o, _ := r.json.Data.(map[string]any)
	return o
}

func (r reply) list() []any {
	l, _ := r.json.Data.([]any)
	return l
}

func (r reply) total() int {
	n, ok := r.json.Meta["total"].(float64)
	if !ok {
		return -1
	}
	return int(n)
}

// ask sends one request, given as "METHOD /path".
func (w *killsWorld) ask(header http.Header, call string, body any) reply {
	return w.askUntil(context.Background(), header, call, body)
}

// hangUp makes a request and closes the connection within a few milliseconds.
func (w *killsWorld) hangUp(header http.Header, call string, body any) {
	ctx, cancel := context.WithTimeout(context.Background(), rand.N(8*time.Millisecond))
	defer cancel()
	w.askUntil(ctx, header, call, body)
}

// askUntil is like ask, but closes the connection when ctx ends.
func (w *killsWorld) askUntil(ctx context.Context, header http.Header, call string, body any) reply {
	var sent []byte
	contentType := "application/json"
	switch b := body.(type) {
	case nil:
		contentType = ""
	case form:
		sent, contentType = b.bytes, b.contentType
	default:
		sent, _ = json.Marshal(b) // never fails
	}
	method, path, _ := strings.Cut(call, " ")
	req, err := http.NewRequestWithContext(ctx, method, w.url+path, bytes.NewReader(sent))
	if err != nil {
		panic(err)
	}
	req.Header = header.Clone()
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := w.http.Do(req)
	if err != nil {
		return reply{}
	}
	defer resp.Body.Close()
	r := reply{status: resp.StatusCode}
	if r.raw, err = io.ReadAll(resp.Body); err != nil {
		return reply{}
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(r.raw, &r.json); err != nil {
			w.t.Errorf("%s: %d with half an answer: %.300s", call, r.status, r.raw)
		}
	}
	w.mu.Lock()
	w.answers[r.status]++
	w.mu.Unlock()
	if r.status == http.StatusInternalServerError || r.status == http.StatusTooManyRequests {
		w.t.Errorf("%s: %d %s", call, r.status, r.raw)
	}
	return r
}

// form is a body that is sent as it is.
type form struct {
	contentType string
	bytes       []byte
}

// sure repeats a read until there is an answer.
func (w *killsWorld) sure(header http.Header, call string) (r reply) {
	for deadline := time.Now().Add(w.wait); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if r = w.ask(header, call, nil); r.status != 0 && r.status < 500 {
			return r
		}
	}
	w.t.Errorf("%s: no answer, the last one %d %s", call, r.status, r.raw)
	return r
}

// must sends a request while nothing is killed.
func (w *killsWorld) must(status int, header http.Header, call string, body any) reply {
	w.t.Helper()
	r := w.ask(header, call, body)
	if r.status != status {
		w.t.Fatalf("%s: %d, want %d: %s\n%s", call, r.status, status, r.raw, w.log.tail())
	}
	return r
}

// signIn gives the requests to the admin area a session and those to the API a key that may write.
func (w *killsWorld) signIn() {
	w.t.Helper()
	w.admin = http.Header{"Accept": {"application/json"}}
	token := w.must(200, w.admin, "POST /admin/login", object{"email": killsEmail, "password": killsPassword})
	w.admin.Set("Authorization", "Bearer "+token.object()["token"].(string))
	w.key = w.newKey(object{"name": "writer", "scopes": []string{"read", "write", "delete"},
		"role": "admin", "rate_limit": 1_000_000})
}

// newKey makes an API key and returns its headers.
func (w *killsWorld) newKey(body object) http.Header {
	w.t.Helper()
	made := w.must(201, w.admin, "POST /admin/keys", body).object()
	return http.Header{"X-Api-Key": {made["public_key"].(string)},
		"X-Api-Secret": {made["secret"].(string)}}
}

// prepare makes the models, keys, form and webhooks.
func (w *killsWorld) prepare() {
	w.t.Helper()
	w.signIn()
	for _, model := range []string{"notes", "things"} {
		w.must(201, w.admin, "POST /admin/models", object{"slug": model, "name": model, "fields": []object{
			{"name": "code", "type": "text", "required": true, "unique": true, "max": 100},
			{"name": "owner", "type": "text", "max": 100},
			{"name": "n", "type": "number"},
			{"name": "body", "type": "textarea", "searchable": true},
		}})
	}
	w.public = w.newKey(object{"name": "reader", "scopes": []string{"read"}, "rate_limit": 1_000_000})
	w.must(201, w.admin, "POST /admin/forms", object{"name": "Contact", "slug": "contact",
		"notify_emails": []string{"a@example.com", "b@example.com"},
		"fields":        []object{{"name": "text", "label": "Text", "type": "text", "required": true}}})
	for path, hook := range w.receivers.byURL {
		body := object{"name": path, "url": w.receivers.url + path, "secret": receiverSecret,
			"events": hook.events}
		if hook.model != "" {
			body["models"] = []string{hook.model}
		}
		hook.id = w.must(201, w.admin, "POST /admin/webhooks", body).object()["id"].(string)
	}
}

// next is a word that nothing else holds.
func (w *killsWorld) next() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.serial++
	return fmt.Sprintf("q%dx", w.serial)
}

// expect notes an event that must arrive.
func (w *killsWorld) expect(event, id string, version int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events[eventKey(event, id, version)] = true
}

func eventKey(event, id string, version int) string {
	return fmt.Sprintf("%s %s %d", event, id, version)
}

// entries are those in the trash, or the others.
func (w *killsWorld) entries(trashed bool) (found []*record) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.records {
		if r.trashed == trashed {
			found = append(found, r)
		}
	}
	return found
}

func (w *killsWorld) live() []*record    { return w.entries(false) }
func (w *killsWorld) trashed() []*record { return w.entries(true) }
