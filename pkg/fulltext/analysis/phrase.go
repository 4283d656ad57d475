package analysis

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Phrase is what stands in quotation marks in a query: folded words that must follow one another.
type Phrase []string

// closing gives the mark that ends what an opening quotation mark begins.
var closing = map[rune]string{'"': `"`, '“': "”", '„': "“”", '«': "»", '「': "」"}

// quoted returns the byte offsets of what stands in quotation marks. A mark that nothing closes is
// a sign like any other.
func quoted(q string) (ranges [][2]int) {
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

// Holds reports whether every phrase of the query stands in the title or in one field of a text,
// word for word.
func (q Query) Holds(t Text, locale string) bool {
	if len(q.Phrases) == 0 {
		return true
	}
	texts := [][]string{wordRow(t.Title, locale)}
	for _, field := range t.Fields {
		texts = append(texts, wordRow(field, locale))
	}
	for _, p := range q.Phrases {
		if !slices.ContainsFunc(texts, func(words []string) bool { return contains(words, p) }) {
			return false
		}
	}
	return true
}

// How much more a document scores in which the words of a query follow one another. They were
// chosen by make bench-ranking.
const (
	closeInTitle   = 1.6
	closeInHeading = 1.5
	closeInField   = 1.3
	closeAndAll    = 1.3 // times one of these, where title or heading holds nothing else
)

// Closeness returns what the score of a text is multiplied by: 1 where the words of the query stand
// scattered, more where they follow one another as in the query, the most where they are its title
// or one of its headings.
func (q Query) Closeness(t Text, locale string) float64 {
	stems := make([]string, len(q.Terms))
	for i, term := range q.Terms {
		stems[i] = term.Stem
	}
	best := 1.0
	look := func(text string, factor, all float64) {
		if factor*all <= best {
			return
		}
		words := stemRow(text, locale)
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

func wordRow(text, locale string) []string {
	var words []string
	for _, t := range withoutTails(Tokens(text, locale)) {
		words = append(words, t.Word)
	}
	return words
}

func stemRow(text, locale string) []string {
	var stems []string
	for _, t := range withoutTails(Tokens(text, locale)) {
		stems = append(stems, t.Stem)
	}
	return stems
}

// withoutTails leaves out the last character of each row of characters, which stands in the pair
// before it too.
func withoutTails(tokens []Token) []Token {
	var kept []Token
	for i, t := range tokens {
		if i == 0 || !t.isTail(tokens[i-1]) {
			kept = append(kept, t)
		}
	}
	return kept
}

// isTail reports whether the token is the last character of a row, which the token before it ends
// with too.
func (t Token) isTail(before Token) bool {
	return t.inRow() && before.inRow() && before.End == t.End
}

// contains reports whether row stands in words, one after the other.
func contains(words, row []string) bool {
	for i := range len(words) - len(row) + 1 {
		if slices.Equal(words[i:i+len(row)], row) {
			return true
		}
	}
	return false
}
