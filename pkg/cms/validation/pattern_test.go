package validation

import (
	"strings"
	"testing"

	"headless/pkg/cms"
)

// TestPatternCost: texts and programs that took 3 to 77 s are refused. A match takes time
// in proportion to the text and to the program, so their product is limited; a text that is
// refused for its length is not matched at all.
func TestPatternCost(t *testing.T) {
	for _, expr := range []string{`(x?){1000}y`, `x{100}y|x{150}y|x{200}y|x{250}y|x{300}y|x{350}y`,
		`(\pL?\pN?){400}\x{10ffff}`} {
		if patternProblem(expr) == "" {
			t.Errorf("%s is accepted", expr)
		}
	}
	for _, expr := range []string{`^[a-z0-9-]{1,255}\.example\.com$`, `^\d{4}-\d{2}$`,
		`^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$`} {
		if problem := patternProblem(expr); problem != "" {
			t.Errorf("%s: %s", expr, problem)
		}
	}
	limit := 10.0
	for name, test := range map[string]struct {
		max  *float64
		size int
		text int // bytes that are matched
		want string
	}{
		"over max":    {&limit, 900_000, 0, "must have at most 10 characters"},
		"over 64 KiB": {nil, 900_000, 0, "must have at most 65536 bytes"},
		"within":      {nil, 6_000, 6_000, "must match the pattern"},
	} {
		f := cms.Field{Name: "a", Type: cms.TypeTextarea,
			Pattern: `[a-z0-9-]{1,255}\.example\.com$`, Max: test.max}
		c := &dataCheck{p: cms.Problems{}}
		c.checkText("a", &f, strings.Repeat("a", test.size))
		if want := test.text * c.pattern(f.Pattern).size; c.steps != want || want > maxPatternSteps {
			t.Errorf("%s: %d steps, want %d", name, c.steps, want)
		}
		if got := c.p["a"]; len(got) != 1 || !strings.HasPrefix(got[0], test.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestPatternsTogether: many texts of one entry cost no more than the budget of one.
func TestPatternsTogether(t *testing.T) {
	f := cms.Field{Name: "a", Type: cms.TypeTextarea, Pattern: `(?:x?){300}y`}
	c := &dataCheck{p: cms.Problems{}}
	text := strings.Repeat("x", 600)
	c.steps = maxPatternSteps - len(text)*c.pattern(f.Pattern).size // what one more text takes is left
	for _, want := range []string{"must match", "cannot be checked"} {
		c.checkText("a", &f, text)
		if last := c.p["a"][len(c.p["a"])-1]; !strings.HasPrefix(last, want) {
			t.Errorf("%s, want %s", last, want)
		}
	}
}
