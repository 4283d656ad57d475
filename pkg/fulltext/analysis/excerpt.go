package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// An excerpt has about excerptLength characters, up to excerptLead of them before the match. If
// there is no space within excerptSlack characters, it is cut within a word.
const (
	excerptLength = 160
	excerptLead   = 50
	excerptSlack  = 20
)

// excerptBytes is how many bytes on either side of the match are read. Longer runs of white space
// shorten the excerpt.
const excerptBytes = 768

// Excerpt returns about 160 characters of a plain text around the first word that matches the
// query, cut between words with … where text is left out, white space collapsed. If nothing
// matches, it returns the beginning of the text.
func Excerpt(text, locale string, q Query) string {
	from, to := firstMatch(text, locale, q)
	before := tail(text[:from], excerptBytes)
	after := head(text[to:], excerptBytes)

	lead := []rune(collapse(before))
	cutStart := len(before) < from
	if len(lead) > excerptLead {
		lead = lead[wordStart(lead, len(lead)-excerptLead):]
		cutStart = true
	}
	match := []rune(collapse(head(text[from:to], excerptBytes)))
	rest := append(match, []rune(collapse(after))...)
	cutEnd := len(after) < len(text)-to
	if room := max(excerptLength-len(lead), 0); len(rest) > room {
		rest = rest[:wordEnd(rest, room)]
		cutEnd = true
	}
	excerpt := strings.TrimSpace(string(lead) + string(rest))
	if excerpt == "" {
		return ""
	}
	if cutStart {
		excerpt = "…" + excerpt
	}
	if cutEnd {
		excerpt += "…"
	}
	return excerpt
}

// collapse replaces each run of white space and control characters by one space, at the ends too,
// and drops bytes that are not UTF-8.
func collapse(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r):
			space = true
			continue
		case r == utf8.RuneError:
			continue
		case space:
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	if space {
		b.WriteByte(' ')
	}
	return b.String()
}

// head returns at most the first limit bytes of s, cut between characters.
func head(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// tail returns at most the last limit bytes of s, cut between characters.
func tail(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	at := len(s) - limit
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return s[at:]
}

// wordStart returns the start of the first word after at, or at if none starts nearby.
func wordStart(text []rune, at int) int {
	for i := at; i < min(len(text), at+excerptSlack); i++ {
		if text[i-1] == ' ' {
			return i
		}
	}
	for at < len(text) && unicode.IsMark(text[at]) {
		at++
	}
	return at
}

// wordEnd returns the end of the last word before at, or at if none ends nearby.
func wordEnd(text []rune, at int) int {
	for i := at; i > max(0, at-excerptSlack); i-- {
		if text[i] == ' ' {
			return i
		}
	}
	for at > 0 && unicode.IsMark(text[at]) {
		at--
	}
	return at
}
