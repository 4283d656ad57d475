package editing

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/markdown"
	"headless/pkg/site"
)

// Fit returns the values of a new entry of a model that were stored under an earlier definition: without
// what the fields do not take any more, without unique values, and without references to entries and files
// that do not exist or that the caller may not read. It changes values in place.
func (s *Entries) Fit(ctx context.Context, site *site.Site, m *site.Model,
	values map[string]any) (map[string]any, error) {
	for _, f := range m.Fields {
		if f.Unique {
			delete(values, f.Name)
		}
	}
	e := &cms.Entry{Title: m.Name, Status: cms.StatusDraft}
	cms.EntryPatch{Data: m.WithoutNulls(values)}.Apply(e)
	for {
		p := markdown.Checks.Incomplete(&m.Model, cms.EntryPatch{}, e)
		if err := s.checkReferences(ctx, p, site, m, nil, e); err != nil {
			return nil, err
		}
		cut := cutter{}
		for path := range p {
			if inner, ok := strings.CutPrefix(path, "data."); ok {
				cut.cut(e.Data, strings.Split(inner, "."))
			}
		}
		if !cut.any {
			return e.Data, nil
		}
		e.Data, _ = closeUp(e.Data).(map[string]any)
	}
}

// cutter removes values by their paths. Items of lists become nothing{} first, so that the others keep their
// indexes.
type cutter struct{ any bool }

type nothing struct{}

// cut removes the value at a path, or the innermost value around the path if it has none. A text stays whole,
// whatever stands in it. The result is false if v has nothing on the path.
func (c *cutter) cut(v any, path []string) bool {
	switch v := v.(type) {
	case string, nothing:
		return true
	case map[string]any:
		inner, ok := v[path[0]]
		if ok && (len(path) == 1 || !c.cut(inner, path[1:])) {
			delete(v, path[0])
			c.any = true
		}
		return ok
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(v) {
			return false
		}
		if len(path) == 1 || !c.cut(v[i], path[1:]) {
			v[i] = nothing{}
			c.any = true
		}
		return true
	}
	return false
}

// closeUp removes what cut left of items of lists.
func closeUp(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			v[key] = closeUp(inner)
		}
	case []any:
		v = slices.DeleteFunc(v, func(item any) bool { return item == nothing{} })
		for i := range v {
			v[i] = closeUp(v[i])
		}
		return v
	}
	return v
}
