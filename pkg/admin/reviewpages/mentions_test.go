package reviewpages

import (
	"testing"

	"headless/pkg/cms"
)

// TestTakeMentions finds the people whom a text names: the longest name, whatever its case, and a first name that
// only one of them has.
func TestTakeMentions(t *testing.T) {
	people := []cms.Person{{ID: "1", Name: "Eva Müller"}, {ID: "2", Name: "Eva"}, {ID: "3", Name: "Jonas Ost"},
		{ID: "4", Name: "Maria West"}, {ID: "5", Name: "Maria Nord"}, {ID: "6"}, {ID: "7", Name: "Ada West"}}
	for text, want := range map[string]string{
		"@Eva Müller, look":         "@1, look",
		"@Jonas: and (@ada west)":   "@3: and (@7)",
		"@Maria or @Maria Nord?":    "@Maria or @5?",
		"me@Jonas.example, @Jonast": "me@Jonas.example, @Jonast",
		"@ @@Jonas @":               "@ @@3 @",
		"@eva":                      "@2",
	} {
		if got := takeMentions(text, people); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}
