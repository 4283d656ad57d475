// Package e2e is the black-box suite of the service: it knows the specification and a root address, nothing else. It runs on
// the embedded server, on the built functions and on a deployed stack alike, and may run again on the same store: all that it
// makes has a random name. Every request and every answer is checked against the OpenAPI documents.
package e2e

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Target is a running service to be tested. It must allow webhooks to loopback addresses over plain HTTP
// (WEBHOOK_ALLOW_INSECURE), and its WEBHOOK_RETRY_SCHEDULE should be of a second or less a step.
type Target struct {
	// BaseURL is the root address, without a slash at the end; the API is at /api/v1 below it, the admin area at /admin.
	BaseURL string
	// AdminEmail and AdminPassword sign in a user of the role admin.
	AdminEmail, AdminPassword string
	// Wait is how long to poll for what happens after an answer: deliveries, mails, the request log. Default 10 s.
	Wait time.Duration
	// Mail gives every message that was sent so far, as raw MIME; nil when they cannot be read.
	Mail func(t *testing.T) [][]byte
	// OneAddress says that the service sees every client at one address, as behind a proxy. Else each
	// scenario that submits forms calls from a loopback address of its own, so that they do not share the limit.
	OneAddress bool
}

// suite is one run on a target.
type suite struct {
	target   Target
	contract *contract
	http     *http.Client
	hosts    atomic.Int32

	signIn sync.Once
	token  string

	localeOnce sync.Once
	locale     string
}

// scenario is a top-level subtest that needs nothing from any other.
type scenario struct {
	name string
	run  func(t *testing.T, s *suite)
}

// Run runs the suite. Scenarios that change what all share (settings, the default locale) run after the others, one by one.
func Run(t *testing.T, target Target) {
	if target.Wait == 0 {
		target.Wait = 10 * time.Second
	}
	s := &suite{target: target, contract: newContract(t), http: newHTTP(nil)}
	t.Run("parallel", func(t *testing.T) {
		for _, group := range [][]scenario{
			envelopeScenarios, authScenarios, limitScenarios, entryScenarios, singleScenarios, fieldScenarios, listScenarios, includeScenarios,
			searchScenarios, mediaScenarios, formScenarios, keyScenarios, webhookScenarios, eventScenarios, adminScenarios, trashScenarios,
		} {
			for _, sc := range group {
				t.Run(sc.name, func(t *testing.T) {
					t.Parallel()
					sc.run(t, s)
				})
			}
		}
	})
	for _, sc := range siteScenarios {
		t.Run(sc.name, func(t *testing.T) { sc.run(t, s) })
	}
}

// newHTTP makes a client that follows no redirect and, when from is given, calls from that address.
func newHTTP(from net.IP) *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second}
	if from != nil {
		dialer.LocalAddr = &net.TCPAddr{IP: from}
	}
	return &http.Client{
		Timeout:       30 * time.Second,
		Transport:     &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 32},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// visitor is a client without a key; on loopback it has an address that no other scenario uses.
func (s *suite) visitor(t *testing.T) *client {
	c := s.public()
	root, err := url.Parse(s.target.BaseURL)
	if err != nil {
		t.Fatal(err)
	}
	if ip := net.ParseIP(root.Hostname()); !s.target.OneAddress && ip != nil && ip.To4() != nil && ip.IsLoopback() {
		var b [2]byte
		rand.Read(b[:])
		c.http = newHTTP(net.IPv4(127, b[0], b[1], byte(2+s.hosts.Add(1)%250)))
		t.Cleanup(c.http.CloseIdleConnections)
	}
	return c
}

// unique is prefix with a random ending, fit for slugs and names.
func unique(prefix string) string {
	var b [5]byte
	rand.Read(b[:])
	return prefix + "-" + hex.EncodeToString(b[:])
}

// eventually polls until done says so, and fails when that takes longer than the target's wait.
func (s *suite) eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(s.target.Wait); !done(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %s", what, s.target.Wait)
		}
	}
}

// never polls for a short while and fails when the thing happens.
func never(t *testing.T, what string, happened func() bool) {
	t.Helper()
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(400 * time.Millisecond); time.Now().Before(deadline); <-tick.C {
		if happened() {
			t.Fatal(what)
		}
	}
}

type (
	obj  = map[string]any
	list = []any
)

func str(v any) string { return fmt.Sprint(v) }
