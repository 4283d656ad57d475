package renames

import (
	"slices"

	"headless/pkg/cms"
)

// Changes has the new names of fields and models, which definitions before and after a change do not tell.
type Changes struct {
	Fields map[string]string // new last names by paths before
	Slugs  map[string]string // new slugs of models by former ones
}

// Between lists how stored values change between two levels of fields of a model: fields that are
// renamed, those that are removed or get another type if lossy is set, and relations that lead to other
// models than before. The deepest come first, because the stored path of each has the old names of its parents.
func (c Changes) Between(was, now []cms.Field, lossy bool) []Rename {
	return c.appendRenames(nil, was, now, "", "", lossy, false)
}

func (c Changes) appendRenames(list []Rename, was, now []cms.Field, path, stored string,
	lossy, block bool) []Rename {
	for i := range was {
		f := &was[i]
		to, ok := c.Fields[path+f.Name]
		if !ok {
			to = f.Name
		}
		step := f.Name
		if block {
			step = blockStep(f.Name)
		}
		next := cms.FieldNamed(now, to)
		if next == nil {
			if lossy {
				list = append(list, Rename{From: stored + step})
			}
			continue
		}
		if f.Type == next.Type {
			list = c.appendRenames(list, f.Fields, next.Fields, path+f.Name+".", stored+step+".", lossy,
				f.HasBlockTypes())
		}
		r := Rename{From: stored + step, To: to, Models: c.models(f, next),
			Retyped: lossy && (f.Type != next.Type || f.Many != next.Many)}
		if to != f.Name && cms.FieldNamed(was, to) == nil {
			gone := to // of a field that the admin area removed, which keeps the values in their rows
			if block {
				gone = blockStep(to)
			}
			list = append(list, Rename{From: stored + gone})
		}
		if to != f.Name || r.Models != nil || r.Retyped {
			list = append(list, r)
		}
	}
	return list
}

// models returns how the values of a relation change that leads to several models in place of one, or the
// other way, or to a model with a new slug; nil for other changes.
func (c Changes) models(was, now *cms.Field) map[string]string {
	several := len(was.Models) > 0
	if was.Type != cms.TypeRelation || now.Type != cms.TypeRelation || !several && len(now.Models) == 0 {
		return nil
	}
	var models map[string]string
	for _, from := range was.Targets() {
		to, ok := c.Slugs[from]
		if !ok {
			to = from
		}
		value := from
		if !several {
			value = ""
		}
		after := to
		if len(now.Models) == 0 {
			after = ""
		}
		if slices.Contains(now.Targets(), to) && value != after {
			if models == nil {
				models = map[string]string{}
			}
			models[value] = after
		}
	}
	return models
}
