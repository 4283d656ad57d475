package web

import (
	"context"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"headless/pkg/cms"
)

// Proxies defines which proxies may tell the IP address of a visitor. The zero value trusts none:
// the address is that of the connection.
type Proxies struct {
	// Trusted are the networks of the site's own proxies. Their X-Forwarded-For is read from the
	// right, and the first address outside these networks is the visitor's.
	Trusted []netip.Prefix
	// Secrets are the accepted values of X-Origin-Verify from the CDN; there are two while the
	// secret is changed. If there are any, a request without one has bypassed the CDN and is
	// refused. Requests with one have the visitor's address in X-Viewer-Address.
	Secrets []string
	// Host is the public host name, since requests of the CDN have the host name of its origin.
	Host string
}

// The headers that the CDN sets and overwrites.
const (
	originVerify  = "X-Origin-Verify"
	viewerAddress = "X-Viewer-Address"
)

// ParseProxies reads a comma-separated list of networks (CIDR) or single addresses.
func ParseProxies(list string) ([]netip.Prefix, error) {
	var networks []netip.Prefix
	for _, word := range strings.Split(list, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		network, err := netip.ParsePrefix(word)
		if err != nil {
			addr, addrErr := netip.ParseAddr(word)
			if addrErr != nil {
				return nil, fmt.Errorf("%q is neither a network such as 10.0.0.0/8 nor an IP address", word)
			}
			network = netip.PrefixFrom(addr, addr.BitLen())
		}
		networks = append(networks, network.Masked())
	}
	return networks, nil
}

// Handler calls next with the visitor's address in RemoteAddr.
func (p Proxies) Handler(next http.Handler) http.Handler {
	if len(p.Trusted) == 0 && len(p.Secrets) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		visitor := netip.Addr{}
		switch {
		case len(p.Secrets) == 0:
			visitor = p.visitor(r)
		case p.fromCDN(r):
			r.Host, visitor = p.Host, hostAddr(r.Header.Get(viewerAddress))
			if !visitor.IsValid() {
				r = r.WithContext(context.WithValue(r.Context(), hiddenVisitor{}, true))
			}
			r.Header.Del(originVerify)
		default:
			x := NewExchange(w, r)
			x.Refuse(nil, errDirect)
			return
		}
		if visitor.IsValid() {
			r.RemoteAddr = net.JoinHostPort(visitor.String(), "0")
		}
		next.ServeHTTP(w, r)
	})
}

// fromCDN reports whether a request has one of the secrets.
func (p Proxies) fromCDN(r *http.Request) bool {
	sent, known := []byte(r.Header.Get(originVerify)), 0
	for _, secret := range p.Secrets {
		known |= subtle.ConstantTimeCompare(sent, []byte(secret))
	}
	return known == 1
}

// errDirect is the error for a request that has bypassed the CDN.
var errDirect = cms.Errorf(cms.CodeForbidden, "This URL is not public. Use the public URL of the service.")

// visitor returns the address that a trusted proxy names, or an invalid one if there is none.
func (p Proxies) visitor(r *http.Request) netip.Addr {
	peer := hostAddr(r.RemoteAddr)
	if !p.trusts(peer) {
		return netip.Addr{}
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop := hostAddr(strings.TrimSpace(hops[i]))
		if !hop.IsValid() {
			return peer // addresses to the left of a malformed one cannot be trusted
		}
		if !p.trusts(hop) {
			return hop
		}
		peer = hop
	}
	return peer
}

// Trusts reports whether an address belongs to a trusted proxy.
func (p Proxies) Trusts(address string) bool { return p.trusts(hostAddr(address)) }

func (p Proxies) trusts(addr netip.Addr) bool {
	return addr.IsValid() &&
		slices.ContainsFunc(p.Trusted, func(network netip.Prefix) bool { return network.Contains(addr) })
}

// hostAddr parses an address with an optional port; IPv6 with a port has brackets.
func hostAddr(s string) netip.Addr {
	if addr, err := netip.ParseAddr(strings.Trim(s, "[]")); err == nil {
		return addr.Unmap()
	}
	both, _ := netip.ParseAddrPort(s)
	return both.Addr().Unmap()
}

type hiddenVisitor struct{}

// VisitorIsHidden reports whether a CDN asks for many visitors, without the address of any: its
// answer is cached for all of them. RemoteAddr is then an address of the CDN.
func VisitorIsHidden(r *http.Request) bool { return r.Context().Value(hiddenVisitor{}) != nil }
