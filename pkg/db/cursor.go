package db

import (
	"bytes"
	"encoding/base64"

	"headless/pkg/cms"
)

// cursorCheck is how many bytes of a query's digest a cursor holds.
const cursorCheck = 8

// EncodeCursor returns the cursor of the list after the document with a key. A cursor works only
// with the query that it came from: check is a digest of that query, of at least cursorCheck bytes.
func EncodeCursor(check []byte, key string) string {
	return base64.RawURLEncoding.EncodeToString(append(check[:cursorCheck:cursorCheck], key...))
}

// DecodeCursor returns the key of the last document of the previous page, "" for the first page.
// For a cursor of another query it returns the error BAD_REQUEST.
func DecodeCursor(check []byte, cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) <= cursorCheck || !bytes.HasPrefix(check, raw[:cursorCheck]) {
		return "", cms.Errorf(cms.CodeBadRequest, "This cursor belongs to another query. "+
			"Use next_cursor of the page before, with the same sort and filters.")
	}
	return string(raw[cursorCheck:]), nil
}
