package pipeline

import (
	"crypto/sha256"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"headless/pkg/must"
)

// TestPrinted hashes bodies read in one piece and byte by byte.
func TestPrinted(t *testing.T) {
	sum := func(boundary, body string, wrap func(io.Reader) io.Reader) string {
		p := &printed{sum: sha256.New(), body: io.NopCloser(wrap(strings.NewReader(body))), boundary: boundary}
		got, err := p.finishHash()
		must.Do(t, err)
		return got
	}
	whole := func(r io.Reader) io.Reader { return r }
	for name, x := range map[string]struct {
		boundary, body, otherBoundary, other string
		same                                 bool
	}{
		"another boundary": {"aab", "--aab\r\nx--aab--", "ccccc", "--ccccc\r\nx--ccccc--", true},
		"another text":     {"aab", "--aab\r\nx--aab--", "aab", "--aab\r\ny--aab--", false},
		"one in the text":  {"aab", "--aab\r\naaab-a--aab-aa", "c", "--c\r\naaab-a--c-aa", false},
		"a boundary begun": {"aab", "--aab\r\naa", "zz", "--zz\r\naa", true},
		"none":             {"", "aab", "", "aab", true},
	} {
		first := sum(x.boundary, x.body, whole)
		if first != sum(x.boundary, x.body, iotest.OneByteReader) {
			t.Errorf("%s: the hash depends on the pieces", name)
		}
		if got := first == sum(x.otherBoundary, x.other, whole); got != x.same {
			t.Errorf("%s: same %v", name, got)
		}
	}
}
