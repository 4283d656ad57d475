package e2e

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// delivery is one request that a receiver got.
type delivery struct {
	path   string
	header http.Header
	raw    []byte
	body   any
	time   time.Time
}

func (d delivery) event() string { return d.header.Get("X-Service-Event") }

func (d delivery) id() string { return d.header.Get("X-Service-Delivery") }

// outOfReach says that the target runs elsewhere (Target.Remote).
var outOfReach atomic.Bool

// receiver is a webhook's target on loopback. It answers with the given statuses, one per request,
// then with 200.
type receiver struct {
	url string

	mu       sync.Mutex
	statuses []int
	got      []delivery
}

func newReceiver(t *testing.T, statuses ...int) *receiver {
	t.Helper()
	if outOfReach.Load() {
		t.Skip("the service cannot reach a receiver on this machine")
	}
	r := &receiver{statuses: statuses}
	server := httptest.NewServer(http.HandlerFunc(r.serve))
	t.Cleanup(server.Close)
	r.url = server.URL + "/hook"
	return r
}

func (r *receiver) serve(w http.ResponseWriter, req *http.Request) {
	b, _ := io.ReadAll(req.Body)
	d := delivery{path: req.URL.Path, header: req.Header.Clone(), raw: b, time: time.Now()}
	json.Unmarshal(b, &d.body) // a body that is no JSON fails the checks later
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, d)
	status := http.StatusOK
	if len(r.statuses) > 0 {
		status, r.statuses = r.statuses[0], r.statuses[1:]
	}
	if status >= 300 && status < 400 {
		w.Header().Set("Location", r.url+"/elsewhere")
	}
	w.WriteHeader(status)
	io.WriteString(w, "answer "+strconv.Itoa(status))
}

// all returns all deliveries so far, or only those of the given kinds.
func (r *receiver) all(kinds ...string) []delivery {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []delivery
	for _, d := range r.got {
		if len(kinds) == 0 || strings.Contains(strings.Join(kinds, " "), d.event()) {
			out = append(out, d)
		}
	}
	return out
}

// wait polls until n deliveries have come and returns them.
func (r *receiver) wait(t *testing.T, s *suite, n int, kinds ...string) []delivery {
	t.Helper()
	s.eventually(t, strconv.Itoa(n)+" deliveries of "+strings.Join(kinds, ", "),
		func() bool { return len(r.all(kinds...)) >= n })
	return r.all(kinds...)
}

// check checks a delivery against specification §6.2 and decisions §8.
func (d delivery) check(t *testing.T, s *suite, secret string) {
	t.Helper()
	if want := "sha256=" + hex.EncodeToString(mac([]byte(secret), d.raw)); d.header.Get("X-Service-Signature") != want {
		t.Errorf("X-Service-Signature %s, want %s", d.header.Get("X-Service-Signature"), want)
	}
	key := []byte(secret)
	if encoded, ok := strings.CutPrefix(secret, "whsec_"); ok {
		if b, err := base64.StdEncoding.DecodeString(encoded); err == nil {
			key = b
		}
	}
	stamp := d.header.Get("webhook-timestamp")
	signed := []byte(d.header.Get("webhook-id") + "." + stamp + "." + string(d.raw))
	if want := "v1," + base64.StdEncoding.EncodeToString(mac(key, signed)); !strings.Contains(d.header.Get("webhook-signature"),
		want) {
		t.Errorf("webhook-signature %s, want %s", d.header.Get("webhook-signature"), want)
	}
	if seconds, err := strconv.ParseInt(stamp, 10, 64); err != nil || d.time.Unix()-seconds > 30 ||
		seconds-d.time.Unix() > 30 {
		t.Errorf("webhook-timestamp %s at %d", stamp, d.time.Unix())
	}
	for name, want := range map[string]any{
		"Content-Type": matches("^application/json"), "User-Agent": contains("1.0"),
		"X-Service-Delivery": matches("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"),
		"webhook-id":         d.id(), "X-Service-Attempt": matches("^[0-9]+$"),
	} {
		if err := compare(d.header.Get(name), want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for path, want := range map[string]any{"event": d.event(), "occurred_at": timestamp, "data": present} {
		if err := compare(dig(d.body, path), want); err != nil {
			t.Errorf("body: %s: %v\n%s", path, err, d.raw)
		}
	}
	if err := s.contract.checkEvent(d.body); err != nil {
		t.Errorf("body: not as the OpenAPI document says: %v\n%s", err, d.raw)
	}
}

func mac(key, message []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(message)
	return h.Sum(nil)
}
