package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"

	"headless/pkg/cms"
)

// A cursor is the key of the last document shown, behind a check that it is used with the query it came from.

const cursorCheck = 8

func encodeCursor(check []byte, key string) string {
	return base64.RawURLEncoding.EncodeToString(append(check[:cursorCheck:cursorCheck], key...))
}

// decodeCursor gives the key of the last document shown, "" for the first page.
func decodeCursor(check []byte, cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) <= cursorCheck || !bytes.Equal(raw[:cursorCheck], check) {
		return "", cms.Errorf(cms.CodeBadRequest, "This cursor is not one of this query: use next_cursor of the page before, with the same sort and filters.")
	}
	return string(raw[cursorCheck:]), nil
}

// queryCheck sums up what decides which documents a list holds, and in which order.
func queryCheck(q ListQuery, defaultOrder []cms.SortField) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "%v %v %q %q %q %t", q.Sort, defaultOrder, q.Filters, q.Text, q.scope, q.Hits != nil)
	return h.Sum(nil)[:cursorCheck]
}

// scoreKey orders hits: the best score first, then by id.
func scoreKey(r *record) string {
	return string(binary.BigEndian.AppendUint64(nil, math.MaxUint64-math.Float64bits(r.score))) + string(r.id[:])
}
