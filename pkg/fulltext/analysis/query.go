package analysis

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// PrefixFactor is the factor for the weight of a term that only begins with the word typed. A term
// with the same stem has factor 1.
const PrefixFactor = 0.8

// Query is a parsed search query. A document matches if it has every term and contains every
// phrase. A query without terms matches nothing.
type Query struct {
	Terms   []QueryTerm // includes the terms of phrases
	Phrases []Phrase
}

// QueryTerm is one word of a query.
type QueryTerm struct {
	Stem string
	// Word is the word as typed, folded.
	Word string
	// Prefix says that words that begin with Word match too, whatever their stem. It is set on the
	// last term unless that is quoted, since its word may be incomplete. It is also set on every
	// single character of a script without spaces, so that the pairs that begin with it match.
	Prefix bool
}

// ParseQuery parses a query in the locale of the texts to search. Repeated words count once. Words
// in quotation marks are a phrase. Callers must limit the number of terms; only the length of q
// bounds it.
func ParseQuery(q, locale string) Query {
	tokens := withoutTails(Tokens(q, locale))
	ranges := quotedRanges(q)
	phrases := make([]Phrase, len(ranges))
	var query Query
	for i, t := range tokens {
		phrase := slices.IndexFunc(ranges, func(r [2]int) bool { return r[0] <= t.Start && t.End <= r[1] })
		if phrase >= 0 {
			phrases[phrase] = append(phrases[phrase], t.Word)
		}
		inRun := t.inRun()
		single := inRun && isSingle(q[t.Start:t.End])
		term := QueryTerm{Stem: t.Stem, Word: t.Word, Prefix: single || !inRun && phrase < 0 && i == len(tokens)-1}
		same := func(x QueryTerm) bool { return x.Stem == term.Stem && (x.Word == term.Word || !term.Prefix) }
		if at := slices.IndexFunc(query.Terms, same); at < 0 {
			query.Terms = append(query.Terms, term)
		}
	}
	query.Phrases = slices.DeleteFunc(phrases, func(p Phrase) bool { return len(p) == 0 })
	return query
}

// inRun reports whether the token is one or two characters of a script without spaces.
func (t Token) inRun() bool {
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

// Factor returns the factor for the weight of a document's term: 1 if it has the stem of the
// query's term, PrefixFactor if only one of its words begins with the word typed, 0 if it does not
// match.
func (t QueryTerm) Factor(stem string, words []string) float64 {
	if stem == t.Stem {
		return 1
	}
	if t.Prefix && slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, t.Word) }) {
		return PrefixFactor
	}
	return 0
}

// IDF returns the inverse document frequency of a stem that df of total documents have. The result
// is above 0 even if the counts contradict each other, which slightly stale counts may do.
func IDF(total, df int64) float64 {
	total = max(total, df, 1)
	df = max(df, 0)
	return math.Log(1 + (float64(total-df)+0.5)/(float64(df)+0.5))
}

// Matches reports whether the document has every term of the query, and its score: the sum over the
// query's terms of IDF × the highest Factor × Weight among the document's terms. total is the
// number of documents. df returns how many documents have the stem of a term. For a prefix it
// returns the count of the most frequent matching stem, so that a rare word with the same prefix
// does not outrank the word itself.
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

// best returns the highest Factor × Weight among the document's terms, 0 if none matches.
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
