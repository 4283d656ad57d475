package validation

import (
	"slices"
	"strings"
	"testing"

	"headless/pkg/cms"
)

func TestNamesAndTypes(t *testing.T) {
	for _, c := range []struct {
		name    string
		valid   func(string) bool
		yes, no []string
	}{
		{"name", validName,
			[]string{"a", "aB_9", strings.Repeat("a", 64)},
			[]string{"", "1a", "_a", "a-b", "a.b", "ä", strings.Repeat("a", 65)}},
		{"mime pattern", cms.ValidMimePattern,
			[]string{"image/png", "image/*", "application/vnd.ms-excel", "image/svg+xml"},
			[]string{"", "image", "*/*", "image/", "/png", "image/p*", "a b/c", "image/png; q=1"}},
	} {
		for _, s := range c.yes {
			if !c.valid(s) {
				t.Errorf("%s: %q is refused", c.name, s)
			}
		}
		for _, s := range c.no {
			if c.valid(s) {
				t.Errorf("%s: %q is accepted", c.name, s)
			}
		}
	}
}

// TestTooManyModels looks at no more models of a relation than it may have.
func TestTooManyModels(t *testing.T) {
	d := defCheck{p: cms.Problems{}}
	d.models("models", slices.Repeat([]string{"posts"}, 1000))
	if n := len(d.p["models"]); n != maxModels {
		t.Errorf("%d problems, want one for the number, and one for each repetition up to the limit", n)
	}
}
