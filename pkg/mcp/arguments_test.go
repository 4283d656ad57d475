package mcp

import (
	"strings"
	"testing"
)

// TestCheckArguments: an agent that guesses the name of an argument is told the names that there are, also where it
// leaves out a required one.
func TestCheckArguments(t *testing.T) {
	tool := schema(props{"q": textSchema("Words."), "models": textSchema("Slugs.")}, "q")
	for _, test := range []struct {
		args map[string]any
		want string
	}{
		{map[string]any{"query": "lamp"}, `no argument "query". Known: models, q`},
		{map[string]any{"models": "posts"}, `"q" is required`},
		{map[string]any{"q": true}, `"q" must be of type string`},
	} {
		if err := checkArguments(tool, test.args); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %s", test.args, err, test.want)
		}
	}
	if err := checkArguments(schema(nil), map[string]any{"x": 1}); !strings.HasSuffix(err.Error(), "Known: none") {
		t.Error(err)
	}
	if err := checkArguments(tool, map[string]any{"q": "lamp", "models": nil}); err != nil {
		t.Error(err)
	}
}
