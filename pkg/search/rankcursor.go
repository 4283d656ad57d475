package search

import (
	"context"
	"encoding/json"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/fulltext"
)

// The cursor of a search carries the weights by which the first page was ranked. Later pages use
// the same weights, so that an entry that is published meanwhile does not change the order of the
// others.

// encodeCursor returns the cursor of the results after a position. check identifies the search.
func encodeCursor(ctx context.Context, s *db.DB, check, position string,
	weights fulltext.TermWeights) (string, error) {
	raw, err := cms.Marshal(weights)
	if err != nil {
		return "", err
	}
	return s.EncodeCursor(ctx, []byte("search "+check), string(raw)+"\x00"+position)
}

// decodeCursor returns the position and the weights of a cursor. Without a cursor there are no
// weights. Error: BAD_REQUEST for a cursor of something else.
func decodeCursor(ctx context.Context, s *db.DB, check, cursor string) (string, fulltext.TermWeights, error) {
	weights := fulltext.TermWeights{}
	text, err := s.DecodeCursor(ctx, []byte("search "+check), cursor)
	if err != nil || text == "" {
		return "", weights, err
	}
	raw, position, _ := strings.Cut(text, "\x00")
	return position, weights, json.Unmarshal([]byte(raw), &weights)
}
