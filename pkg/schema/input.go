package schema

import (
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/slice"
)

// input is a decoded schema: the parts of each kind. A nil list was not sent.
type input struct {
	parts   map[string][]map[string]any
	deletes map[string][]string
	renames []rename
}

// rename is a renamed field of a model, or a model with a new slug if model is "".
type rename struct{ model, from, to string }

// kinds are the kinds of parts in the order of a document.
var kinds = []string{"models", "locales", "settings", "forms", "folders", "webhooks", "roles", "redirects"}

// decodeInput reads a schema and reports what it cannot read.
func decodeInput(body map[string]any, p cms.Problems) input {
	in := input{parts: map[string][]map[string]any{}, deletes: map[string][]string{}}
	for key, v := range body {
		switch {
		case slices.Contains(kinds, key):
			in.parts[key] = objects(p, key, v)
		case key == "deletes":
			in.decodeDeletes(v, p)
		case key == "renames":
			for i, r := range objects(p, key, v) {
				in.renames = append(in.renames, decodeRename(r, "renames."+strconv.Itoa(i), p))
			}
		default:
			p.Add(key, "is not a known key")
		}
	}
	return in
}

// objects reads a list of objects.
func objects(p cms.Problems, path string, v any) []map[string]any {
	if v == nil {
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		p.Add(path, "must be a list")
		return nil
	}
	out := make([]map[string]any, len(list))
	for i, item := range list {
		if out[i], ok = item.(map[string]any); !ok {
			p.Add(path+"."+strconv.Itoa(i), "must be an object")
			out[i] = map[string]any{}
		}
	}
	return out
}

func (in *input) decodeDeletes(v any, p cms.Problems) {
	object, ok := v.(map[string]any)
	if !ok && v != nil {
		p.Add("deletes", "must be an object")
	}
	for kind, names := range object {
		at := "deletes." + kind
		if !slices.Contains(kinds, kind) {
			p.Add(at, "is not a known key; known: %s", strings.Join(kinds, ", "))
			continue
		}
		list, ok := names.([]any)
		if !ok && names != nil {
			p.Add(at, "must be a list of names")
		}
		for i, item := range list {
			name, ok := item.(string)
			if !ok || name == "" {
				p.Add(at+"."+strconv.Itoa(i), "must be a name")
			} else {
				in.deletes[kind] = append(in.deletes[kind], name)
			}
		}
		if found := in.deletes[kind]; found != nil {
			in.deletes[kind] = slice.Distinct(found)
		}
	}
}

func decodeRename(body map[string]any, at string, p cms.Problems) rename {
	var r rename
	for key, v := range body {
		text, ok := v.(string)
		switch {
		case key != "model" && key != "from" && key != "to":
			p.Add(at+"."+key, "is not a known key")
		case !ok && v != nil:
			p.Add(at+"."+key, "must be a string")
		case key == "model":
			r.model = text
		case key == "from":
			r.from = text
		default:
			r.to = text
		}
	}
	p.Require(at+".from", r.from)
	p.Require(at+".to", r.to)
	return r
}
