package webhook

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"headless/pkg/must"
)

// fakeDNS is a resolver that asks a name server on loopback. The server answers with the addresses
// that lookup gives for a name, each in the record type that fits, and with NXDOMAIN when there are
// none.
func fakeDNS(t *testing.T, lookup func(name string) []string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	must.Do(t, err)
	t.Cleanup(func() { conn.Close() })
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buf[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			if reply, err := dnsReply(m, lookup); err == nil {
				_, _ = conn.WriteTo(reply, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func dnsReply(m dnsmessage.Message, lookup func(name string) []string) ([]byte, error) {
	q := m.Questions[0]
	m.Response, m.Authoritative, m.RecursionAvailable, m.Additionals = true, true, true, nil
	addrs := lookup(strings.TrimSuffix(q.Name.String(), "."))
	if len(addrs) == 0 {
		m.RCode = dnsmessage.RCodeNameError
	}
	head := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
	for _, raw := range addrs {
		addr := netip.MustParseAddr(raw)
		switch {
		case addr.Is4() && q.Type == dnsmessage.TypeA:
			m.Answers = append(m.Answers,
				dnsmessage.Resource{Header: head, Body: &dnsmessage.AResource{A: addr.As4()}})
		case addr.Is6() && q.Type == dnsmessage.TypeAAAA:
			m.Answers = append(m.Answers,
				dnsmessage.Resource{Header: head, Body: &dnsmessage.AAAAResource{AAAA: addr.As16()}})
		}
	}
	return m.Pack()
}

func TestNames(t *testing.T) {
	var hits atomic.Int64
	srv := receiver(t, func(http.ResponseWriter, *http.Request) { hits.Add(1) })
	u, _ := url.Parse(srv.URL)
	tests := []struct {
		name     string
		addrs    []string
		saved    bool // CheckURL accepts it
		ok       bool
		terminal bool
	}{
		{"loopback", []string{"127.0.0.1"}, true, true, false},
		{"mapped loopback", []string{"::ffff:127.0.0.1"}, true, true, false}, // the dialer makes it 127.0.0.1
		{"unknown", nil, true, false, false},
		{"private", []string{"10.0.0.1"}, false, false, true},
		{"metadata", []string{"169.254.169.254"}, false, false, true},
		{"mapped private", []string{"::ffff:10.0.0.1"}, false, false, true},
		{"NAT64 of loopback", []string{"64:ff9b::7f00:1"}, false, false, true},
		{"unique local", []string{"fd00:ec2::254"}, false, false, true},
		{"several refused", []string{"10.0.0.1", "192.168.0.1", "fe80::1", "fc00::1"}, false, false, true},
		{"mixed", []string{"10.0.0.1", "127.0.0.1", "169.254.169.254"}, false, true, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			opts := Options{Resolver: fakeDNS(t, func(string) []string { return test.addrs })}
			target := "http://receiver.test:" + u.Port() + "/"
			if err := NewClient(insecure, opts).CheckURL(t.Context(), target); (err == nil) != test.saved {
				t.Errorf("CheckURL: %v", err)
			}
			before := hits.Load()
			res := post(t, insecure, opts, target)
			if res.OK() != test.ok || res.Terminal != test.terminal || (res.Err == "") != test.ok {
				t.Errorf("%+v", res)
			}
			if arrived := hits.Load() > before; arrived != test.ok {
				t.Errorf("request arrived: %v", arrived)
			}
			for _, addr := range append(test.addrs, "127.0.0.1") {
				if strings.Contains(res.Err, addr) {
					t.Errorf("the error tells an address: %s", res.Err)
				}
			}
		})
	}
}

// TestLoopbackByName shows that a name for loopback is refused without leave, at the dial and when
// saved.
func TestLoopbackByName(t *testing.T) {
	opts := Options{Resolver: fakeDNS(t, func(string) []string { return []string{"127.0.0.1"} })}
	if res := post(t, Policy{}, opts, "https://receiver.test/"); !res.Terminal {
		t.Errorf("%+v", res)
	}
	if NewClient(Policy{}, opts).CheckURL(t.Context(), "https://receiver.test/") == nil {
		t.Error("saved")
	}
}

// TestOwnAddressByName shows that another name for the service itself is refused too.
func TestOwnAddressByName(t *testing.T) {
	srv := receiver(t, func(http.ResponseWriter, *http.Request) { t.Error("the service called itself") })
	u, _ := url.Parse(srv.URL)
	policy := Policy{AllowInsecure: true, OwnHosts: []string{"localhost:" + u.Port()}}
	opts := Options{Resolver: fakeDNS(t, func(string) []string { return []string{"127.0.0.1"} })}
	target := "http://receiver.test:" + u.Port() + "/"
	if res := post(t, policy, opts, target); !res.Terminal {
		t.Errorf("%+v", res)
	}
	if NewClient(policy, opts).CheckURL(t.Context(), target) == nil {
		t.Error("saved")
	}
}

// TestRebinding shows that a name which changes its address after a good delivery is checked anew.
func TestRebinding(t *testing.T) {
	var hits atomic.Int64
	srv := receiver(t, func(http.ResponseWriter, *http.Request) { hits.Add(1) })
	u, _ := url.Parse(srv.URL)
	var rebound atomic.Bool
	client := NewClient(insecure, Options{Resolver: fakeDNS(t, func(string) []string {
		if rebound.Load() {
			return []string{"169.254.169.254"}
		}
		return []string{"127.0.0.1"}
	})})
	target := Request{URL: "http://receiver.test:" + u.Port() + "/"}
	must.Do(t, client.CheckURL(t.Context(), target.URL))
	if res := client.Post(t.Context(), target); !res.OK() {
		t.Fatalf("%+v", res)
	}
	rebound.Store(true)
	if res := client.Post(t.Context(), target); !res.Terminal || hits.Load() != 1 {
		t.Errorf("%d arrived: %+v", hits.Load(), res)
	}
}
