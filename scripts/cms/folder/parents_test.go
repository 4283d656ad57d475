package folder

import (
	"os"
	"path/filepath"
	"testing"

	"headless/pkg/must"
)

func TestParentsFirst(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pages.jsonl")
	for _, c := range []struct{ name, lines, want string }{
		{"in order", `{"id":"a","parent":null}` + "\n" + `{"id":"b","parent":"a"}` + "\n", ""},
		{"no tree", `{"id":"b","data":{"parent":"a"}}` + "\n" + `{"id":"a"}` + "\n", ""},
		{"empty", "", ""},
		{"a parent elsewhere", `{"id":"b","parent":"x"}` + "\n" + `{"id":"a","parent":null}` + "\n", ""},
		{"moved below later ones", `{"id":"c","parent":"b","n":1}` + "\n" + `{"id":"d","parent":null}` + "\n" +
			`{"id":"b","parent":"a"}` + "\n" + `{"id":"a","parent":null}` + "\n",
			`{"id":"a","parent":null}` + "\n" + `{"id":"b","parent":"a"}` + "\n" + `{"id":"c","parent":"b","n":1}` + "\n" +
				`{"id":"d","parent":null}` + "\n"},
		{"a circle", `{"id":"a","parent":"b"}` + "\n" + `{"id":"b","parent":"a"}` + "\n",
			`{"id":"b","parent":"a"}` + "\n" + `{"id":"a","parent":"b"}` + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.lines
			}
			must.Do(t, os.WriteFile(name, []byte(c.lines), 0o600))
			must.Do(t, ParentsFirst(name))
			if got, err := os.ReadFile(name); err != nil || string(got) != c.want {
				t.Errorf("%v\n%s", err, got)
			}
		})
	}
}
