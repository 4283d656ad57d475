package ui

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// shown writes a comparison with [-…-] and [+…+] around what left and came.
func shown(parts []DiffPart) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(map[string]string{"same": p.Text, "del": "[-" + p.Text + "-]",
			"ins": "[+" + p.Text + p.Words.String() + "+]"}[p.Kind])
	}
	return b.String()
}

// TestTextDiffWords: what changed is whole words, in every script.
func TestTextDiffWords(t *testing.T) {
	for _, row := range []struct{ before, after, want string }{
		{"Short words", "Some short words", "[-Short-][+Some short+] words"},
		{"خشب قديم", "خشب جديد", "خشب [-قديم-][+جديد+]"},
		{"木の灯", "木の油", "木の[-灯-][+油+]"},
		{"It is 4.5 m", "It is 4.7 m", "It is 4.[-5-][+7+] m"},
		{"a\xffb", "a\xffc", "a\xff[-b-][+c+]"},
		{"", "new", "[+new+]"},
	} {
		if got := shown(TextDiff(row.before, row.after)); got != row.want {
			t.Errorf("%q to %q: %s, want %s", row.before, row.after, got, row.want)
		}
	}
	var many strings.Builder
	for i := range 60_000 { // more words than stand below the surrogates
		many.WriteString(string(rune('a'+i%26)) + strings.Repeat("x", i/26%40) + string(rune(0x4E00+i%20000)) + " ")
	}
	if got := shown(TextDiff(many.String(), many.String()+"end")); !strings.HasSuffix(got, "[+end+]") {
		t.Errorf("a long text ends in %q", got[max(0, len(got)-40):])
	}
}

// TestTextDiffOfRepeatedWords ends soon, too, where much of a long text is like much of the other.
func TestTextDiffOfRepeatedWords(t *testing.T) {
	text := strings.Repeat("[a](", 200_000)
	if got := TextDiff(text, "x"+text[:len(text)-1]); len(got) != 3 || got[0].Text != "x" || got[2].Text != "(" {
		t.Errorf("%d parts", len(got))
	}
}

// TestPatienceWithRows stops to look for words that stayed when many rows have taken the time for it.
func TestPatienceWithRows(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := func() string {
		var b strings.Builder
		for range 30_000 {
			b.WriteString([]string{"a ", "b "}[random.IntN(2)])
		}
		return b.String()
	}
	var before, after []RowText
	for i := range 30 {
		title := strconv.Itoa(i)
		before, after = append(before, RowText{title, words()}), append(after, RowText{title, words()})
	}
	before, after = append(before, RowText{"last", "one and two"}), append(after, RowText{"last", "three and four"})
	if got := shown(RowDiff(before, after)); !strings.HasSuffix(got, "[-one and two-][+three and four+]\n") {
		t.Errorf("the last row is %s", got[len(got)-80:])
	}
}

// TestRowDiff tells rows that moved from those that are new, gone or changed.
func TestRowDiff(t *testing.T) {
	rows := func(texts ...string) (list []RowText) {
		for _, text := range texts {
			list = append(list, RowText{Title: "Quote", Text: text})
		}
		return list
	}
	for _, row := range []struct {
		before, after []RowText
		want          string
	}{
		{rows("one", "two"), rows("one", "two"), "1. Quote\none\n2. Quote\ntwo\n"},
		{rows("one", "two", "three"), rows("three", "one", "two"),
			"1. Quote [+moved, was 3+]\nthree\n2. Quote\none\n3. Quote\ntwo\n"},
		{rows("one", "two", "three"), rows("one", "three"), "1. Quote\none\n[-2. Quote\ntwo-]\n2. Quote\nthree\n"},
		{rows("one"), rows("zero", "one"), "[+1. Quote\nzero+]\n2. Quote\none\n"},
		{rows("one day"), rows("one night"), "1. Quote\none [-day-][+night+]\n"},
		{rows("one"), nil, "[-1. Quote\none-]\n"},
	} {
		if got := shown(RowDiff(row.before, row.after)); got != row.want {
			t.Errorf("%v to %v:\n%s\nwant\n%s", row.before, row.after, got, row.want)
		}
	}
}
