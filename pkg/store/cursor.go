package store

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"

	"headless/pkg/cms"
)

// A cursor is the key of the last document shown, behind a check that it is used with the query it came from.

const cursorCheck = 8

func encodeCursor(q ListQuery, key string) string {
	return base64.RawURLEncoding.EncodeToString(append(queryCheck(q), key...))
}

// decodeCursor gives the key of the last document shown, "" for the first page.
func decodeCursor(q ListQuery) (string, error) {
	if q.Cursor == "" {
		return "", nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	if err != nil || len(raw) <= cursorCheck || string(raw[:cursorCheck]) != string(queryCheck(q)) {
		return "", cms.Errorf(cms.CodeBadRequest, "This cursor is not one of this query: use next_cursor of the page before, with the same sort and filters.")
	}
	return string(raw[cursorCheck:]), nil
}

func queryCheck(q ListQuery) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "%v %q %t", q.Sort, q.Filters, q.Hits != nil)
	return h.Sum(nil)[:cursorCheck]
}

// scoreKey orders hits: the best score first, then by id.
func scoreKey(r *record) string {
	return string(binary.BigEndian.AppendUint64(nil, math.MaxUint64-math.Float64bits(r.score))) + string(r.id[:])
}
