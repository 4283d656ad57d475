package refs

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/markdown"
	"headless/pkg/slice"
)

// Reference is an id of a media file or of an entry inside data.
type Reference struct {
	Path  string        // for problems: data.blocks.0.image
	Kind  cms.FieldType // TypeMedia or TypeRelation
	Model string        // the related model's slug, for TypeRelation
	ID    string
	Mimes []string // for TypeMedia: the allowed types, see MatchMime
}

// WithStoredIDs returns data with the ids of references in lower case, in which they are stored and
// compared. Blocks in texts stay as written, like all texts. data itself never changes.
func WithStoredIDs(fields []cms.Field, data map[string]any) map[string]any {
	return cms.Rewrite(fields, data, func(o *cms.Edited, fields []cms.Field) {
		for i := range fields {
			f := &fields[i]
			v := o.Object[f.Name]
			items, isList := v.([]any)
			switch {
			case !f.IsReference():
			case isList:
				if slices.ContainsFunc(items, func(item any) bool { return !hasStoredID(f, item) }) {
					o.Copy()[f.Name] = slice.Map(items, func(item any) any { return withStoredID(f, item) })
				}
			case !hasStoredID(f, v):
				o.Copy()[f.Name] = withStoredID(f, v)
			}
		}
	})
}

// hasStoredID reports whether a value of a reference has its id in lower case, or none.
func hasStoredID(f *cms.Field, v any) bool {
	_, id := f.Target(v)
	return id == strings.ToLower(id) || !cms.IsUUID(id)
}

func withStoredID(f *cms.Field, v any) any {
	if hasStoredID(f, v) {
		return v
	}
	_, id := f.Target(v)
	if object, ok := v.(map[string]any); ok { // of a relation to several models
		object = maps.Clone(object)
		object["id"] = strings.ToLower(id)
		return object
	}
	return strings.ToLower(id)
}

// References finds every well-formed id in data, in the order of the definition. The use cases
// check whether the targets exist.
func References(m *cms.Model, data map[string]any) []Reference {
	return appendReferences(nil, "data", m.Fields, data)
}

func appendReferences(refs []Reference, path string, fields []cms.Field, object map[string]any) []Reference {
	for i := range fields {
		f := &fields[i]
		v := object[f.Name]
		if v == nil || !f.IsReference() && !f.HasFields() && !f.HasBlockTypes() {
			continue
		}
		at := path + "." + f.Name
		if text, ok := v.(string); ok && f.HasBlockTypes() {
			for n, b := range markdown.Blocks(f, text) {
				refs = appendReferences(refs, markdown.BlockPath(at, n), f.FieldsOf(markdown.Part(b)), b.Values)
			}
			continue
		}
		items, isList := v.([]any)
		if !isList {
			refs = appendReference(f, refs, at, v)
			continue
		}
		for j, item := range items {
			refs = appendReference(f, refs, at+"."+strconv.Itoa(j), item)
		}
	}
	return refs
}

// appendReference appends the id in v, or the ids in the fields of the object v.
func appendReference(f *cms.Field, refs []Reference, at string, v any) []Reference {
	if f.IsReference() {
		if model, id := f.Target(v); cms.IsUUID(id) && (f.Type == cms.TypeMedia || slices.Contains(f.Targets(), model)) {
			refs = append(refs, Reference{Path: at, Kind: f.Type, Model: model, ID: id, Mimes: f.Mimes})
		}
	} else if object, ok := v.(map[string]any); ok {
		return appendReferences(refs, at, f.FieldsOf(object), object)
	}
	return refs
}
