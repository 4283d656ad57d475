package schema

import (
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/site"
	"headless/pkg/site/renames"
)

// followRenames adds the models that the schema does not mention and that relate to a renamed
// model.
func (w *work) followRenames(changed []*modelChange) []*modelChange {
	for _, c := range changed {
		if c.was == nil || c.from == c.now.Slug {
			continue
		}
		for _, m := range sortedModels(w.target) {
			mentioned := slices.ContainsFunc(changed, func(o *modelChange) bool { return o.now.ID == m.ID })
			if mentioned || !site.RelatesTo(m.Fields, c.from) {
				continue
			}
			follower := &modelChange{at: c.at, was: m, now: *m, from: m.Slug}
			follower.now.Fields = site.FollowRename(m.Fields, c.from, c.now.Slug)
			changed = append(changed, follower)
			w.target.Models[m.Slug] = &follower.now
		}
	}
	return changed
}

// withoutMadeRenames returns a schema without the renames that the site has already, and the paths of those.
func (st *state) withoutMadeRenames(schema map[string]any) (left map[string]any, made []string) {
	list, _ := schema["renames"].([]any)
	var others []any
	for i, v := range list {
		body, _ := v.(map[string]any)
		if st.isMade(decodeRename(body, "", cms.Problems{})) {
			made = append(made, "renames."+strconv.Itoa(i))
		} else {
			others = append(others, v)
		}
	}
	if len(made) == 0 {
		return schema, nil
	}
	return withKey(schema, "renames", others), made
}

// isMade reports whether the site has the new name, and not the former one.
func (st *state) isMade(r rename) bool {
	if r.model == "" {
		return st.site.Models[r.from] == nil && st.site.Models[r.to] != nil
	}
	m := st.site.Models[r.model]
	return m != nil && renames.FieldAt(m.Fields, r.from) == nil && renames.FieldAt(m.Fields, r.to) != nil
}

// madeAlready says that a rename is in the schema for the second time.
const madeAlready = "has the name %q already: take this rename out of the schema"

// checkRenames reports renames that have no effect.
func (w *work) checkRenames(changed []*modelChange) {
	for i, r := range w.in.renames {
		at := "renames." + strconv.Itoa(i)
		j := slices.IndexFunc(changed, func(c *modelChange) bool {
			return r.model != "" && c.now.Slug == r.model || r.model == "" && c.now.Slug == r.to
		})
		if r.from == "" || r.to == "" {
			continue // already reported
		}
		for _, other := range w.in.renames[:i] {
			if other.model == r.model && other.to == r.to {
				w.problems.Add(at+".to", "is the new name of another one too")
			}
			if other.model == r.model && other.from == r.from {
				w.problems.Add(at+".from", "is renamed twice")
			}
		}
		switch {
		case r.model != "":
		case w.st.isMade(r):
			w.problems.Add(at+".from", madeAlready, r.to)
		case w.st.site.Models[r.from] == nil:
			w.problems.Add(at+".from", "there is no model %q", r.from)
		case w.isTreated("models", "slug", r.from):
			w.problems.Add(at+".from", "is still a model in the schema, or among its deletes")
		}
		switch {
		case j < 0 && r.model != "":
			w.problems.Add(at+".model", "is no model that this schema mentions")
		case j < 0:
			w.problems.Add(at+".to", "is no model that this schema mentions")
		case r.model != "":
			w.renameField(at, r, changed[j])
		}
	}
}

// renameField reports why a field cannot be renamed.
func (w *work) renameField(at string, r rename, c *modelChange) {
	var before []cms.Field
	if c.was != nil {
		before = c.was.Fields
	}
	renamed := w.renamedFields(r.model)
	parent, last := cutName(r.from)
	switch {
	case w.st.isMade(r):
		w.problems.Add(at+".from", madeAlready, r.to)
		return
	case renames.FieldAt(before, r.from) == nil:
		w.problems.Add(at+".from", "is not a field of this model")
	case renames.FieldAt(c.now.Fields, newPath(renamed, parent)+last) != nil:
		w.problems.Add(at+".from", "is still a field in the schema")
	}
	toParent, toLast := cutName(r.to)
	switch {
	case renames.FieldAt(c.now.Fields, r.to) == nil:
		w.problems.Add(at+".to", "is not a field of this model in the schema")
	case toParent != newPath(renamed, parent):
		w.problems.Add(at+".to", "must stay in the same group, list or block")
	case renames.FieldAt(before, parent+toLast) != nil:
		w.problems.Add(at+".to", "is a field of this model already")
	}
}

// renamedFields maps the paths of a model's renamed fields to their new last names.
func (w *work) renamedFields(slug string) map[string]string {
	names := map[string]string{}
	for _, r := range w.in.renames {
		if r.model == slug && r.model != "" {
			_, names[r.from] = cutName(r.to)
		}
	}
	return names
}

// cutName splits a path into its parent, with a dot at the end, and its last name.
func cutName(path string) (parent, name string) {
	i := strings.LastIndexByte(path, '.') + 1
	return path[:i], path[i:]
}

// newPath returns the path of a parent, which ends with a dot, with the new names of renamed
// fields.
func newPath(renamed map[string]string, parent string) string {
	was, now := "", ""
	for name := range strings.SplitSeq(strings.TrimSuffix(parent, "."), ".") {
		if name == "" {
			continue
		}
		was += name
		if to, ok := renamed[was]; ok {
			name = to
		}
		was, now = was+".", now+name+"."
	}
	return now
}
