package ui

import (
	"math/rand/v2"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"headless/pkg/must"
)

// shown writes a comparison with [-…-] and [+…+] around what left and came.
func shown(parts []DiffPart, _ ...*List) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(map[string]string{"same": p.Text, "del": "[-" + p.Text + "-]",
			"ins": "[+" + p.Text + p.Words.String() + "+]"}[p.Kind])
	}
	return b.String()
}

func noRestore(int) string { return "" }

// TestTextDiffWords: what changed is whole words, in every script.
func TestTextDiffWords(t *testing.T) {
	for _, row := range []struct{ before, after, want string }{
		{"Short words", "Some short words", "[-Short-][+Some short+] words"},
		{"خشب قديم", "خشب جديد", "خشب [-قديم-][+جديد+]"},
		{"木の灯", "木の油", "木の[-灯-][+油+]"},
		{"It is 4.5 m", "It is 4.7 m", "It is [-4.5-][+4.7+] m"},
		{"1,200.50 m.", "5,200.50 m.", "[-1,200.50-][+5,200.50+] m."},
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
	parts, _ := RowDiff(before, after, nil, "", noRestore)
	if got := shown(parts); !strings.HasSuffix(got, "[-one and two-][+three and four+]\n") {
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
		{rows("in one day", "in two cold days", "in three"), rows("in zero", "in one day", "in two warm days", "in three"),
			"[+1. Quote\nin zero+]\n2. Quote\nin one day\n3. Quote\nin two [-cold-][+warm+] days\n4. Quote\nin three\n"},
		{rows("one", "two cold days"), rows("one", "zero", "two warm days"),
			"1. Quote\none\n[+2. Quote\nzero+]\n3. Quote\ntwo [-cold-][+warm+] days\n"},
		{rows("one day", "two nights"), rows("two long nights", "one long day"),
			"1. Quote [+moved, was 2+]\ntwo [+long +]nights\n2. Quote\none [+long +]day\n"},
	} {
		if got := shown(RowDiff(row.before, row.after, nil, "", noRestore)); got != row.want {
			t.Errorf("%v to %v:\n%s\nwant\n%s", row.before, row.after, got, row.want)
		}
	}
}

// TestRowDiffOfManyRows shows changed rows with a few rows around them, and links to the others.
func TestRowDiffOfManyRows(t *testing.T) {
	var before, one, all []RowText
	for i := range 20_000 {
		before = append(before, RowText{"Quote", strconv.Itoa(i)})
		all = append(all, RowText{"Quote", "new " + strconv.Itoa(i)})
	}
	one = append(append(one, before[:10_000]...), before[10_001:]...)
	parts, paging := RowDiff(before, one, nil, "", noRestore)
	want := "…\n9998. Quote\n9997\n9999. Quote\n9998\n10000. Quote\n9999\n[-10001. Quote\n10000-]\n" +
		"10001. Quote\n10001\n10002. Quote\n10002\n10003. Quote\n10003\n…\n"
	if got := shown(parts); got != want || paging != nil {
		t.Errorf("one row is gone: %s, paging %v", got, paging)
	}
	numbers := ""
	query := url.Values{"show": {"2"}, "rows": {"no number"}}
	for pages := 1; ; pages++ {
		parts, paging = RowDiff(before, all, query, "rows", noRestore)
		numbers += strings.Join(regexp.MustCompile(`(?m)\d+\.`).FindAllString(shown(parts), -1), "")
		if len(parts) > 5*maxRows {
			t.Fatalf("page %d has %d parts", pages, len(parts))
		}
		if paging.Next == "" {
			if pages != 200 || paging.Prev != "?rows=19800&show=2#rows" || paging.Range.String() != "19,901–20,000 of 20,000" {
				t.Errorf("%d pages, the last has the range %s and leads back to %s", pages, paging.Range, paging.Prev)
			}
			break
		}
		at, err := url.Parse(paging.Next)
		must.Do(t, err)
		query = at.Query()
	}
	for i := range 20_000 {
		rest, ok := strings.CutPrefix(numbers, strconv.Itoa(i+1)+".")
		if numbers = rest; !ok {
			t.Fatalf("row %d is on no page", i+1)
		}
	}
}

// TestLineDiffIsBounded: of long lists, the changed names and those near them are shown, about maxRows changes.
func TestLineDiffIsBounded(t *testing.T) {
	names := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			b.WriteString(strconv.Itoa(i) + "\n")
		}
		return b.String()
	}
	for before, want := range map[string]string{
		names(0, 5000) + "gone": "[-gone-]\n0\n1\n2\n…\n4997\n4998\n4999\n[+new+]",
		names(0, 2):             "0\n1\n[+new+]",
	} {
		if got := shown(LineDiff(before, strings.TrimSuffix(before, "gone")+"new")); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	got := shown(LineDiff("", names(0, 200_000)))
	if n := strings.Count(got, "[+"); n < maxRows || n > maxRows+nearRows || !strings.HasSuffix(got, "\n…") {
		t.Errorf("%d names: %q", n, got[len(got)-40:])
	}
}
