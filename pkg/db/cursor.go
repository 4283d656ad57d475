package db

import (
	"bytes"
	"encoding/base64"

	"headless/pkg/cms"
)

// A cursor is the key of the last document shown, behind a check that it is used with the query it
// came from.

const CursorCheck = 8

func EncodeCursor(check []byte, key string) string {
	return base64.RawURLEncoding.EncodeToString(append(check[:CursorCheck:CursorCheck], key...))
}

// DecodeCursor gives the key of the last document shown, "" for the first page.
func DecodeCursor(check []byte, cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) <= CursorCheck || !bytes.Equal(raw[:CursorCheck], check) {
		return "",
			cms.Errorf(cms.CodeBadRequest,
				"This cursor is not one of this query: use next_cursor of the page before, with the same sort and filters.")
	}
	return string(raw[CursorCheck:]), nil
}
