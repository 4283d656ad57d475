package xliff

import (
	"slices"
	"testing"

	"headless/pkg/cms"
)

// TestFilesIn finds the files that an entry shows without a text of its own: in media fields at any depth, and bare
// pictures in its texts. Each counts once.
func TestFilesIn(t *testing.T) {
	const a, b, c, d = "0198c0de-0000-7000-8000-00000000000a", "0198c0de-0000-7000-8000-00000000000b",
		"0198c0de-0000-7000-8000-00000000000c", "0198c0de-0000-7000-8000-00000000000d"
	e := &cms.Entry{Data: map[string]any{"parts": []any{hero("One", b), hero("Two", a), hero("Three", a)},
		"body": "![](cms://media/" + c + ") ![own](cms://media/" + d + ") ![](cms://media/" + b + ") [d](cms://media/" +
			d + ")"}}
	if got := filesIn(pageModel(), e); !slices.Equal(got, []string{a, b, c}) {
		t.Error(got)
	}
	if label := LabelAt(pageModel(), altPrefix+a); label != "Alternative text" {
		t.Error(label)
	}
}
