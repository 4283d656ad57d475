package cms

import (
	"net/mail"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// MaxSlug is the greatest length of a slug in characters.
const MaxSlug = 160

// ValidSlug reports whether s matches ^[a-z0-9]+(-[a-z0-9]+)*$ and has at most MaxSlug characters.
// SlugProblem has further rules for the slugs of entries.
func ValidSlug(s string) bool {
	if s == "" || len(s) > MaxSlug || s[0] == '-' || s[len(s)-1] == '-' || strings.Contains(s, "--") {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c != '-' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// SlugProblem returns why s cannot be the slug of an entry, "" if it can (decisions §2).
func SlugProblem(s string) string {
	switch {
	case len(s) > MaxSlug:
		return "must have at most 160 characters"
	case !ValidSlug(s):
		return "may hold only lower-case letters a-z, digits and single hyphens between them"
	case IsUUID(s):
		return "cannot look like an id"
	case s == "single":
		return `cannot be "single"`
	}
	return ""
}

// IsUUID reports whether s is a UUID in its hyphenated form, in either case.
func IsUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
			continue
		}
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

// ValidEmail reports whether s is a bare e-mail address with a dotted domain, at most 254 bytes, and
// without invisible characters and spaces: it could not be told from another address.
func ValidEmail(s string) bool {
	invisible := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) }
	if len(s) > 254 || strings.ContainsFunc(s, invisible) {
		return false
	}
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s || a.Name != "" {
		return false
	}
	domain := s[strings.LastIndexByte(s, '@')+1:]
	return strings.Contains(domain, ".")
}

// ValidURL reports whether s is an absolute http or https URL with a host and without spaces.
func ValidURL(s string) bool {
	if !utf8.ValidString(s) ||
		strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// ParseDate reads a calendar date, YYYY-MM-DD in the years 0001 to 9999, as midnight UTC.
func ParseDate(s string) (time.Time, bool) {
	t, err := time.Parse(time.DateOnly, s)
	return t, err == nil && t.Year() >= 1
}

// ParseDateTime reads an RFC 3339 timestamp, with or without a fraction, in the years 0001 to 9999
// of UTC. T and Z may be lower case (RFC 3339 §5.6).
func ParseDateTime(s string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		t, err = time.Parse(time.RFC3339Nano, strings.ToUpper(s))
	}
	if err != nil || s[13] != ':' || strings.Contains(s, ",") { // Parse also takes an hour of one digit and a comma
		return t, false
	}
	if zone := s[len(s)-5:]; zone[2] == ':' && (zone[:2] > "23" || zone[3:] > "59") { // and the offset 24:60
		return t, false
	}
	t = t.UTC()
	return t, t.Year() >= 1 && t.Year() <= 9999
}

// MatchMime reports whether a MIME type is among patterns such as "image/png" and "image/*"; no
// patterns allow all. Case and parameters of the type ("; charset=utf-8") do not count.
func MatchMime(patterns []string, mime string) bool {
	mime, _, _ = strings.Cut(mime, ";")
	mime = strings.ToLower(strings.TrimSpace(mime))
	for _, p := range patterns {
		p = strings.ToLower(p)
		if prefix, wild := strings.CutSuffix(p, "*"); p == mime || wild && strings.HasPrefix(mime, prefix) {
			return true
		}
	}
	return len(patterns) == 0
}

// ValidMimePattern reports whether s is type/subtype or type/*.
func ValidMimePattern(s string) bool {
	kind, sub, ok := strings.Cut(s, "/")
	return ok && mimeToken(kind) && (sub == "*" || mimeToken(sub))
}

func mimeToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') &&
			!strings.ContainsRune("!#$&^_.+-", rune(c)) {
			return false
		}
	}
	return s != "" && len(s) <= 127
}
