package spam_test

import (
	"testing"

	"headless/pkg/spam"
)

func TestBlocked(t *testing.T) {
	entries := []string{"Eve@Example.com", "*@Spam.example", " *@bücher.example ", "", "nonsense", "*@"}
	for address, want := range map[string]bool{
		"eve@example.com":           true,
		"EVE@EXAMPLE.COM":           true,
		"eve@example.com.":          true,
		"steve@example.com":         false,
		"eve@sub.example.com":       false,
		"any@spam.example":          true,
		"Any.Thing@SPAM.EXAMPLE":    true,
		"any@sub.spam.example":      false,
		"any@notspam.example":       false,
		"a@xn--bcher-kva.example":   true,
		"a@BÜCHER.example":          true,
		"*@example.com":             false,
		"nonsense":                  false,
		"":                          false,
		"a@":                        false,
		"eve@example.com@other.com": false,
	} {
		if got := spam.Blocked(entries, address); got != want {
			t.Errorf("%q: %t", address, got)
		}
	}
	if spam.Blocked(nil, "a@example.com") {
		t.Error("an empty list blocks")
	}
}

func TestValidEntry(t *testing.T) {
	for entry, want := range map[string]bool{
		"a@example.com": true, "*@example.com": true, "*@bücher.example": true,
		"": false, "*": false, "*@": false, "*@*": false, "@example.com": false,
		"example.com": false, "a*@": false, "*@example.com\n": false,
	} {
		if got := spam.ValidEntry(entry); got != want {
			t.Errorf("%q: %t", entry, got)
		}
	}
}
