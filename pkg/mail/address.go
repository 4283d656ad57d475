package mail

import (
	"strings"

	"golang.org/x/net/idna"
)

// The longest address and local part (RFC 5321 §4.5.3.1), in bytes.
const (
	maxAddress = 254
	maxLocal   = 64
)

// ValidAddress reports whether s is an address that every mail system accepts: an unquoted ASCII
// local part and a domain name of at least two labels, which may be internationalised. It refuses
// display names, address literals, non-ASCII local parts and control characters.
func ValidAddress(s string) bool {
	_, ok := ASCIIAddress(s)
	return ok
}

// ASCIIAddress returns the address as messages use it: with the domain in lower-case ASCII form and
// the local part unchanged. It returns false if the address is not valid.
func ASCIIAddress(s string) (string, bool) {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || len(s) > maxAddress || !validLocal(s[:at]) {
		return "", false
	}
	domain, ok := ASCIIDomain(s[at+1:])
	if !ok || at+1+len(domain) > maxAddress {
		return "", false
	}
	return s[:at+1] + domain, true
}

// validLocal accepts a dot-atom (RFC 5322 §3.2.3).
func validLocal(s string) bool {
	if len(s) > maxLocal {
		return false
	}
	for atom := range strings.SplitSeq(s, ".") {
		if atom == "" {
			return false
		}
		for _, c := range []byte(atom) {
			if !alphanumeric(c) && strings.IndexByte("!#$%&'*+-/=?^_`{|}~", c) < 0 {
				return false
			}
		}
	}
	return true
}

// ASCIIDomain returns a domain name in lower-case ASCII form: "bücher.example" becomes
// "xn--bcher-kva.example". It returns false unless the name has at least two labels. The last label
// must not begin with a digit, which refuses IP addresses.
func ASCIIDomain(s string) (string, bool) {
	ascii, err := idna.Lookup.ToASCII(s)
	if err != nil || len(ascii) > 253 {
		return "", false
	}
	labels := strings.Split(ascii, ".")
	if len(labels) < 2 {
		return "", false
	}
	for _, l := range labels {
		if l == "" || len(l) > 63 || l[0] == '-' || l[len(l)-1] == '-' {
			return "", false
		}
		for _, c := range []byte(l) {
			if !alphanumeric(c) && c != '-' {
				return "", false
			}
		}
	}
	if last := labels[len(labels)-1]; last[0] >= '0' && last[0] <= '9' {
		return "", false
	}
	return ascii, true
}

func alphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
