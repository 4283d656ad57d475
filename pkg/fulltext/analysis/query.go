package analysis

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// PrefixFactor is what a term counts that only begins like the word sought, where one
// with the same stem counts 1.
const PrefixFactor = 0.8

// Query is what a reader typed. A document matches when every term does and it holds every
// phrase. A query without terms matches nothing.
type Query struct {
	Terms   []QueryTerm // those of the phrases too
	Phrases []Phrase
}

// QueryTerm is one word of a query.
type QueryTerm struct {
	Stem string
	// Word is the word as typed, folded.
	Word string
	// Prefix says that words which begin with Word match too, whatever their stem. It stands on the
	// last term unless that is quoted, and on every single character of a script without spaces,
	// which is found within rows that way.
	Prefix bool
}

// ParseQuery reads a query in the locale of the texts to be searched. Repeated words count
// once. Words in quotation marks are a phrase. The number of terms is bounded by the length of q
// only; callers set a limit.
func ParseQuery(q, locale string) Query {
	tokens := withoutTails(Tokens(q, locale))
	ranges := quoted(q)
	phrases := make([]Phrase, len(ranges))
	var query Query
	for i, t := range tokens {
		in := slices.IndexFunc(ranges, func(r [2]int) bool { return r[0] <= t.Start && t.End <= r[1] })
		if in >= 0 {
			phrases[in] = append(phrases[in], t.Word)
		}
		row := t.inRow()
		single := row && isSingle(q[t.Start:t.End])
		term := QueryTerm{Stem: t.Stem, Word: t.Word, Prefix: single || !row && in < 0 && i == len(tokens)-1}
		same := func(x QueryTerm) bool { return x.Stem == term.Stem && (x.Word == term.Word || !term.Prefix) }
		if at := slices.IndexFunc(query.Terms, same); at < 0 {
			query.Terms = append(query.Terms, term)
		}
	}
	query.Phrases = slices.DeleteFunc(phrases, func(p Phrase) bool { return len(p) == 0 })
	return query
}

// inRow reports whether the token is one or two characters of a script without spaces.
func (t Token) inRow() bool {
	r, _ := utf8.DecodeRuneInString(t.Word)
	return kindOf(r) == kindPair
}

// isSingle reports whether written holds one character of a script without spaces.
func isSingle(written string) bool {
	n := 0
	for _, r := range written {
		if kindOf(r) == kindPair {
			n++
		}
	}
	return n == 1
}

// Factor returns what a document's term counts for the query's term: 1 with the same
// stem, PrefixFactor where only one of its words begins with the word typed, 0 where it
// does not match.
func (t QueryTerm) Factor(stem string, words []string) float64 {
	if stem == t.Stem {
		return 1
	}
	if t.Prefix && slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, t.Word) }) {
		return PrefixFactor
	}
	return 0
}

// IDF returns how much a stem tells: more, the fewer of the total documents have it. It is
// above 0 whatever the counts, which may be a little out of date.
func IDF(total, df int64) float64 {
	total = max(total, df, 1)
	df = max(df, 0)
	return math.Log(1 + (float64(total-df)+0.5)/(float64(df)+0.5))
}

// Matches reports whether the document has every term of the query, and its score: the sum
// over the query's terms of IDF × the highest of Factor × Weight among the document's
// terms. total is the number of documents; df gives how many of them have the stem of a
// term or, for a prefix, the most frequent of the stems that match it, so that a rare
// word that happens to begin alike does not outdo the word itself.
func (q Query) Matches(d Document, total int64, df func(QueryTerm) int64) (score float64, ok bool) {
	for _, t := range q.Terms {
		best := t.best(d)
		if best == 0 {
			return 0, false
		}
		score += IDF(total, df(t)) * best
	}
	return score, len(q.Terms) > 0
}

// best returns the highest of Factor × Weight among the document's terms, 0 where none matches.
func (t QueryTerm) best(d Document) float64 {
	if !t.Prefix {
		term, _ := d.Find(t.Stem)
		return term.Weight
	}
	best := 0.0
	for _, term := range d.Terms {
		best = max(best, t.Factor(term.Stem, term.Words)*term.Weight)
	}
	return best
}
