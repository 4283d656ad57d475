package web

import (
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Proxies says whose word about a visitor's address counts. The zero value trusts nobody: the
// address is the connection's.
type Proxies struct {
	// Trusted are the networks of the site's own proxies. Their X-Forwarded-For is read from the
	// right, and the first address outside these networks is the visitor's.
	Trusted []netip.Prefix
	// Secret is what CloudFront sends in X-Origin-Verify; requests with it carry the visitor in
	// CloudFront-Viewer-Address. Empty: no request comes from CloudFront.
	Secret string
}

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
	if len(p.Trusted) == 0 && p.Secret == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if visitor := p.visitor(r); visitor.IsValid() {
			r.RemoteAddr = net.JoinHostPort(visitor.String(), "0")
		}
		next.ServeHTTP(w, r)
	})
}

// visitor is the address that a trusted proxy names, invalid where no trusted proxy does.
func (p Proxies) visitor(r *http.Request) netip.Addr {
	sent := r.Header.Get("X-Origin-Verify")
	if p.Secret != "" && subtle.ConstantTimeCompare([]byte(sent), []byte(p.Secret)) == 1 {
		return viewerAddr(r.Header.Get("CloudFront-Viewer-Address"))
	}
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

// viewerAddr parses CloudFront's form: an address, a colon and a port, without brackets around IPv6
// addresses.
func viewerAddr(s string) netip.Addr {
	port := strings.LastIndexByte(s, ':')
	if port < 0 {
		return netip.Addr{}
	}
	addr, _ := netip.ParseAddr(strings.Trim(s[:port], "[]"))
	return addr.Unmap()
}
