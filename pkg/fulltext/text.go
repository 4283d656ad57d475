package fulltext

import (
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/db/waiting"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/fulltext/lru"
	"headless/pkg/fulltext/segment"
)

// Texts is the text index of the site. It is safe for concurrent use.
type Texts struct {
	*db.DB
	pace  waiting.Pace
	pages lru.Cache[pageRef, []byte] // none becomes stale, since pages never change
	terms lru.Cache[termKey, *matching]

	mu      sync.Mutex
	newest  *view      // of the table that this process has seen
	cleaned segment.ID // the flushed segment whose pending rows this process deleted
}

// NewTexts opens the text index.
func NewTexts(db *db.DB) *Texts {
	s := &Texts{DB: db}
	s.pages.Bytes, s.terms.Bytes = cachedPages, cachedTerms
	return s
}

// How many bytes of pages, and of what follows from them, a process keeps.
const (
	cachedPages = 32 << 20
	cachedTerms = 8 << 20
)

// IndexedText holds the terms of an entry in one space: the space of all text or of public text.
type IndexedText struct {
	Space string
	Terms []segment.Term // sorted by stem
}

// Terms returns the terms of a text as segments store them, sorted by stem.
func Terms(doc analysis.Document) (terms []segment.Term) {
	for _, term := range doc.Terms { // sorted
		if len(term.Stem) > maxStem {
			continue
		}
		words := slices.DeleteFunc(slices.Clone(term.Words), func(w string) bool { return len(w) > maxStem })
		slices.Sort(words)
		if len(words) == 0 {
			words = []string{term.Stem}
		}
		terms = append(terms, segment.Term{Stem: term.Stem, Weight: weightOf(term.Weight),
			Words: strings.Join(words, " ")})
	}
	return terms
}

// ErrMerging says that too many changes are pending or that merges do not let a search finish.
var ErrMerging = &cms.Error{Code: cms.CodeUnavailable, RetryAfter: time.Second,
	Message: "Many texts are being indexed. Try again in a moment."}

// PublicText is the suffix of the space of public text. An entry has public text if readers without
// an admin role may search only a part of its text.
const PublicText = "#public"

// maxStem is the maximum length of a stem or word in bytes, which keeps pages of the dictionary
// short. Longer words cannot be found.
const maxStem = 400

// A weight is stored in a byte, as a power of weightStep.
const (
	maxWeight  = 2.2
	weightStep = 1.015 // so the least weight is 0.05
)

// weightOf returns the weight of a term as segments store it: 1 to 255.
func weightOf(w float64) byte {
	return byte(min(255, max(1, math.Round(255+math.Log(w/maxWeight)/math.Log(weightStep)))))
}

// weights has the weight of each stored byte.
var weights = sync.OnceValue(func() *[256]float64 {
	var all [256]float64
	for i := 1; i < len(all); i++ {
		all[i] = maxWeight * math.Pow(weightStep, float64(i-255))
	}
	return &all
})
