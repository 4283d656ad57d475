package input

import "net/netip"

// Network is what a client counts by: its address, or its /64 in IPv6, of which everybody has one
// at least.
func Network(a netip.Addr) string {
	if a.Is6() {
		return netip.PrefixFrom(a.WithZone(""), 64).Masked().String()
	}
	return a.String()
}
