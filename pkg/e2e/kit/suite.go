package kit

import (
	"cmp"
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

	"headless/pkg/must"
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
	// Soon is the time from now until a change that a scenario plans is due: long enough for the target
	// to answer the requests before it. Default 7 s.
	Soon time.Duration
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
	// BehindCDN says that a CDN asks the delivery API, and answers views by itself.
	BehindCDN bool
	// CountsViews says that views of entries are listed within two minutes.
	CountsViews bool
	// StrictGateway says that a gateway in front of the service has answers of its own to methods that HTTP does
	// not define, and to bodies that are not compressed as they say.
	StrictGateway bool
	// Part is OneThird or TheRest if two targets share the scenarios; "" runs all.
	Part Part
}

// Part is a part of the scenarios.
type Part string

const (
	OneThird Part = "third" // every third scenario
	TheRest  Part = "rest"
)

// Suite is one run on a target.
type Suite struct {
	Target Target
	// HTTP has no cookies and follows no redirect.
	HTTP     *http.Client
	contract *contract
	// OwnAddresses says that scenarios can call from addresses of their own.
	OwnAddresses bool
	// working has an element for each test that is at work. One that polls gives its place to
	// another: see Eventually.
	working chan struct{}

	seen int // scenarios that share has been asked for

	signIn sync.Once
	token  string

	localeOnce sync.Once
	locale     string
}

// Scenario is a top-level subtest that does not depend on others.
type Scenario struct {
	Name string
	Run  func(t *testing.T, s *Suite)
	// Submits says that the scenario submits so many forms that it needs an IP address of its own.
	Submits bool
}

// NewSuite makes the suite that runs on a target.
func NewSuite(t *testing.T, target Target) *Suite {
	t.Helper()
	target.Soon = cmp.Or(target.Soon, 7*time.Second)
	outOfReach.Store(target.Remote)
	s := &Suite{Target: target, contract: newContract(t), HTTP: newHTTP(nil),
		working: make(chan struct{}, 2*runtime.GOMAXPROCS(0))}
	s.OwnAddresses = !target.OneAddress && s.canBind(t)
	return s
}

// RunBeside runs the scenarios of the target's part as subtests that run in parallel.
func (s *Suite) RunBeside(t *testing.T, groups ...[]Scenario) {
	for _, sc := range s.share(groups) {
		if sc.Submits && !s.OwnAddresses {
			t.Logf("%s is left out: all clients share an address", sc.Name)
			continue
		}
		t.Run(sc.Name, func(t *testing.T) {
			s.Parallel(t)
			sc.Run(t, s)
		})
	}
}

// RunInTurn runs the scenarios of the target's part as subtests, one by one.
func (s *Suite) RunInTurn(t *testing.T, groups ...[]Scenario) {
	for _, sc := range s.share(groups) {
		t.Run(sc.Name, func(t *testing.T) {
			s.takePlace(t)
			sc.Run(t, s)
		})
	}
}

// share returns the scenarios of the target's part.
func (s *Suite) share(groups [][]Scenario) (mine []Scenario) {
	for _, sc := range slices.Concat(groups...) {
		if s.seen++; s.Target.Part == "" || (s.seen%3 == 0) == (s.Target.Part == OneThird) {
			mine = append(mine, sc)
		}
	}
	return mine
}

// Parallel lets a test run beside others, when there is a place for it.
func (s *Suite) Parallel(t *testing.T) {
	t.Parallel()
	s.takePlace(t)
}

// takePlace waits for a place, which the test has until its end.
func (s *Suite) takePlace(t *testing.T) {
	s.working <- struct{}{}
	t.Cleanup(func() { <-s.working })
}

// newHTTP makes a client that follows no redirect and, if from is not nil, calls from that IP
// address.
func newHTTP(from net.IP) *http.Client {
	dialer := &net.Dialer{}
	if from != nil {
		dialer.LocalAddr = &net.TCPAddr{IP: from}
	}
	return &http.Client{
		Timeout:       30 * time.Second,
		Transport:     &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 32},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Visitor returns a client without a key. If possible, it calls from an IP address that no other
// scenario uses.
func (s *Suite) Visitor(t *testing.T) *Client {
	c := s.Public()
	if s.OwnAddresses {
		c.HTTP = newHTTP(loopback())
		t.Cleanup(c.HTTP.CloseIdleConnections)
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
func (s *Suite) canBind(t *testing.T) bool {
	root, err := url.Parse(s.Target.BaseURL)
	must.Do(t, err)
	addresses, err := net.LookupIP(root.Hostname())
	if err != nil ||
		!slices.ContainsFunc(addresses, func(ip net.IP) bool { return ip.To4() != nil && ip.IsLoopback() }) {
		return false
	}
	conn, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: loopback()}, Timeout: time.Second}).Dial("tcp4", root.Host)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// Unique returns prefix with a random ending, for slugs and names.
func Unique(prefix string) string {
	var b [5]byte
	rand.Read(b[:])
	return prefix + "-" + hex.EncodeToString(b[:])
}

// patience is how long Eventually polls. Work that follows an answer may wait for that of all scenarios
// before it, on a busy machine for a minute. A scenario that passes goes on at once.
const patience = 3 * time.Minute

// Eventually polls until done returns true, and fails if that takes too long. Meanwhile another scenario
// works. The pauses grow, so that many that wait do not slow down what they wait for.
func (s *Suite) Eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	if done() {
		return
	}
	<-s.working
	defer func() { s.working <- struct{}{} }()
	pause := 25 * time.Millisecond
	for deadline := time.Now().Add(patience); ; pause = min(pause*5/4, time.Second/2) {
		time.Sleep(pause)
		if done() {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %s", what, patience)
		}
	}
}

// Never polls for a short while and fails if happened returns true.
func Never(t *testing.T, what string, happened func() bool) {
	t.Helper()
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(400 * time.Millisecond); time.Now().Before(deadline); <-tick.C {
		if happened() {
			t.Fatal(what)
		}
	}
}

// What JSON is decoded into.
type (
	Obj  = map[string]any
	List = []any
)

// Str is a value as text.
func Str(v any) string { return fmt.Sprint(v) }
