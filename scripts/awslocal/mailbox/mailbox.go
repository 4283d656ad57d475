// Package mailbox is a proxy in front of an emulator of SES. It keeps the mails that the emulator
// accepts, so that tests can read them often: moto shows its mails only with all else that it holds.
package mailbox

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
)

// Path is the path of the accepted mails: a JSON array of messages in base64.
const Path = "/_awslocal/mail"

// Mailbox forwards the requests of SES clients.
type Mailbox struct {
	next *httputil.ReverseProxy

	mu    sync.Mutex
	mails [][]byte
}

// New returns a mailbox in front of the SES at target.
func New(target string) (*Mailbox, error) {
	u, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	next := httputil.NewSingleHostReverseProxy(u)
	next.ErrorLog = log.New(io.Discard, "", 0) // functions cancel requests that they no longer need
	return &Mailbox{next: next}, nil
}

// ServeHTTP serves the mails at Path, and sends all other requests to the emulator.
func (m *Mailbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == Path {
		m.mu.Lock()
		defer m.mu.Unlock()
		json.NewEncoder(w).Encode(m.mails)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	answer := &status{ResponseWriter: w}
	m.next.ServeHTTP(answer, r)
	if answer.code == http.StatusOK && strings.HasSuffix(r.URL.Path, "/outbound-emails") {
		m.keepMessage(body)
	}
}

// keepMessage adds the message of a request to send it.
func (m *Mailbox) keepMessage(body []byte) {
	var sent struct {
		Content struct{ Raw struct{ Data []byte } }
	}
	if json.Unmarshal(body, &sent) != nil {
		return // the emulator accepted it in another format
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mails = append(m.mails, sent.Content.Raw.Data)
}

// status is a response that remembers its status.
type status struct {
	http.ResponseWriter
	code int
}

func (s *status) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code)
}
