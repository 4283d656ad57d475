package openapi

import (
	"encoding/json"
	"slices"
	"strings"

	"headless/pkg/api/openapi/component"
	"headless/pkg/cms"
	"headless/pkg/slice"
)

// Live returns the document of the API for some models. Instead of the general routes /{model} it
// has a schema and paths for each model: PostsEntry, PostsWrite and /posts for the slug posts
// (extensions §10). models must be limited to what the reader may see; root is the absolute URL of
// the API.
func Live(root string, models []*cms.Model) ([]byte, error) {
	var doc document
	if err := doc.decodeText(api); err != nil {
		return nil, err
	}
	doc.operations = map[string]bool{}
	doc.root["servers"] = []any{tree{"url": root}}
	doc.nameModels(models)
	doc.addSchemas()
	doc.addPaths()
	component.Prune(doc.root)
	return json.Marshal(doc.root)
}

// tree is a decoded JSON object.
type tree = map[string]any

// objectAt returns the object at some keys, one below the other. It creates missing ones.
func objectAt(t tree, keys ...string) tree {
	for _, key := range keys {
		below, ok := t[key].(tree)
		if !ok {
			below = tree{}
			t[key] = below
		}
		t = below
	}
	return t
}

// document is a document that is being made for some models.
type document struct {
	root       tree
	components tree
	schemas    tree
	models     []liveModel
	names      map[string]string // of models, by slug
	operations map[string]bool   // ids of operations that are in use
}

// decodeText reads the text of a document.
func (d *document) decodeText(text string) error {
	err := json.Unmarshal([]byte(text), &d.root)
	d.components = objectAt(d.root, "components")
	d.schemas = objectAt(d.components, "schemas")
	return err
}

// liveModel is a model and the prefix of its schemas' names.
type liveModel struct {
	*cms.Model
	name string
}

// suffixes end the names of a model's schemas. No suffix ends with another one, so names of
// different kinds never collide.
var suffixes = []string{"Entry", "Write", "Data", "Related"}

// nameModels sets the names of the models, in the order of their slugs, so that the same models always
// have the same names.
func (d *document) nameModels(models []*cms.Model) {
	taken := map[string]bool{}
	for known := range d.schemas {
		taken[known] = true
	}
	d.names = map[string]string{}
	models = slices.Clone(models)
	cms.SortBySlug(models)
	for _, m := range models {
		name := TypeName(m.Slug, suffixes, taken)
		d.models = append(d.models, liveModel{m, name})
		d.names[m.Slug] = name
	}
}

// TypeName returns a slug in PascalCase, with _2, _3… after it if one of the names that it makes with
// the suffixes is taken. It adds these to taken. Generators leave underscores out, so names that differ
// by them only are the same.
func TypeName(slug string, suffixes []string, taken map[string]bool) string {
	var b strings.Builder
	for part := range strings.SplitSeq(slug, "-") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	name := b.String()
	if name[0] >= '0' && name[0] <= '9' {
		name = "Model" + name // names must not start with a digit in any language
	}
	plain := func(name string) string { return strings.ReplaceAll(name, "_", "") }
	name = freeName(name, func(name string) bool {
		return slices.ContainsFunc(suffixes, func(s string) bool { return taken[plain(name)+s] })
	})
	for _, s := range suffixes {
		taken[plain(name)+s] = true
	}
	return name
}

// addSchemas adds the schemas of every model. They are the general schemas of entries, with the
// fields of the model as data.
func (d *document) addSchemas() {
	d.schemas["IncludedFile"] = includedFile()
	for _, m := range d.models {
		entry, write := d.copyOf("Entry"), d.copyOf("EntryWrite")
		entry["description"] = "An entry of the model `" + m.Slug + "`. " + textOf(entry["description"])
		objectAt(entry, "properties")["data"] = reference(m.name + "Data")
		fields := shape{read: false}
		data := fields.objectSchema(m.Fields)
		data["type"] = []any{"object", "null"}
		objectAt(write, "properties")["data"] = data
		d.schemas[m.name+"Entry"], d.schemas[m.name+"Write"] = entry, write
		fields = shape{read: true, names: d.names}
		d.schemas[m.name+"Data"] = fields.objectSchema(m.Fields)
		d.schemas[m.name+"Related"] = tree{
			"description": "An entry of the model `" + m.Slug + "` when it is included.", "type": "object",
			"required": []any{"id", "model", "slug", "title", "data"},
			"properties": tree{
				"id": reference("Id"), "model": tree{"type": "string", "const": m.Slug},
				"slug":  reference("Slug"),
				"title": tree{"type": "string"}, "data": reference(m.name + "Data"),
			},
		}
	}
}

// copyOf returns a copy of a schema without its example, which shows another model.
func (d *document) copyOf(schema string) tree {
	copied := clone(d.schemas[schema]).(tree)
	delete(copied, "example")
	delete(copied, "examples")
	return copied
}

func textOf(v any) string {
	s, _ := v.(string)
	return s
}

func reference(schema string) tree { return tree{"$ref": "#/components/schemas/" + schema} }

// clone copies a decoded JSON value.
func clone(v any) any {
	switch v := v.(type) {
	case tree:
		copied := make(tree, len(v))
		for key, item := range v {
			copied[key] = clone(item)
		}
		return copied
	case []any:
		return slice.Map(v, clone)
	}
	return v
}

// asTree returns an object, nil for other values.
func asTree(v any) tree {
	t, _ := v.(tree)
	return t
}
