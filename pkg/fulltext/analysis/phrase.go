package analysis

import (
	"slices"
	"strings"
	"unicode/utf8"

	"headless/pkg/slice"
)

// Phrase is the quoted part of a query: folded words that must follow one another.
type Phrase []string

// closing maps an opening quotation mark to the marks that may close it.
var closing = map[rune]string{'"': `"`, '“': "”", '„': "“”", '«': "»", '「': "」"}

// quotedRanges returns the byte ranges of the texts in quotation marks. A mark that is not closed is an
// ordinary character.
func quotedRanges(q string) (ranges [][2]int) {
	for at := 0; at < len(q); {
		r, size := utf8.DecodeRuneInString(q[at:])
		at += size
		marks, opens := closing[r]
		if !opens {
			continue
		}
		n := strings.IndexAny(q[at:], marks)
		if n < 0 {
			continue
		}
		ranges = append(ranges, [2]int{at, at + n})
		_, size = utf8.DecodeRuneInString(q[at+n:])
		at += n + size
	}
	return ranges
}

// Holds reports whether the title or one field of a text contains every phrase of the query, word
// for word. The phrases may be in different fields.
func (q Query) Holds(t Text, locale string) bool {
	if len(q.Phrases) == 0 {
		return true
	}
	texts := [][]string{tokenWords(t.Title, locale)}
	for _, field := range t.Fields {
		texts = append(texts, tokenWords(field, locale))
	}
	for _, p := range q.Phrases {
		if !slices.ContainsFunc(texts, func(words []string) bool { return contains(words, p) }) {
			return false
		}
	}
	return true
}

// Factors for the score of a document in which the words of a query follow one another. They were
// chosen with make bench-ranking.
const (
	closeInTitle   = 1.6
	closeInHeading = 1.5
	closeInField   = 1.3
	closeAndAll    = 1.3 // further factor if the title or heading has no other words
)

// Closeness returns the factor for the score of a text: 1 if the words of the query are scattered,
// more if they follow one another as in the query, and most if they are the whole title or a whole
// heading.
func (q Query) Closeness(t Text, locale string) float64 {
	stems := slice.Map(q.Terms, func(term QueryTerm) string { return term.Stem })
	best := 1.0
	look := func(text string, factor, all float64) {
		if factor*all <= best {
			return
		}
		words := tokenStems(text, locale)
		switch {
		case slices.Equal(words, stems):
			best = factor * all
		case factor > best && contains(words, stems):
			best = factor
		}
	}
	look(t.Title, closeInTitle, closeAndAll)
	for _, heading := range t.Headings {
		look(heading, closeInHeading, closeAndAll)
	}
	for _, field := range t.Fields {
		look(field, closeInField, 1)
	}
	return best
}

// tokenWords returns the folded words of a text.
func tokenWords(text, locale string) []string {
	return slice.Map(withoutTails(Tokens(text, locale)), func(t Token) string { return t.Word })
}

// tokenStems returns the stems of a text's words.
func tokenStems(text, locale string) []string {
	return slice.Map(withoutTails(Tokens(text, locale)), func(t Token) string { return t.Stem })
}

// withoutTails leaves out the token of the last character of each run: the pair before it holds
// that character too.
func withoutTails(tokens []Token) []Token {
	var kept []Token
	for i, t := range tokens {
		if i == 0 || !t.isTail(tokens[i-1]) {
			kept = append(kept, t)
		}
	}
	return kept
}

// isTail reports whether the token is the last character of a run, with which the token before it
// ends too.
func (t Token) isTail(before Token) bool {
	return t.inRun() && before.inRun() && before.End == t.End
}

// contains reports whether words contains sequence.
func contains(words, sequence []string) bool {
	for i := range len(words) - len(sequence) + 1 {
		if slices.Equal(words[i:i+len(sequence)], sequence) {
			return true
		}
	}
	return false
}
