package input

import "net/netip"

// Network returns the network by which a client is counted: its IPv4 address, or its /64 in IPv6,
// since every client has at least a /64.
func Network(a netip.Addr) string {
	if a.Is6() {
		return netip.PrefixFrom(a.WithZone(""), 64).Masked().String()
	}
	return a.String()
}
