package validation

import (
	"fmt"
	"regexp"
	"regexp/syntax"

	"headless/pkg/cms"
)

// Matching takes time proportional to the size of the text and of the compiled program. Both are
// limited, and so is the sum of their products for one entry.
const (
	maxPattern      = 500       // bytes of an expression
	maxPatternSize  = 1_000     // instructions of its compiled program
	maxPatternText  = 64 << 10  // bytes of a text that has a pattern
	maxPatternSteps = 128 << 20 // instructions times bytes, for all the texts of one entry
)

// patternProblem returns why an expression cannot be the pattern of a field, "" if it can.
func patternProblem(expr string) string {
	if len(expr) > maxPattern {
		return fmt.Sprintf("must have at most %d characters", maxPattern)
	}
	size, err := patternSize(expr)
	switch {
	case err != nil:
		return "is not a valid RE2 expression"
	case size > maxPatternSize:
		return fmt.Sprintf("is too large: its repetitions expand to more than %d steps", maxPatternSize)
	}
	return ""
}

// patternSize is the number of instructions of an expression's program.
func patternSize(expr string) (int, error) {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return 0, err
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0, err
	}
	return len(program.Inst), nil
}

// pattern is a compiled expression; a nil re matches everything.
type pattern struct {
	re   *regexp.Regexp
	size int
}

// pattern compiles each expression once per check. A broken definition is not reported as a problem
// of the entry.
func (c *dataCheck) pattern(expr string) pattern {
	p, ok := c.patterns[expr]
	if ok {
		return p
	}
	if size, err := patternSize(expr); err == nil && size <= maxPatternSize {
		if re, err := regexp.Compile(expr); err == nil {
			p = pattern{re, size}
		}
	}
	if c.patterns == nil {
		c.patterns = map[string]pattern{}
	}
	c.patterns[expr] = p
	return p
}

// matchPattern checks a text against the pattern of its field, in bounded time.
func (c *dataCheck) matchPattern(path string, f *cms.Field, s string) {
	p := c.pattern(f.Pattern)
	if p.re == nil {
		return
	}
	if len(s) > maxPatternText {
		c.addProblem(path, "must have at most %d bytes to be checked against its pattern", maxPatternText)
		return
	}
	if c.steps += len(s) * p.size; c.steps > maxPatternSteps {
		c.addProblem(path, "cannot be checked: the texts with patterns are too long together")
		return
	}
	if !p.re.MatchString(s) {
		c.addProblem(path, "must match the pattern %s", f.Pattern)
	}
}
