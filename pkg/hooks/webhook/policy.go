package webhook

import (
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"code.dny.dev/ssrf"
)

// Policy says which receivers are allowed.
type Policy struct {
	// AllowInsecure allows http, any port and loopback: for local use only
	// (WEBHOOK_ALLOW_INSECURE).
	AllowInsecure bool
	// Exceptions are IP addresses with ports that are allowed with http, whatever their range, in
	// URLs that name them so. For tests.
	Exceptions []netip.AddrPort
	// OwnHosts are the hosts of the service itself, "host" (any port) or "host:port", which no
	// webhook may call. A loopback or unspecified IP address, and localhost with a port, include
	// every loopback address. Names below localhost without a port, which LocalStack has, include
	// only themselves.
	OwnHosts []string
}

// cloudHost is Azure's platform endpoint, which also serves metadata. It is a public IP address, so
// no registry of special ranges lists it.
var cloudHost = netip.MustParsePrefix("168.63.129.16/32")

// guardian returns the check of IP addresses. It refuses every special range of IANA's registries,
// and all IPv6 outside global unicast: mapped and compatible IPv4, NAT64, unique local, site local,
// link local. Of the transition mechanisms inside global unicast it refuses 6to4 and Teredo. It
// does not check ports.
func (p Policy) guardian() *ssrf.Guardian {
	options := []ssrf.Option{ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(cloudHost)}
	if p.AllowInsecure {
		options = append(options,
			ssrf.WithAllowedV4Prefixes(netip.MustParsePrefix("127.0.0.0/8")),
			ssrf.WithAllowedV6Prefixes(netip.MustParsePrefix("::1/128")))
	}
	return ssrf.New(options...)
}

// AllowedIP reports whether a webhook may be sent to addr. It is called for each IP address after
// DNS, at every connection.
func (p Policy) AllowedIP(addr netip.Addr) bool {
	return addr.IsValid() && addr.Zone() == "" && p.guardian().SafeAddr(addr) == nil
}

// excepts reports whether an IP address with a port is one of Exceptions.
func (p Policy) excepts(to netip.AddrPort) bool {
	return slices.Contains(p.Exceptions, netip.AddrPortFrom(to.Addr().Unmap(), to.Port()))
}

func (p Policy) allowedPort(port uint16) bool {
	return p.AllowInsecure && port != 0 || port == 443 || port == 8443
}

// ownName reports whether host, in lower case and without a final dot, is one of OwnHosts.
func (p Policy) ownName(host string, port uint16) bool {
	for _, own := range p.OwnHosts {
		name, ownPort := splitOwn(own)
		if name == host && (ownPort == 0 || ownPort == port) {
			return true
		}
	}
	return false
}

// ownAddr reports whether the IP address and port of a receiver are one of OwnHosts.
func (p Policy) ownAddr(addr netip.Addr, port uint16) bool {
	addr = addr.Unmap()
	for _, own := range p.OwnHosts {
		name, ownPort := splitOwn(own)
		if ownPort != 0 && ownPort != port {
			continue
		}
		ip, err := netip.ParseAddr(name)
		here := isLocalhost(name) && ownPort != 0 || err == nil && (ip.IsLoopback() || ip.IsUnspecified())
		if err == nil && ip.Unmap() == addr || here && addr.IsLoopback() {
			return true
		}
	}
	return false
}

// splitOwn splits "host" or "host:port"; the port is 0 when there is none.
func splitOwn(own string) (host string, port uint16) {
	host = own
	if h, p, err := net.SplitHostPort(own); err == nil {
		if n, err := strconv.ParseUint(p, 10, 16); err == nil {
			host, port = h, uint16(n)
		}
	}
	return plainHost(strings.Trim(host, "[]")), port
}

// plainHost normalises a host name: lower case, without a final dot.
func plainHost(host string) string { return strings.TrimSuffix(strings.ToLower(host), ".") }

// isLocalhost reports whether host is a name that always means loopback (RFC 6761).
func isLocalhost(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
