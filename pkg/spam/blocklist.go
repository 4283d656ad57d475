package spam

import (
	"strings"

	"headless/pkg/mail"
)

// Blocked reports whether an address is on a form's blocklist. An entry is an address, or
// "*@example.com" for all addresses of exactly that domain; case is ignored, and so is the spelling
// of an internationalised domain.
func Blocked(entries []string, address string) bool {
	local, domain := split(address)
	for _, e := range entries {
		l, d := split(e)
		if d != "" && d == domain && (l == "*" || l == local) {
			return true
		}
	}
	return false
}

// ValidEntry reports whether s is a valid blocklist entry: an address or "*@domain".
func ValidEntry(s string) bool {
	if domain, ok := strings.CutPrefix(s, "*@"); ok {
		_, ok := mail.ASCIIDomain(domain)
		return ok
	}
	return mail.ValidAddress(s)
}

// split returns both parts of an address, normalised for comparison. Without "@" the domain is "".
func split(address string) (local, domain string) {
	address = strings.TrimSpace(address)
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return address, ""
	}
	local, domain = strings.ToLower(address[:at]), strings.TrimSuffix(address[at+1:], ".")
	if ascii, ok := mail.ASCIIDomain(domain); ok {
		return local, ascii
	}
	return local, strings.ToLower(domain)
}
