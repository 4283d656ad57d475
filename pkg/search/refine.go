package search

import (
	"context"
	"slices"

	"headless/pkg/content"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/fulltext/searchable"
	"headless/pkg/index"
)

// The text index knows which words an entry has, but not their positions. So phrases, and how close
// the words are, are checked in the texts of the entries with the highest scores.
const (
	// Entries that are checked for phrases; with more hits the total is an estimate.
	maxPhraseHits = 300
	maxPhraseText = 4 << 20 // bytes of their texts
	closestHits   = 20      // best entries whose scores are multiplied by Closeness
	phraseChunk   = 50      // entries that one call reads
)

// hitsToCheck returns how many of the best hits are checked for a query.
func hitsToCheck(q analysis.Query) int {
	switch {
	case len(q.Phrases) > 0:
		return maxPhraseHits
	case len(q.Terms) > 1:
		return closestHits
	}
	return 0
}

// refine removes the hits that do not contain the phrases of a query, and multiplies the scores of
// the best ones by Closeness. more reports whether hits were removed without a check because of the
// limits.
func (r *ranking) refine(ctx context.Context, hits []modelHit) (kept []modelHit, more bool, err error) {
	query := analysis.ParseQuery(r.q, "")
	n := min(hitsToCheck(query), len(hits))
	if n == 0 {
		return hits, false, nil
	}
	index.BestFirst(hits, n, byScore)
	if len(query.Phrases) > 0 {
		if hits, more, err = withPhrases(ctx, r.s, hits, n, r.q, r.public); err != nil {
			return nil, false, err
		}
	}
	best := hits[:min(closestHits, len(hits))]
	if err := loadHits(ctx, r.s, best); err != nil {
		return nil, false, err
	}
	for i := range best {
		if h := &best[i]; h.e != nil {
			query := analysis.ParseQuery(r.q, h.e.Locale)
			h.Score *= query.Closeness(h.textFor(r.public), h.e.Locale)
		}
	}
	return hits, more, nil
}

// withPhrases returns those of the n first hits that contain every phrase of a query, within the
// limits.
func withPhrases(ctx context.Context, s *content.Store, hits []modelHit, n int, q string,
	public bool) (kept []modelHit, more bool, err error) {
	size, seen := 0, 0
	for chunk := range slices.Chunk(hits[:n], phraseChunk) {
		if size > maxPhraseText {
			break
		}
		if err := loadHits(ctx, s, chunk); err != nil {
			return nil, false, err
		}
		for _, h := range chunk {
			if h.e == nil {
				continue
			}
			text := h.textFor(public)
			for _, field := range text.Fields {
				size += len(field)
			}
			if analysis.ParseQuery(q, h.e.Locale).Holds(text, h.e.Locale) {
				kept = append(kept, h)
			}
		}
		seen += len(chunk)
	}
	return kept, seen < len(hits), nil
}

// textFor returns the text of a hit's entry that the reader may search.
func (h *modelHit) textFor(public bool) analysis.Text {
	return searchable.Text(h.m.VisibleTo(!public), h.e)
}
