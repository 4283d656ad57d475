package redirects

import (
	"net/url"
	"slices"
	"strings"
)

// CleanPath returns a path of the site without query and fragment, unescaped, without a slash at its
// end. Two paths with the same result are the same page (extensions §13).
func CleanPath(path string) string {
	if at := strings.IndexAny(path, "?#"); at >= 0 {
		path = path[:at]
	}
	path = Unescape(path)
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// Unescape decodes percent-encoded bytes once. Malformed escapes stay.
func Unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := url.PathUnescape(s[i : i+3]); err == nil {
				b.WriteString(c)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// spellings returns how redirects may write a path in the form of CleanPath: with or without a slash
// at its end, escaped or not.
func spellings(path string) (names []string) {
	for _, name := range []string{path, (&url.URL{Path: path}).EscapedPath()} {
		for _, name := range []string{name, name + "/"} {
			if isPath(name) && CleanPath(name) == path && len(name) <= maxFrom && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// findable returns the from of a redirect in a spelling that From looks for. A from with a query is in
// lists only and stays as it is.
func findable(from string) string {
	names := spellings(CleanPath(from))
	if len(names) == 0 || strings.Contains(from, "?") || slices.Contains(names, from) {
		return from
	}
	return names[0]
}
