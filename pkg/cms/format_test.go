package cms

import (
	"strings"
	"testing"
)

const anID = "0f8fad5b-d9cb-469f-a165-70867728950e"

func TestFormats(t *testing.T) {
	date := func(s string) bool { _, ok := ParseDate(s); return ok }
	datetime := func(s string) bool { _, ok := ParseDateTime(s); return ok }
	slug := func(s string) bool { return SlugProblem(s) == "" }
	for _, c := range []struct {
		name   string
		valid  func(string) bool
		yes    []string
		refuse []string
	}{
		{"slug", slug,
			[]string{"a", "a-b", "2024", "single-page", strings.Repeat("a", 160)},
			[]string{"", "-a", "a-", "a--b", "A", "ä", "a_b", "a b", "single", anID,
				strings.Repeat("a", 161)}},
		{"uuid", IsUUID,
			[]string{anID, strings.ToUpper(anID)},
			[]string{"", anID[1:], anID + "0", "0f8fad5bxd9cb-469f-a165-70867728950e",
				"gf8fad5b-d9cb-469f-a165-70867728950e"}},
		{"email", ValidEmail,
			[]string{"a@b.co", "first.last+tag@sub.example.com"},
			[]string{"", "a", "a@", "@b.co", "a@b", "a b@c.de", "A <a@b.co>", "a@b.co ", "a@b..co",
				"a@b.co\u00a0", "a\u200b@b.co", "\ufeffa@b.co", "a@b.co\u202e", "a\x00@b.co",
				strings.Repeat("a", 250) + "@b.co"}},
		{"url", ValidURL,
			[]string{"https://example.com", "http://localhost:8080/a?b=c#d", "https://exämple.de/ü"},
			[]string{"", "/path", "example.com", "mailto:a@b.co", "javascript:alert(1)", "https://",
				"https:///x", "http://:80", "http://a b", "https://a/b c", "https://a/\n"}},
		{"date", date,
			[]string{"2024-02-29", "0001-01-01", "9999-12-31"},
			[]string{"", "2023-02-29", "2024-13-01", "2024-1-1", "24-01-01", "0000-01-01",
				"2024-01-01T00:00:00Z"}},
		{"datetime", datetime,
			[]string{"2024-02-29T23:59:59Z", "2024-01-01T00:00:00.123456789+02:00", "2024-01-01t00:00:00z",
				"2024-01-01t00:00:00.5+02:00", "2024-01-01T00:00:00-23:59"},
			[]string{"", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01 00:00:00Z",
				"2024-02-30T00:00:00Z", "2024-01-01T1:00:00Z",
				"2024-01-01T24:00:00Z", "2024-01-01T00:00:00,5Z", "0001-01-01T00:00:00+01:00",
				"9999-12-31T23:59:59-01:00", "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00.5-12:60"}},
	} {
		for _, s := range c.yes {
			if !c.valid(s) {
				t.Errorf("%s: %q is refused", c.name, s)
			}
		}
		for _, s := range c.refuse {
			if c.valid(s) {
				t.Errorf("%s: %q is accepted", c.name, s)
			}
		}
	}
}

func TestMatchMime(t *testing.T) {
	for _, c := range []struct {
		patterns []string
		mime     string
		want     bool
	}{
		{nil, "image/png", true},
		{[]string{"image/*"}, "image/png", true},
		{[]string{"Image/PNG"}, "image/png; charset=x", true},
		{[]string{"image/*"}, "imagery/png", false},
		{[]string{"image/png"}, "image/png2", false},
		{[]string{"text/csv", "application/pdf"}, "application/pdf", true},
	} {
		if got := MatchMime(c.patterns, c.mime); got != c.want {
			t.Errorf("MatchMime(%v, %q) = %v", c.patterns, c.mime, got)
		}
	}
}
