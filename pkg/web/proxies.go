package web

import (
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"headless/pkg/cms"
)

// Proxies says whose word about a visitor's address counts. The zero value trusts nobody: the
// address is the connection's.
type Proxies struct {
	// Trusted are the networks of the site's own proxies. Their X-Forwarded-For is read from the
	// right, and the first address outside these networks is the visitor's.
	Trusted []netip.Prefix
	// Secrets are what the CDN before the whole service may send in X-Origin-Verify: two of them
	// while one is changed. Where there are any, a request without one went round the CDN and is
	// refused. The others carry the visitor in X-Viewer-Address.
	Secrets []string
	// Host is what visitors ask for, since requests of the CDN have that of its origin.
	Host string
}

// The headers that the CDN sets, whatever the visitor sends.
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
				return nil, fmt.Errorf("%q is neither a network such as 10.0.0.0/8 nor an address", word)
			}
			network = netip.PrefixFrom(addr, addr.BitLen())
		}
		networks = append(networks, network.Masked())
	}
	return networks, nil
}

// Handler passes requests on with the visitor's address in RemoteAddr.
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
			r.Header.Del(originVerify)
		default:
			refuseDirect(w, r)
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

// refuseDirect answers a request that went round the CDN.
func refuseDirect(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Request-Id", RequestID(r))
	w.WriteHeader(http.StatusForbidden)
	_, _ = w.Write(ErrorEnvelope(cms.Errorf(cms.CodeForbidden,
		"The service does not answer at this address."))) // who is gone needs no answer
}

// visitor is the address that a trusted proxy names, invalid where no trusted proxy does.
func (p Proxies) visitor(r *http.Request) netip.Addr {
	peer := hostAddr(r.RemoteAddr)
	if !p.trusts(peer) {
		return netip.Addr{}
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop := hostAddr(strings.TrimSpace(hops[i]))
		if !hop.IsValid() {
			return peer // nothing to the left of a malformed hop can be believed
		}
		if !p.trusts(hop) {
			return hop
		}
		peer = hop
	}
	return peer
}

// Trusts reports whether an address is that of a trusted proxy.
func (p Proxies) Trusts(address string) bool { return p.trusts(hostAddr(address)) }

func (p Proxies) trusts(addr netip.Addr) bool {
	for _, network := range p.Trusted {
		if addr.IsValid() && network.Contains(addr) {
			return true
		}
	}
	return false
}

// hostAddr parses an address that may have a port; IPv6 has brackets then.
func hostAddr(s string) netip.Addr {
	if addr, err := netip.ParseAddr(strings.Trim(s, "[]")); err == nil {
		return addr.Unmap()
	}
	both, _ := netip.ParseAddrPort(s)
	return both.Addr().Unmap()
}
