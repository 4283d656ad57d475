// Package e2e is the black-box suite of the service: it knows only the specification and a root
// URL. It runs on the embedded server, on the built functions and on a deployed stack. It may run
// again on the same store, since everything that it makes has a random name. Every request and
// every answer is checked against the OpenAPI documents.
package e2e

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// Target is a running service to be tested. It must allow webhooks to loopback addresses over plain
// HTTP (WEBHOOK_ALLOW_INSECURE), and each step of its WEBHOOK_RETRY_SCHEDULE should be at most a
// second.
type Target struct {
	// BaseURL is the root URL, without a slash at the end; the API is at /api/v1 below it, the
	// admin area at /admin.
	BaseURL string
	// AdminEmail and AdminPassword sign in a user of the role admin.
	AdminEmail, AdminPassword string
	// Wait is how long to poll for what happens after an answer: deliveries, mails, the request
	// log. Default 10 s.
	Wait time.Duration
	// Mail returns all messages that were sent so far, as raw MIME. It is nil if they cannot be
	// read.
	Mail func(t *testing.T) [][]byte
	// OneAddress says that the service sees the same IP address for every client, as behind a
	// proxy. Then the scenarios that submit more than the five forms per minute of one address are
	// skipped. Else each scenario calls from a loopback address of its own.
	OneAddress bool
	// Remote says that the service runs on other machines, which cannot call this one. Then the
	// scenarios that need a receiver of webhooks are skipped.
	Remote bool
	// BehindCDN says that the delivery API is asked by a CDN, which hides the addresses of visitors.
	BehindCDN bool
	// CountsViews says that views of entries are listed within two minutes.
	CountsViews bool
	// StandardMethods says that a gateway in front of the service refuses methods that HTTP does
	// not define, with its own answer.
	StandardMethods bool
	// Part is 1 or 2 to run every second scenario only, from the first or the second on, so that two
	// targets share the work; 0 runs all.
	Part int
}

// suite is one run on a target.
type suite struct {
	target   Target
	contract *contract
	http     *http.Client
	// ownAddresses says that scenarios can call from addresses of their own.
	ownAddresses bool
	// working has an element for each test that is at work. One that polls gives its place to
	// another: see eventually.
	working chan struct{}

	seen int // scenarios that share has been asked for

	signIn sync.Once
	token  string

	localeOnce sync.Once
	locale     string
}

// scenario is a top-level subtest that does not depend on others.
type scenario struct {
	name string
	run  func(t *testing.T, s *suite)
	// submits says that the scenario submits so many forms that it needs an IP address of its own.
	submits bool
}

// Run runs the suite. Scenarios that change things that all share (settings, the default locale)
// run after the others, one by one.
func Run(t *testing.T, target Target) {
	if target.Wait == 0 {
		target.Wait = 10 * time.Second
	}
	outOfReach.Store(target.Remote)
	s := &suite{target: target, contract: newContract(t), http: newHTTP(nil),
		working: make(chan struct{}, 2*runtime.GOMAXPROCS(0))}
	s.ownAddresses = !target.OneAddress && s.canBind(t)
	t.Run("parallel", func(t *testing.T) {
		for _, group := range [][]scenario{
			envelopeScenarios, authScenarios, accessScenarios(), limitScenarios, entryScenarios,
			singleScenarios, fieldScenarios, listScenarios, includeScenarios,
			searchScenarios, mediaScenarios, imageScenarios, formScenarios, formFileScenarios, keyScenarios,
			webhookScenarios, eventScenarios, adminScenarios, trashScenarios,
			draftScenarios, editorScenarios, duplicateScenarios, repairScenarios, translationScenarios,
			deliveryScenarios, syncScenarios, redirectScenarios, mapScenarios,
			documentScenarios, docsScenarios,
			schemaScenarios, importScenarios, mcpScenarios,
			scheduleScenarios, jobScenarios, reviewScenarios,
		} {
			for _, sc := range s.share(group) {
				if sc.submits && !s.ownAddresses {
					t.Logf("%s is left out: all clients share an address", sc.name)
					continue
				}
				t.Run(sc.name, func(t *testing.T) {
					s.parallel(t)
					sc.run(t, s)
				})
			}
		}
	})
	for _, sc := range s.share(slices.Concat(siteScenarios, schemaSiteScenarios)) {
		t.Run(sc.name, func(t *testing.T) {
			s.takePlace(t)
			sc.run(t, s)
		})
	}
}

// share returns the scenarios of the target's part.
func (s *suite) share(group []scenario) (mine []scenario) {
	for _, sc := range group {
		if s.seen++; s.target.Part == 0 || s.seen%2 == s.target.Part%2 {
			mine = append(mine, sc)
		}
	}
	return mine
}

// parallel lets a test run beside others, when there is a place for it.
func (s *suite) parallel(t *testing.T) {
	t.Parallel()
	s.takePlace(t)
}

// takePlace waits for a place, which the test has until its end.
func (s *suite) takePlace(t *testing.T) {
	s.working <- struct{}{}
	t.Cleanup(func() { <-s.working })
}

// newHTTP makes a client that follows no redirect and, if from is not nil, calls from that IP
// address.
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

// visitor returns a client without a key. If possible, it calls from an IP address that no other
// scenario uses.
func (s *suite) visitor(t *testing.T) *client {
	c := s.public()
	if s.ownAddresses {
		c.http = newHTTP(loopback())
		t.Cleanup(c.http.CloseIdleConnections)
	}
	return c
}

// loopback returns a random IPv4 loopback address.
func loopback() net.IP {
	var b [3]byte
	rand.Read(b[:])
	return net.IPv4(127, 1+b[0]%250, b[1], 1+b[2]%250)
}

// canBind reports whether the target is on loopback and this system lets a client call from any
// loopback address.
func (s *suite) canBind(t *testing.T) bool {
	root, err := url.Parse(s.target.BaseURL)
	if err != nil {
		t.Fatal(err)
	}
	addresses, err := net.LookupIP(root.Hostname())
	if err != nil ||
		!slices.ContainsFunc(addresses, func(ip net.IP) bool { return ip.To4() != nil && ip.IsLoopback() }) {
		return false
	}
	conn, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: loopback()},
		Timeout: time.Second}).Dial("tcp4", root.Host)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// unique returns prefix with a random ending, for slugs and names.
func unique(prefix string) string {
	var b [5]byte
	rand.Read(b[:])
	return prefix + "-" + hex.EncodeToString(b[:])
}

// eventually polls until done returns true, and fails if that takes longer than the target's wait.
// Meanwhile another scenario works. The pauses grow, so that many that wait do not slow down what
// they wait for.
func (s *suite) eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	if done() {
		return
	}
	<-s.working
	defer func() { s.working <- struct{}{} }()
	pause := 25 * time.Millisecond
	for deadline := time.Now().Add(s.target.Wait); ; pause = min(pause*5/4, time.Second/2) {
		time.Sleep(pause)
		if done() {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %s", what, s.target.Wait)
		}
	}
}

// never polls for a short while and fails if happened returns true.
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
