package search

import (
	"context"
	"slices"

	"headless/pkg/content"
	"headless/pkg/fulltext"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/index"
	"headless/pkg/site"
)

// The text index knows which words an entry has, not where they stand. So phrases, and how close
// the words stand, are looked up in the entries themselves: in those that score best.
const (
	// Entries that are looked at for a phrase; past them the total is an estimate.
	maxPhraseHits = 300
	maxPhraseText = 4 << 20 // bytes of their texts
	closestHits   = 20      // best entries whose scores grow by how close the words stand
	phraseChunk   = 50      // entries that are read together
)

// refine drops the hits that do not hold the phrases of a query and raises the scores of the best
// ones by how close the query's words stand. more reports that entries were left out unseen.
func refine(ctx context.Context, s *content.Store, hits []modelHit, q string,
	public bool) (kept []modelHit, more bool, err error) {
	query := analysis.ParseQuery(q, "")
	if len(query.Terms) < 2 && len(query.Phrases) == 0 || len(hits) == 0 {
		return hits, false, nil
	}
	byScore(hits)
	if len(query.Phrases) > 0 {
		if hits, more, err = withPhrases(ctx, s, hits, q, public); err != nil {
			return nil, false, err
		}
	}
	best := hits[:min(closestHits, len(hits))]
	if err := loadHits(ctx, s, best); err != nil {
		return nil, false, err
	}
	for i := range best {
		if h := &best[i]; h.e != nil {
			query := analysis.ParseQuery(q, h.e.Locale)
			h.Score *= query.Closeness(h.text(public), h.e.Locale)
		}
	}
	return hits, more, nil
}

// refineModel is refine for the hits of one model.
func refineModel(ctx context.Context, s *content.Store, m *site.Model, hits []index.Hit, q string,
	public bool) ([]index.Hit, bool, error) {
	all := make([]modelHit, len(hits))
	for i, h := range hits {
		all[i] = modelHit{Hit: h, m: m}
	}
	all, more, err := refine(ctx, s, all, q, public)
	hits = hits[:0]
	for _, h := range all {
		hits = append(hits, h.Hit)
	}
	return hits, more, err
}

// withPhrases keeps the hits that hold every phrase of a query, of the best ones as far as the
// limits go.
func withPhrases(ctx context.Context, s *content.Store, hits []modelHit, q string,
	public bool) (kept []modelHit, more bool, err error) {
	size, seen := 0, 0
	for chunk := range slices.Chunk(hits[:min(maxPhraseHits, len(hits))], phraseChunk) {
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
			text := h.text(public)
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

// text is what the reader may find of a hit's entry.
func (h *modelHit) text(public bool) analysis.Text {
	return fulltext.TextOf(h.m.VisibleTo(!public), h.e)
}
