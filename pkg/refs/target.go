package refs

import (
	"bytes"
	"slices"
	"strings"

	"headless/pkg/cms"
)

// Target is an entry or a file that a text refers to.
type Target struct {
	File bool
	ID   string // in lower case
}

// scheme starts the destination of a reference.
const (
	scheme      = "cms://"
	entryScheme = scheme + "entry/"
	fileScheme  = scheme + "media/"
)

// String returns the destination of a reference to the target, in its stored form.
func (t Target) String() string {
	if t.File {
		return fileScheme + t.ID
	}
	return entryScheme + t.ID
}

// Parse reads a destination in its stored form. rest is its query and fragment.
func Parse(destination string) (t Target, rest string, ok bool) {
	after, isEntry := strings.CutPrefix(destination, entryScheme)
	if !isEntry {
		if after, t.File = strings.CutPrefix(destination, fileScheme); !t.File {
			return Target{}, "", false
		}
	}
	id, rest, ok := cutID(after)
	if !ok || rest != "" && rest[0] != '?' && rest[0] != '#' {
		return Target{}, "", false
	}
	t.ID = id
	return t, rest, true
}

func cutID(text string) (id, rest string, ok bool) {
	if len(text) < 36 || !cms.IsUUID(text[:36]) {
		return "", "", false
	}
	return strings.ToLower(text[:36]), text[36:], true
}

// Join adds the query and fragment of a destination to an address, which may have a query.
func Join(address, rest string) string {
	if strings.HasPrefix(rest, "?") && strings.Contains(address, "?") {
		rest = "&" + rest[1:]
	}
	return address + rest
}

// CutAddress is the inverse of Join: it returns the query and fragment of a destination that is the
// address. ok is false if the destination is another one.
func CutAddress(destination, address string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(destination, address)
	switch {
	case !ok || rest == "":
		return rest, ok
	case rest[0] == '#':
		return rest, true
	case strings.Contains(address, "?"):
		return "?" + rest[1:], rest[0] == '&'
	}
	return rest, rest[0] == '?'
}

// Own lists the addresses below which this service serves its files, now or formerly, without a
// slash at the end. A file's address is followed by its id.
type Own []string

// Parse returns the file whose address a destination is. rest is its query and fragment, without
// the version and the crop of the file.
func (o Own) Parse(destination string) (t Target, rest string, ok bool) {
	for _, base := range o {
		after, found := strings.CutPrefix(destination, base+"/")
		if !found {
			continue
		}
		id, rest, ok := cutID(after)
		if !ok {
			continue
		}
		if strings.HasPrefix(rest, "/") { // the name of the file, for people
			if end := strings.IndexAny(rest[1:], "/?#"); end < 0 {
				rest = ""
			} else {
				rest = rest[1+end:]
			}
		}
		if rest == "" || rest[0] == '?' || rest[0] == '#' {
			return Target{File: true, ID: id}, withoutVersion(rest), true
		}
	}
	return Target{}, "", false
}

// withoutVersion removes the parameters v and crop of a query, which say the version of a file's bytes and the part
// that is shown: an address has the present ones.
func withoutVersion(rest string) string {
	query, fragment, hasFragment := strings.Cut(rest, "#")
	if strings.HasPrefix(query, "?") {
		var kept []string
		for _, p := range strings.Split(query[1:], "&") {
			if p = strings.TrimPrefix(p, "amp;"); p != "v" && !strings.HasPrefix(p, "v=") && !strings.HasPrefix(p, "crop=") {
				kept = append(kept, p)
			}
		}
		if and := "&"; len(kept) < strings.Count(query, "&")+1 {
			if strings.Contains(query, "&amp;") {
				and = "&amp;"
			}
			if query = strings.Join(kept, and); query != "" {
				query = "?" + query
			}
		}
	}
	if hasFragment {
		query += "#" + fragment
	}
	return query
}

// MayRefer reports whether a text can contain a reference or an address of a file. It is fast and
// may be wrong for a text without one.
func (o Own) MayRefer(text string) bool {
	return o.anyIn(func(part string) bool { return strings.Contains(text, part) })
}

// MayReferJSON is MayRefer for the texts in a JSON document.
func (o Own) MayReferJSON(document []byte) bool {
	return o.anyIn(func(part string) bool { return bytes.Contains(document, []byte(part)) })
}

func (o Own) anyIn(contains func(part string) bool) bool {
	return contains(scheme) || slices.ContainsFunc(o, func(base string) bool { return contains(base + "/") })
}

// TargetOf returns the target of a destination: of a reference in its stored form, or of an address
// of this service's files.
func (o Own) TargetOf(destination string) (t Target, rest string, ok bool) {
	if t, rest, ok = Parse(destination); ok {
		return t, rest, true
	}
	return o.Parse(destination)
}

// escaper escapes what Rewrite does not take.
var escaper = strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", `"`, "%22",
	"'", "%27", "\\", "%5C", "\t", "%09", "\n", "%0A", "\r", "%0D")

// Escaped returns an address in a form that Rewrite can put into a text.
func Escaped(address string) string { return escaper.Replace(address) }
