package say_test

import (
	"regexp"
	"strings"
	"testing"

	"headless/pkg/admin/say"
	"headless/pkg/docs"
)

// TestNamesInGuide: the guide for editors calls buttons, tabs and pages what the admin area calls them in its language.
func TestNamesInGuide(t *testing.T) {
	code, emphasis := regexp.MustCompile("`[^`]*`"), regexp.MustCompile(`\*\*([^*]+)\*\*|\*([^*]+)\*`)
	for _, l := range say.Languages[1:] {
		text := docs.Text("editors." + l.Code)
		if text == "" {
			continue // not translated
		}
		text = strings.Join(strings.Fields(code.ReplaceAllString(text, "")), " ")
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
