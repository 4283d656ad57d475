package web

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Preference is how much a header such as Accept prefers a value. It is zero if the header does not name the value.
type Preference struct {
	Q     float64 // 0 refuses the value
	Place int     // position in the header, from 1
}

// Preferred returns the first preference of a header that names the value, for instance "image/webp". Wildcards name
// only themselves.
func Preferred(header []string, value string) Preference {
	for i, part := range strings.Split(strings.Join(header, ","), ",") {
		if name, q := weighted(part); strings.EqualFold(name, value) {
			return Preference{q, i + 1}
		}
	}
	return Preference{}
}

// weighted returns a value of a header and its q, 1 if that is not a number.
func weighted(part string) (name string, q float64) {
	name, params, _ := strings.Cut(part, ";")
	name = strings.TrimSpace(name)
	for _, p := range strings.Split(params, ";") {
		if v, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(p)), "q="); ok {
			if q, err := strconv.ParseFloat(v, 64); err == nil {
				return name, q
			}
		}
	}
	return name, 1
}

// maxAcceptLanguage limits the part of an Accept-Language header that is read, in bytes.
const maxAcceptLanguage = 1000

// Languages returns the languages that an Accept-Language header names, the preferred ones first. It leaves out
// those with a q of 0, and "*", which is skipped in a lookup (RFC 4647 §3.4).
func Languages(header string) []string {
	if len(header) > maxAcceptLanguage {
		header = header[:strings.LastIndexByte(header[:maxAcceptLanguage], ',')+1]
	}
	var names []string
	weights := map[string]float64{}
	for part := range strings.SplitSeq(header, ",") {
		name, q := weighted(part)
		if _, twice := weights[name]; !twice && q > 0 && name != "" && name != "*" {
			names, weights[name] = append(names, name), q
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(weights[b], weights[a]) })
	return names
}

// Before reports whether the header takes the value, and prefers it to another: by q, then by position.
func (p Preference) Before(other Preference) bool {
	return p.Q > 0 && (p.Q > other.Q || p.Q == other.Q && p.Place < other.Place)
}
