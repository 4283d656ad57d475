package web

import (
	"strconv"
	"strings"
)

// Preference is how much a header such as Accept prefers a value. It is zero if the header does not name the value.
type Preference struct {
	Q     float64 // 0 refuses the value
	Place int     // position in the header, from 1
}

// Preferred returns the first preference of a header that names the value, for instance "image/webp". Wildcards name
// only themselves. A q that is not a number counts as 1.
func Preferred(header []string, value string) Preference {
	for i, part := range strings.Split(strings.Join(header, ","), ",") {
		name, params, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), value) {
			continue
		}
		for _, p := range strings.Split(params, ";") {
			if v, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(p)), "q="); ok {
				if q, err := strconv.ParseFloat(v, 64); err == nil {
					return Preference{q, i + 1}
				}
			}
		}
		return Preference{1, i + 1}
	}
	return Preference{}
}

// Before reports whether the header takes the value, and prefers it to another: by q, then by position.
func (p Preference) Before(other Preference) bool {
	return p.Q > 0 && (p.Q > other.Q || p.Q == other.Q && p.Place < other.Place)
}
