package health_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/health"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/site/renames"
)

// TestFindingsOfRenamedFields renames fields with findings, of which some are ignored, and gives their names to others.
// Each finding stays with its field, and keeps its time.
func TestFindingsOfRenamedFields(t *testing.T) {
	picture := func(name string) cms.Field { return cms.Field{Name: name, Type: cms.TypeMedia} }
	list := func(name, inner string) cms.Field {
		return cms.Field{Name: name, Type: cms.TypeList, Fields: []cms.Field{picture(inner)}}
	}
	for name, row := range map[string]struct {
		steps   [][]renames.Rename
		fields  []cms.Field // after the last step
		ignored []string
		shown   []string
	}{
		"renamed": {[][]renames.Rename{{{From: "a", To: "c"}}},
			[]cms.Field{picture("c"), picture("b"), list("l", "a")},
			[]string{"data.c", "data.l.1.a"}, []string{"data.b", "data.l.0.a"}},
		"another one has the name": {[][]renames.Rename{{{From: "a", To: "c"}}, {{From: "b", To: "a"}}},
			[]cms.Field{picture("c"), picture("a"), list("l", "a")},
			[]string{"data.c", "data.l.1.a"}, []string{"data.a", "data.l.0.a"}},
		"in a circle": {[][]renames.Rename{{{From: "a", To: "c"}}, {{From: "b", To: "a"}}, {{From: "c", To: "b"}}},
			[]cms.Field{picture("b"), picture("a"), list("l", "a")},
			[]string{"data.b", "data.l.1.a"}, []string{"data.a", "data.l.0.a"}},
		"in a list": {[][]renames.Rename{{{From: "l.a", To: "c"}, {From: "l", To: "m"}}},
			[]cms.Field{picture("a"), picture("b"), list("m", "c")},
			[]string{"data.a", "data.m.1.c"}, []string{"data.b", "data.m.0.c"}},
		"removed": {[][]renames.Rename{{{From: "a"}}, {{From: "b", To: "a"}}},
			[]cms.Field{picture("a"), list("l", "a")}, []string{"data.l.1.a"}, []string{"data.a", "data.l.0.a"}},
	} {
		for _, each := range []bool{true, false} { // a check follows each step, or the last one
			t.Run(fmt.Sprint(name, each), func(t *testing.T) {
				w := newWorld(t, 1)
				become := func(fields []cms.Field, list ...renames.Rename) *site.Model {
					now, err := w.st.Site.Site(t.Context())
					must.Do(t, err)
					next := *now.Models["notes"]
					next.Fields = fields
					next.RenameFields(list...)
					next.NextGeneration(now.Models["notes"], "en")
					tx := w.st.Begin()
					site.PutModel(tx, now, "notes", next)
					must.Do(t, w.st.Commit(t.Context(), tx))
					must.Do(t, w.entries.Reindex(t.Context()))
					return &next
				}
				check := func(m *site.Model) { must.Do(t, w.checks.Work(t.Context(), []string{"w/" + m.ID})) }
				m := become([]cms.Field{picture("a"), picture("b"), list("l", "a")})
				e, err := w.entries.Create(t.Context(), editor, "notes", w.body(`{"title": "T", "status": "published",
					"data": `+strings.ReplaceAll(`{"a": "0", "b": "0", "l": [{"a": "0"}, {"a": "0"}]}}`, "0", w.files[0])))
				must.Do(t, err)
				w.settle()
				for _, field := range []string{"data.a", "data.l.1.a"} {
					must.Do(t, w.checks.Ignore(t.Context(), editor, health.Place{Kind: health.AltMissing, ID: e.ID,
						Field: field}, false))
				}
				since := w.now
				w.now = w.now.Add(time.Hour)
				for i, list := range row.steps {
					fields := row.fields
					if i < len(row.steps)-1 {
						fields = []cms.Field{picture("c"), picture([]string{"b", "a"}[i]), row.fields[len(row.fields)-1]}
					}
					if m = become(fields, list...); each {
						check(m)
					}
				}
				check(m)
				for ignored, want := range map[bool][]string{true: row.ignored, false: row.shown} {
					found, err := w.checks.Of(t.Context(), m, e, ignored)
					must.Do(t, err)
					var got []string
					for _, f := range found.Items {
						if got = append(got, f.Field); !f.Since.Equal(since) {
							t.Errorf("%s since %v, not %v", f.Field, f.Since, since)
						}
					}
					if slices.Sort(got); !slices.Equal(got, want) {
						t.Errorf("ignored %t: %v, want %v", ignored, got, want)
					}
				}
			})
		}
	}
}
