package kit

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

// Delivery is one request that a receiver got.
type Delivery struct {
	Path   string
	Header http.Header
	Raw    []byte
	Body   any
	Time   time.Time
}

// Event is what the delivery is about.
func (d Delivery) Event() string { return d.Header.Get("X-Service-Event") }

// ID is the same for all attempts.
func (d Delivery) ID() string { return d.Header.Get("X-Service-Delivery") }

// outOfReach says that the target runs elsewhere (Target.Remote).
var outOfReach atomic.Bool

// Receiver is a webhook's target on loopback. It answers with the given statuses, one per request,
// then with 200.
type Receiver struct {
	URL string

	mu       sync.Mutex
	statuses []int
	got      []Delivery
}

// NewReceiver starts a receiver until the end of the test. It skips the test if the target runs on
// another machine.
func NewReceiver(t *testing.T, statuses ...int) *Receiver {
	t.Helper()
	if outOfReach.Load() {
		t.Skip("the service cannot reach a receiver on this machine")
	}
	r := &Receiver{statuses: statuses}
	server := httptest.NewServer(http.HandlerFunc(r.serve))
	t.Cleanup(server.Close)
	r.URL = server.URL + "/hook"
	return r
}

func (r *Receiver) serve(w http.ResponseWriter, req *http.Request) {
	b, _ := io.ReadAll(req.Body)
	d := Delivery{Path: req.URL.Path, Header: req.Header.Clone(), Raw: b, Time: time.Now()}
	json.Unmarshal(b, &d.Body) // a body that is no JSON fails the checks later
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, d)
	status := http.StatusOK
	if len(r.statuses) > 0 {
		status, r.statuses = r.statuses[0], r.statuses[1:]
	}
	if status >= 300 && status < 400 {
		w.Header().Set("Location", r.URL+"/elsewhere")
	}
	w.WriteHeader(status)
	io.WriteString(w, "answer "+strconv.Itoa(status))
}

// All returns all deliveries so far, or only those of the given kinds.
func (r *Receiver) All(kinds ...string) []Delivery {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []Delivery
	for _, d := range r.got {
		if len(kinds) == 0 || strings.Contains(strings.Join(kinds, " "), d.Event()) {
			out = append(out, d)
		}
	}
	return out
}

// Wait polls until n deliveries have come and returns them.
func (r *Receiver) Wait(t *testing.T, s *Suite, n int, kinds ...string) []Delivery {
	t.Helper()
	s.Eventually(t, strconv.Itoa(n)+" deliveries of "+strings.Join(kinds, ", "),
		func() bool { return len(r.All(kinds...)) >= n })
	return r.All(kinds...)
}

// Check checks a delivery against specification §6.2 and decisions §8.
func (d Delivery) Check(t *testing.T, s *Suite, secret string) {
	t.Helper()
	if want := "sha256=" + hex.EncodeToString(HMAC([]byte(secret), d.Raw)); d.Header.Get("X-Service-Signature") != want {
		t.Errorf("X-Service-Signature %s, want %s", d.Header.Get("X-Service-Signature"), want)
	}
	key := []byte(secret)
	if encoded, ok := strings.CutPrefix(secret, "whsec_"); ok {
		if b, err := base64.StdEncoding.DecodeString(encoded); err == nil {
			key = b
		}
	}
	stamp := d.Header.Get("webhook-timestamp")
	signed := []byte(d.Header.Get("webhook-id") + "." + stamp + "." + string(d.Raw))
	if want := "v1," + base64.StdEncoding.EncodeToString(HMAC(key,
		signed)); !strings.Contains(d.Header.Get("webhook-signature"), want) {
		t.Errorf("webhook-signature %s, want %s", d.Header.Get("webhook-signature"), want)
	}
	if seconds, err := strconv.ParseInt(stamp, 10, 64); err != nil || d.Time.Unix()-seconds > 30 ||
		seconds-d.Time.Unix() > 30 {
		t.Errorf("webhook-timestamp %s at %d", stamp, d.Time.Unix())
	}
	for name, want := range map[string]any{
		"Content-Type": Matches("^application/json"), "User-Agent": Contains("1.0"),
		"X-Service-Delivery": Matches("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"),
		"webhook-id":         d.ID(), "X-Service-Attempt": Matches("^[0-9]+$"),
	} {
		if err := Compare(d.Header.Get(name), want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	d.Has(t, "body", Obj{"event": d.Event(), "occurred_at": Timestamp, "data": Present})
	if err := s.contract.checkEvent(d.Body); err != nil {
		t.Errorf("body: not as the OpenAPI document says: %v\n%s", err, d.Raw)
	}
}

// Has is like Answer.Has, for the body of a delivery.
func (d Delivery) Has(t *testing.T, what string, wanted Obj) {
	t.Helper()
	checkValues(t, what, d.Body, d.Raw, wanted)
}

// HMAC signs a message with SHA-256.
func HMAC(key, message []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(message)
	return h.Sum(nil)
}
