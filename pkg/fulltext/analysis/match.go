package analysis

import (
	"strings"
	"unicode/utf8"
)

// firstMatch returns the byte offsets of the first word that matches the query, or 0, 0 if none
// does. It analyzes only words that begin with the first letter of a query term: except for Arabic,
// whose stemmer cuts articles, no stemmer changes the first letter.
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

// mayBegin reports whether a word in s may begin with one of the initials. s holds no space. It is
// true if the first letter of an ASCII word is an initial, or if s is not ASCII.
func mayBegin(s, initials string) bool {
	if initials == "" {
		return true
	}
	inWord := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			return true
		}
		if kindOf(rune(c)) != kindWord {
			inWord = false
			continue
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if !inWord && strings.IndexByte(initials, c) >= 0 {
			return true
		}
		inWord = true
	}
	return false
}

func isASCIISpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r'
}
