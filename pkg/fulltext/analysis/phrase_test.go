package analysis

import (
	"slices"
	"testing"
)

func TestPhrases(t *testing.T) {
	text := Text{Title: "Deploy your site", Fields: []string{"The quick brown fox\njumps. Déjà vu!",
		"我们使用组件库"}}
	for q, want := range map[string]bool{
		`"quick brown"`: true, `"brown quick"`: false, `quick "brown fox"`: true, `"quick fox"`: false,
		`“deja vu”`: true, `„quick brown“`: true, `«Your site»`: true, `"fox jumps"`: true,
		`"site the"`: false, // a phrase does not go from one field into the next
		`"组件库"`:      true, `"组件"`: true, `「库组」`: false, `"使用组件"`: true,
		`"bro"`: false, `bro "quick"`: true, `"quick brow"`: false, // no prefixes within a phrase
		`"`: true, `""`: true, `quick "brown`: true,
	} {
		query := ParseQuery(q, "en")
		if got := query.Holds(text, "en"); got != want {
			t.Errorf("%s: %t, phrases %q", q, got, query.Phrases)
		}
		for _, term := range query.Terms {
			if len(query.Phrases) > 0 && term.Prefix &&
				slices.Contains(query.Phrases[len(query.Phrases)-1], term.Word) && term.Word == "brow" {
				t.Errorf("%s: %q is a prefix", q, term.Word)
			}
		}
	}
}

func TestCloseness(t *testing.T) {
	factor := func(title, heading, field string) float64 {
		return ParseQuery("view transitions",
			"en").Closeness(Text{Title: title, Headings: []string{heading}, Fields: []string{field}}, "en")
	}
	ordered := []float64{
		factor("Transitions", "A view", "transitions of a view"), // scattered
		factor("", "", "about view transitions here"),
		factor("", "Using view transitions", ""),
		factor("", "View Transitions", ""),
	}
	if ordered[0] != 1 || !slices.IsSorted(ordered) ||
		len(slices.Compact(slices.Clone(ordered))) != len(ordered) {
		t.Errorf("scattered, in a field, in a heading, a heading: %v", ordered)
	}
	if title := factor("View transitions", "", ""); title < ordered[3] {
		t.Errorf("the title itself counts %v, a heading %v", title, ordered[3])
	}
}

func TestHeadings(t *testing.T) {
	got := Headings("# One\ntext # no\n####### no\n  ## Two *words* ##\n```sh\n# no comment\n```\n#no\n~~~\n## " +
		"no\n~~~\n### Three\r\n")
	if want := []string{"One", "Two words ##", "Three"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestHeadingsCountMore compares two texts of the same words.
func TestHeadingsCountMore(t *testing.T) {
	score := func(headings ...string) float64 {
		s, _ := ParseQuery("zebra",
			"en").Matches(Analyze(Text{Fields: []string{"a zebra on the road"}, Headings: headings},
			"en"), 100, func(QueryTerm) int64 { return 3 })
		return s
	}
	if plain, heading := score(), score("a zebra"); heading <= plain {
		t.Errorf("in a heading %v, elsewhere %v", heading, plain)
	}
}
