package embedded

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

const receiverSecret = "the secret of all receivers"

// receivers are the targets of the webhooks. They outlive the server.
type receivers struct {
	url   string
	mu    sync.Mutex
	byURL map[string]*receiverHook
	wrong []string // what no delivery may be
}

// receiverHook is one of them.
type receiverHook struct {
	id, model string
	events    []string
	answer    func(w http.ResponseWriter, r *http.Request, attempts int)
	ids       map[string]map[string]bool // ids of deliveries by event
	attempts  map[string]int             // by id of the delivery
	accepted  map[string]bool            // ids of deliveries that were answered with success
}

func newReceivers() *receivers {
	ok := func(http.ResponseWriter, *http.Request, int) {}
	hook := func(model string, answer func(http.ResponseWriter, *http.Request, int),
		events ...string) *receiverHook {
		return &receiverHook{model: model, events: events, answer: answer, ids: map[string]map[string]bool{},
			attempts: map[string]int{}, accepted: map[string]bool{}}
	}
	return &receivers{byURL: map[string]*receiverHook{
		"/good": hook("", ok, "*"),
		"/flaky": hook("", func(w http.ResponseWriter, _ *http.Request, attempts int) {
			if attempts == 1 && rand.IntN(20) == 0 {
				w.WriteHeader(http.StatusInternalServerError)
			}
		}, "entry.*"),
		"/slow": hook("things", func(http.ResponseWriter, *http.Request, int) {
			time.Sleep(rand.N(600 * time.Millisecond)) // as a slow receiver does
		}, "entry.*"),
		"/hang": hook("things", func(_ http.ResponseWriter, r *http.Request, _ int) {
			<-r.Context().Done()
		}, "entry.*"),
	}}
}

func (r *receivers) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	raw, err := io.ReadAll(req.Body)
	hook := r.byURL[req.URL.Path]
	if err != nil || hook == nil {
		return // the sender was killed
	}
	mac := hmac.New(sha256.New, []byte(receiverSecret))
	mac.Write(raw)
	var body struct {
		Event   string
		Version int
		Data    struct {
			ID        string
			Version   int
			ModelSlug string `json:"model_slug"`
		}
	}
	err = json.Unmarshal(raw, &body)
	id := req.Header.Get("X-Service-Delivery")
	// Events of the configuration have no id: each delivery is about another change.
	key := eventKey(body.Event, cmp.Or(body.Data.ID, id), body.Version)
	r.mu.Lock()
	if want := "sha256=" + hex.EncodeToString(mac.Sum(nil)); err != nil || id == "" ||
		req.Header.Get("X-Service-Signature") != want || req.Header.Get("X-Service-Event") != body.Event ||
		hook.model != "" && hook.model != body.Data.ModelSlug {
		r.wrong = append(r.wrong, fmt.Sprintf("%s: %v %v %s", req.URL.Path, err, req.Header, raw))
	}
	if hook.ids[key] == nil {
		hook.ids[key] = map[string]bool{}
	}
	hook.ids[key][id] = true
	hook.attempts[id]++
	attempts := hook.attempts[id]
	r.mu.Unlock()
	record := &statusOf{ResponseWriter: w, status: http.StatusOK}
	hook.answer(record, req, attempts)
	if record.status == http.StatusOK {
		r.mu.Lock()
		hook.accepted[id] = true
		r.mu.Unlock()
	}
}

type statusOf struct {
	http.ResponseWriter
	status int
}

func (s *statusOf) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// missing are the wanted events that a receiver has not taken yet.
func (r *receivers) missing(path string, wanted map[string]bool) (missing []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	hook := r.byURL[path]
	for key := range wanted {
		taken := false
		for id := range hook.ids[key] {
			taken = taken || hook.accepted[id]
		}
		if !taken {
			missing = append(missing, key)
		}
	}
	return missing
}
