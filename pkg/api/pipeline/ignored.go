package pipeline

import (
	"net/url"
	"slices"
	"strings"

	"headless/pkg/cms"
)

// The maximum number of parameters in meta.ignored, and of characters of each.
const (
	maxIgnored     = 20
	maxIgnoredName = 64
)

// ignoredParameters returns the parameters of a query that a route does not support, in the order sent and
// without duplicates (extensions §1).
func ignoredParameters(query string, known []string) []string {
	var names []string
	for part := range strings.SplitSeq(query, "&") {
		raw, _, _ := strings.Cut(part, "=")
		name, err := url.QueryUnescape(raw)
		if err != nil || name == "" {
			continue
		}
		if param, _, _ := strings.Cut(name, "["); slices.Contains(known, name) ||
			param == "filter" && slices.Contains(known, "filter") {
			continue
		}
		if r := []rune(strings.ToValidUTF8(name, "\uFFFD")); len(r) > maxIgnoredName {
			name = string(r[:maxIgnoredName])
		} else {
			name = string(r)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if len(names) == maxIgnored {
			break
		}
	}
	return names
}

// Ignorer is a meta that has a position for the names of ignored parameters.
type Ignorer interface {
	WithIgnored(names []string) any
}

// WithIgnored returns the meta with the names of ignored parameters.
func (m ListMeta) WithIgnored(names []string) any {
	m.Ignored = names
	return m
}

// metaWith returns a meta with the names of ignored parameters. They are last, unless the meta is
// an Ignorer, which has keys of later extensions after them.
func metaWith(meta any, ignored []string) (any, error) {
	if len(ignored) == 0 {
		return meta, nil
	}
	if m, ok := meta.(Ignorer); ok {
		return m.WithIgnored(ignored), nil
	}
	return metaAnd(meta, "ignored", ignored)
}

// WithPreview returns a meta with what a preview of the site shows, nil for none, as its last key.
func WithPreview(meta, preview any) (any, error) {
	if preview == nil {
		return meta, nil
	}
	return metaAnd(meta, "preview", preview)
}

// metaAnd returns a meta with one more key at its end.
func metaAnd(meta any, key string, value any) (any, error) {
	raw := []byte("{}")
	var err error
	if meta != nil {
		if raw, err = cms.Marshal(meta); err != nil {
			return nil, err
		}
	}
	added, err := cms.Marshal(value)
	if err != nil {
		return nil, err
	}
	comma := ","
	if len(raw) == 2 {
		comma = ""
	}
	return rawMeta(slices.Concat(raw[:len(raw)-1], []byte(comma+`"`+key+`":`), added, []byte("}"))), nil
}

// rawMeta is an encoded meta.
type rawMeta []byte

// MarshalJSON returns the meta unchanged.
func (m rawMeta) MarshalJSON() ([]byte, error) { return m, nil }
