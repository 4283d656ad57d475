package analysis

import (
	"cmp"
	"slices"
	"sort"

	"headless/pkg/slice"
)

// Limits of a Document. They bound the postings that one entry may cost.
const (
	// maxTerms is the maximum number of distinct stems kept of one document. Stems of the title are
	// preferred, then those with the largest weight, then those that appear first. A text of 100 KB
	// has about 2,400 in Korean, 3,500 in Chinese, fewer in English.
	maxTerms = 4000
	// maxWords is the maximum number of distinct written words kept of one stem, in order of
	// appearance. The longest lists in real text have about fifteen.
	maxWords = 24
)

// Weights are the constants of BM25F. The lengths of an ordinary title and body are constants too,
// not averages over the stored texts. So the weight of a term in a document changes only with the
// document.
type Weights struct {
	K1          float64 // how soon further occurrences of a word stop counting
	TitleBoost  float64 // how many occurrences in the body one in the title is worth
	TitleB      float64 // how much a long title lowers the weight, 0 to 1
	Heading     float64 // how many extra occurrences one in a heading is worth
	TitleLength float64 // words of an ordinary title
	BodyB       float64 // as TitleB, for all other text
	BodyLength  float64
}

// defaultWeights returns the weights that Analyze uses.
func defaultWeights() Weights {
	return Weights{K1: 1.2, TitleBoost: 8, TitleB: 0.5, Heading: 2, TitleLength: 6, BodyB: 0.6, BodyLength: 300}
}

// weight returns the BM25F weight, between 0 and K1+1, of a term in a text whose title and body
// have titleLen and bodyLen words. A body shorter than BodyLength gets no bonus: a body of a single
// word is not the best text about this word.
func (w Weights) weight(c *counted, titleLen, bodyLen int) float64 {
	t := w.TitleBoost * float64(c.title) / (1 - w.TitleB + w.TitleB*float64(titleLen)/w.TitleLength)
	body := float64(c.body) + w.Heading*float64(c.heading)
	b := body / (1 - w.BodyB + w.BodyB*max(1, float64(bodyLen)/w.BodyLength))
	return (t + b) * (w.K1 + 1) / (t + b + w.K1)
}

// Term is one stem of a document.
type Term struct {
	Stem string
	// Weight is how much the document is about the stem: BM25F without the frequency of
	// the stem among all documents, between 0 and 2.2.
	Weight float64
	// Words are the folded words of the document that have this stem, at most maxWords.
	Words []string
}

// Document is an analyzed text: its terms, sorted by stem, at most maxTerms.
type Document struct {
	Terms []Term
}

// Text is the searchable text of one document, as plain texts (see PlainText).
type Text struct {
	Title    string
	Fields   []string
	Headings []string // lines of Fields that are headings (see Headings)
}

// Analyze returns the terms of a text in a locale.
func Analyze(text Text, locale string) Document {
	a := analysis{index: map[string]int{}}
	titleLen := a.addText(text.Title, locale, func(c *counted) { c.title++ })
	bodyLen := 0
	for _, field := range text.Fields {
		bodyLen += a.addText(field, locale, func(c *counted) { c.body++ })
	}
	for _, heading := range text.Headings {
		a.addText(heading, locale, func(c *counted) { c.heading++ })
	}
	weights := defaultWeights()
	for i := range a.terms {
		c := &a.terms[i]
		c.Weight = weights.weight(c, titleLen, bodyLen)
	}
	return Document{Terms: a.keptTerms()}
}

// analysis counts the terms of one document in order of appearance.
type analysis struct {
	terms []counted
	index map[string]int
}

type counted struct {
	Term
	title, body, heading int // occurrences of the stem
}

// addText counts the words of one text by stem and returns the number of words.
func (a *analysis) addText(text, locale string, count func(*counted)) int {
	n := 0
	newTokenizer(text, locale).forEachToken(func(t Token) bool {
		n++
		i, ok := a.index[t.Stem]
		if !ok {
			i = len(a.terms)
			a.index[t.Stem] = i
			a.terms = append(a.terms, counted{Term: Term{Stem: t.Stem}})
		}
		c := &a.terms[i]
		count(c)
		if len(c.Words) < maxWords && !slices.Contains(c.Words, t.Word) {
			c.Words = append(c.Words, t.Word)
		}
		return true
	})
	return n
}

// keptTerms returns the terms that are kept (see maxTerms), sorted by stem.
func (a *analysis) keptTerms() []Term {
	// Not slices.SortFunc: for these types it would add 20 KB of code to every binary.
	if len(a.terms) > maxTerms {
		sort.SliceStable(a.terms, func(i, j int) bool {
			x, y := &a.terms[i], &a.terms[j]
			if (x.title > 0) != (y.title > 0) {
				return x.title > 0
			}
			return x.Weight > y.Weight
		})
		a.terms = a.terms[:maxTerms]
	}
	terms := slice.Map(a.terms, func(c counted) Term { return c.Term })
	sort.Slice(terms, func(i, j int) bool { return terms[i].Stem < terms[j].Stem })
	return terms
}

// Find returns the document's term of a stem.
func (d Document) Find(stem string) (Term, bool) {
	i, ok := slices.BinarySearchFunc(d.Terms, stem,
		func(t Term, stem string) int { return cmp.Compare(t.Stem, stem) })
	if !ok {
		return Term{}, false
	}
	return d.Terms[i], true
}
