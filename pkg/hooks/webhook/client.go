package webhook

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	defaultTimeout    = 15 * time.Second
	maxAnswerHeader   = 64 << 10
	maxAnswerRead     = 16 << 10
	maxAnswerKept     = 4 << 10
	maxAnswerBuffered = 64 << 10 // buffered by the operating system before it is read
	lookupTimeout     = 2 * time.Second
)

// Client sends requests to URLs that users chose, and prevents requests into the service's own
// network: it checks IP addresses after DNS at every connection, keeps no connection, follows no
// redirect, uses no proxy and does not decompress. It is safe for concurrent use.
type Client struct {
	policy    Policy
	timeout   time.Duration
	resolver  *net.Resolver
	transport *http.Transport
}

// Options holds settings for tests. The zero value is for production.
type Options struct {
	Timeout  time.Duration  // of a whole attempt, the answer's body included; 15 s when zero
	Resolver *net.Resolver  // the system's when nil
	RootCAs  *x509.CertPool // the system's when nil
}

// NewClient returns a client that obeys policy.
func NewClient(policy Policy, opts Options) *Client {
	c := &Client{policy: policy, timeout: opts.Timeout, resolver: opts.Resolver}
	c.timeout = cmp.Or(c.timeout, defaultTimeout)
	c.resolver = cmp.Or(c.resolver, net.DefaultResolver)
	c.transport = &http.Transport{
		Proxy:       nil, // on purpose: a proxy would resolve the host name, so we could not check the address
		DialContext: c.dial,
		// A kept connection would survive a change of DNS without a new check of the address.
		DisableKeepAlives:      true,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxAnswerHeader,
		TLSHandshakeTimeout:    c.timeout,
		TLSClientConfig:        &tls.Config{RootCAs: opts.RootCAs, MinVersion: tls.VersionTLS12},
	}
	return c
}

// Request is an HTTP POST to send.
type Request struct {
	URL    string
	Header http.Header
	Body   []byte
}

// Result is the result of an attempt.
type Result struct {
	Code       int           // the answer's status, 0 when there was none
	Body       string        // the answer's first 4 KiB, as valid UTF-8
	Latency    time.Duration // from the start of the attempt to its end
	Err        string        // why the answer is missing or incomplete, else ""; safe to show
	RetryAfter string        // the answer's header, unchanged
	Terminal   bool          // the URL or its IP address is refused, so a retry is useless
	// The time was up before the answer, or the part of it that we read, arrived.
	Timeout bool
}

// OK reports whether the event is delivered: any 2xx. An incomplete body does not matter, since the
// receiver has answered. But a body that does not arrive in time makes the attempt fail, since it
// counts towards the 15 s.
func (r Result) OK() bool { return r.Code >= 200 && r.Code <= 299 && !r.Timeout }

// Gone reports whether the receiver wants no more events (410).
func (r Result) Gone() bool { return r.Code == http.StatusGone }

// Post makes one attempt. An earlier deadline of ctx shortens it and counts as a timeout; when ctx
// is canceled, the attempt ends without an answer and says nothing about the receiver.
func (c *Client) Post(ctx context.Context, r Request) Result {
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	res := c.post(ctx, r)
	res.Latency = time.Since(start)
	return res
}

func (c *Client) post(ctx context.Context, r Request) Result {
	to, err := parseTarget(r.URL, c.policy)
	if err != nil {
		return Result{Terminal: true, Err: "The URL " + err.Error() + "."}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to.url.String(), bytes.NewReader(r.Body))
	if err != nil {
		return Result{Terminal: true, Err: "The URL is not valid."}
	}
	maps.Copy(req.Header, r.Header)
	// The transport itself, not http.Client: nothing here may follow a redirect, keep a cookie or
	// add credentials.
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		return failure(ctx, err)
	}
	defer resp.Body.Close()
	res := Result{Code: resp.StatusCode, RetryAfter: resp.Header.Get("Retry-After")}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswerRead))
	res.Body = readable(body)
	if err != nil {
		broken := failure(ctx, err)
		res.Err, res.Timeout = broken.Err, broken.Timeout
	}
	return res
}

// readable returns the start of a body as valid UTF-8, cut between characters.
func readable(body []byte) string {
	s := strings.ToValidUTF8(string(body), string(utf8.RuneError))
	if len(s) <= maxAnswerKept {
		return s
	}
	end := maxAnswerKept
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// dial connects to a host. It checks each IP address before it is tried, and returns errRefused if
// all addresses of the host are refused.
func (c *Client) dial(ctx context.Context, network, hostport string) (net.Conn, error) {
	guard := &dialGuard{policy: c.policy}
	dialer := net.Dialer{Timeout: c.timeout, Resolver: c.resolver, ControlContext: guard.control}
	conn, err := dialer.DialContext(ctx, network, hostport)
	if err != nil && guard.onlyRefusals() {
		return nil, errRefused
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetReadBuffer(maxAnswerBuffered) // a larger buffer would only receive more of a flood
	}
	return conn, err
}

// CheckURL checks the URL of a subscription before it is saved. It has the rules of ValidateURL and resolves
// the host name: one refused IP address is enough to refuse the name. A name that does not resolve
// within 2 s is accepted. The error's text may be shown to the user.
func (c *Client) CheckURL(ctx context.Context, raw string) error {
	to, err := parseTarget(raw, c.policy)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	addrs, err := c.resolver.LookupNetIP(ctx, "ip", to.host)
	if err != nil {
		return nil
	}
	port, _ := portOf(to.url)
	for _, addr := range addrs {
		if !c.policy.mayConnect(netip.AddrPortFrom(addr.Unmap(), port)) {
			return errors.New(refusedText)
		}
	}
	return nil
}
