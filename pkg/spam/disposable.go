package spam

import (
	_ "embed"
	"sort"
	"strings"
)

// disposableDomains holds one domain a line, in the order of their bytes.
// scripts/disposable-domains.sh refreshes it.
//
//go:embed disposable/domains.txt
var disposableDomains string

// Disposable reports whether an address belongs to a provider of throw-away addresses, by its
// domain or a parent domain.
func Disposable(address string) bool {
	_, domain := split(address)
	for strings.Contains(domain, ".") {
		if isListed(domain) {
			return true
		}
		_, domain, _ = strings.Cut(domain, ".")
	}
	return false
}

// isListed looks a domain up in the text itself, so that nothing is parsed at start.
func isListed(domain string) bool {
	// The lines are sorted, so the line at a byte offset never decreases as the offset grows. That
	// allows a binary search over offsets.
	at := sort.Search(len(disposableDomains), func(i int) bool { return lineAt(i) >= domain })
	return at < len(disposableDomains) && lineAt(at) == domain
}

// lineAt returns the line of the list that contains byte i; a newline belongs to the line before
// it.
func lineAt(i int) string {
	start := strings.LastIndexByte(disposableDomains[:i], '\n') + 1
	line, _, _ := strings.Cut(disposableDomains[start:], "\n")
	return line
}
