package analysis

import (
	"strings"
	"unicode/utf8"
)

// firstMatch returns where the first word that matches the query stands, 0, 0 where none
// does. It looks only at words that begin like one of the query's terms: no stemmer
// changes the first letter but the Arabic one, which cuts articles.
func firstMatch(text, locale string, q Query) (from, to int) {
	if len(q.Terms) == 0 {
		return 0, 0
	}
	t := newTokenizer(text, locale)
	if t.language != "ar" {
		t.initials = initials(q)
	}
	t.yield = func(token Token) bool {
		for _, term := range q.Terms {
			if token.Stem == term.Stem || term.Prefix && strings.HasPrefix(token.Word, term.Word) {
				from, to = token.Start, token.End
				return false
			}
		}
		return true
	}
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && !isASCIISpace(text[end]) {
			end++
		}
		if end > at && mayBegin(text[at:end], t.initials) && !t.part(at, end) {
			return from, to
		}
		at = end + 1
	}
	return 0, 0
}

// initials returns the first letters of the query's stems and words.
func initials(q Query) string {
	var b strings.Builder
	for _, term := range q.Terms {
		for _, word := range []string{term.Stem, term.Word} {
			r, _ := utf8.DecodeRuneInString(word)
			b.WriteRune(r)
		}
	}
	return b.String()
}

// mayBegin reports whether a word in s, which holds no space, may begin with one of the
// initials: whether an ASCII letter does that follows no other, or s is not ASCII.
func mayBegin(s, initials string) bool {
	if initials == "" {
		return true
	}
	within := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			return true
		}
		if kindOf(rune(c)) != kindWord {
			within = false
			continue
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if !within && strings.IndexByte(initials, c) >= 0 {
			return true
		}
		within = true
	}
	return false
}

func isASCIISpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r'
}
