package search

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/fulltext"
)

// A cursor of what a search ranked carries, behind a dot, the weights by which the first page was
// ranked: later pages go by the same, so that an entry that is published meanwhile moves no other.

// withWeights adds weights to a cursor; "" stays.
func withWeights(cursor string, weights fulltext.TermWeights) (string, error) {
	if cursor == "" {
		return "", nil
	}
	raw, err := cms.Marshal(weights)
	return cursor + "." + base64.RawURLEncoding.EncodeToString(raw), err
}

// cutWeights takes the weights off a cursor; none for the first page. BAD_REQUEST for a cursor that
// no page gave.
func cutWeights(cursor string) (string, fulltext.TermWeights, error) {
	weights := fulltext.TermWeights{}
	if cursor == "" {
		return "", weights, nil
	}
	rest, encoded, ok := strings.Cut(cursor, ".")
	raw, err := base64.RawURLEncoding.DecodeString(encoded)
	if !ok || err != nil || json.Unmarshal(raw, &weights) != nil {
		return "", nil, errSearchCursor
	}
	for _, list := range weights {
		for _, w := range list {
			if w < 0 || w > math.MaxInt32 {
				return "", nil, errSearchCursor
			}
		}
	}
	return rest, weights, nil
}

var errSearchCursor = cms.Errorf(cms.CodeBadRequest,
	"This cursor is not one of this search: use next_cursor of the page before, with the same parameters.")
