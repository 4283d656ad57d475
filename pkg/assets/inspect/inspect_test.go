package inspect

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"
)

// TestStoreFaultIsNoDamage reads a picture whose header ends in a part that cannot be read.
func TestStoreFaultIsNoDamage(t *testing.T) {
	gone := errors.New("the store is gone")
	head := append([]byte{0xFF, 0xD8, 0xFF, 0xE2, 0xFF, 0xFF}, make([]byte, headBytes-6)...)
	content := io.MultiReader(bytes.NewReader(head), iotest.ErrReader(gone))
	if _, err := (Policy{Allowed: []string{"*"}}).Inspect("a.jpg", content); !errors.Is(err, gone) {
		t.Error(err)
	}
}
