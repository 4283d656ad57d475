package api_test

import (
	"strings"
	"testing"
)

// TestKeyInCharacters counts the characters of an Idempotency-Key, not its bytes. The end-to-end
// suite sends ASCII only: gateways disagree about the encoding of other headers.
func TestKeyInCharacters(t *testing.T) {
	c := newContent(t)
	c.model(`{"slug": "notes", "name": "Notes", "fields": []}`)
	writer := c.key(`{"name": "Writer", "scopes": ["read", "write"]}`)
	for text, status := range map[string]int{
		strings.Repeat("ä", 255): 201, strings.Repeat("ä", 256): 400, "\xff": 400,
	} {
		c.call(writer, "POST", "/notes", `{"title": "Once"}`, "Idempotency-Key", text).want(status,
			map[int]string{400: "BAD_REQUEST"}[status])
	}
}
