package db_test

import (
	"crypto/sha256"
	"fmt"

	"headless/pkg/db"
)

// A cursor holds the key of the last item shown and a digest of the query that it belongs to. It is
// refused with any other query.
func ExampleDecodeCursor() {
	query := func(filter string) []byte {
		sum := sha256.Sum256([]byte(filter))
		return sum[:]
	}
	cursor := db.EncodeCursor(query("locale=de"), "2026-03-01#42")

	last, err := db.DecodeCursor(query("locale=de"), cursor)
	fmt.Println(last, err)

	_, err = db.DecodeCursor(query("locale=en"), cursor)
	fmt.Println(err != nil)
	// Output:
	// 2026-03-01#42 <nil>
	// true
}
