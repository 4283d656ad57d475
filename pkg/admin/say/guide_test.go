package say_test

import (
	"regexp"
	"strings"
	"testing"

	"headless/pkg/admin/say"
	"headless/pkg/docs"
)

// TestNamesInGuide: the guide for editors is there in each language of the admin area, and calls buttons, tabs and
// pages what the pages call them.
func TestNamesInGuide(t *testing.T) {
	code, emphasis := regexp.MustCompile("`[^`]*`"), regexp.MustCompile(`\*\*([^*]+)\*\*|\*([^*]+)\*`)
	for _, l := range say.Languages[1:] {
		text := strings.Join(strings.Fields(code.ReplaceAllString(docs.Text("editors."+l.Code), "")), " ")
		names := 0
		for _, m := range emphasis.FindAllStringSubmatch(code.ReplaceAllString(docs.Text("editors"), ""), -1) {
			for name := range strings.SplitSeq(strings.Join(strings.Fields(m[1]+m[2]), " "), " · ") {
				want := l.Entries()[name].Text
				if names++; want != "" && !strings.Contains(text, "*"+want+"*") && !strings.Contains(text, " · "+want+"*") {
					t.Errorf("%s: the guide does not have %q for %q", l.Code, want, name)
				}
			}
		}
		if names < 100 {
			t.Fatalf("%s: only %d names were looked at", l.Code, names)
		}
	}
}
