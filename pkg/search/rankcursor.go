package search

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/fulltext"
)

// The cursor of a search carries, after a dot, the weights by which the first page was ranked.
// Later pages use the same weights, so that an entry that is published meanwhile does not change
// the order of the others.

// withWeights adds weights to a cursor, unless it is "".
func withWeights(cursor string, weights fulltext.TermWeights) (string, error) {
	if cursor == "" {
		return "", nil
	}
	raw, err := cms.Marshal(weights)
	return cursor + "." + base64.RawURLEncoding.EncodeToString(raw), err
}

// cutWeights splits a cursor into the cursor of the list and the weights. Without a cursor there
// are no weights. Error: BAD_REQUEST for an invalid cursor.
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
	"This cursor does not belong to this search. Use next_cursor of the previous page, with the same parameters.")
