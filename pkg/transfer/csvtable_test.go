package transfer

import "testing"

func TestCSVText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", "=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@a": "'@a", "\ta": "'\ta", "\ra": "'\ra",
		"'=1": "''=1", "''-a": "'''-a", "'a": "'a", "'": "'", " =1": " =1",
		`\N`: `\\N`, `\\N`: `\\\N`, `a\N`: `a\N`, `\Na`: `\Na`, "N": "N",
	} {
		if got := csvText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
