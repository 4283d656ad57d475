package app

import (
	"cmp"
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"headless/pkg/web"
)

// environment reads variables. It keeps the first error, which names its variable.
type environment struct {
	get func(string) string
	err error
}

func (e *environment) fail(name string, err error) {
	if err != nil && e.err == nil {
		e.err = fmt.Errorf("%s: %w", name, err)
	}
}

// want fails with the form that a value must have, if parsing it did.
func (e *environment) want(name, form string, parsing error) {
	if parsing != nil {
		e.fail(name, fmt.Errorf("must be %s, not %q", form, e.get(name)))
	}
}

func (e *environment) text(name, fallback string) string { return cmp.Or(e.get(name), fallback) }

func (e *environment) number(name string, fallback, least, most int64) int64 {
	v := e.get(name)
	if v == "" {
		return fallback
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < least || n > most {
		e.want(name, fmt.Sprintf("%d to %d", least, most), strconv.ErrRange)
	}
	return n
}

// list reads words with commas between them; nil if there are none.
func (e *environment) list(name string) (words []string) {
	for word := range strings.SplitSeq(e.get(name), ",") {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}

func (e *environment) networks(name string) []netip.Prefix {
	list, err := web.ParseProxies(e.get(name))
	e.fail(name, err)
	return list
}
