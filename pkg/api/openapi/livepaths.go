package openapi

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/api/openapi/component"
	"headless/pkg/cms"
)

const (
	anyModel    = "/{model}" // prefix of the routes that serve every model
	modelParam  = "#/components/parameters/Model"
	entrySchema = "#/components/schemas/Entry"
	writeSchema = "#/components/schemas/EntryWrite"
	anyEntry    = "/{idOrSlug}"
)

// addPaths replaces the general routes by routes of every model.
func (d *document) addPaths() {
	paths := objectAt(d.root, "paths")
	general := tree{}
	for path, item := range paths {
		if path == anyModel || strings.HasPrefix(path, anyModel+"/") {
			general[path] = item
			delete(paths, path)
			continue
		}
		for _, op := range asTree(item) {
			d.operations[textOf(asTree(op)["operationId"])] = true
		}
	}
	tags, _ := d.root["tags"].([]any)
	for _, m := range d.models {
		tags = append(tags, tree{"name": m.Slug, "description": "Entries of the model “" + m.Name + "”."})
		for _, path := range slices.Sorted(maps.Keys(general)) {
			if path == treePath && !m.Tree {
				continue
			}
			item := d.specialize(m, general[path], map[string]bool{}).(tree)
			d.finishPath(m, path, item)
			paths["/"+m.Slug+strings.TrimPrefix(path, anyModel)] = item
			if m.Kind == cms.KindSingle && path == anyModel+anyEntry {
				paths["/"+m.Slug+"/single"] = d.single(m, item)
			}
		}
	}
	d.root["tags"] = tags
}

// specialize copies a value for a model. It replaces the general schemas of entries by those of the
// model, and inlines components that refer to them. open has the components that are being inlined.
func (d *document) specialize(m liveModel, v any, open map[string]bool) any {
	switch v := v.(type) {
	case []any:
		list := make([]any, 0, len(v))
		for _, item := range v {
			if textOf(asTree(item)["$ref"]) != modelParam {
				list = append(list, d.specialize(m, item, open))
			}
		}
		return list
	case tree:
		switch ref := textOf(v["$ref"]); {
		case ref == entrySchema:
			return reference(m.name + "Entry")
		case ref == writeSchema:
			return reference(m.name + "Write")
		case ref != "" && !open[ref] && d.leadsToEntry(ref, map[string]bool{}):
			open[ref] = true
			defer delete(open, ref)
			return d.specialize(m, component.At(d.root, ref), open)
		}
		copied := make(tree, len(v))
		for key, item := range v {
			if (key == "example" || key == "examples") && textOf(v["in"]) == "" {
				continue // the example shows an entry of another model
			}
			copied[key] = d.specialize(m, item, open)
		}
		return copied
	}
	return v
}

// leadsToEntry reports whether a component refers to the schemas of entries, directly or
// indirectly.
func (d *document) leadsToEntry(ref string, seen map[string]bool) bool {
	if ref == entrySchema || ref == writeSchema {
		return true
	}
	if seen[ref] {
		return false
	}
	seen[ref] = true
	found := false
	component.EachRef(component.At(d.root, ref), func(next string) { found = found || d.leadsToEntry(next, seen) })
	return found
}

// finishPath sets the ids and tags of a model's path, and selects the response for the kind of the
// model.
func (d *document) finishPath(m liveModel, path string, item tree) {
	for method, v := range item {
		op := asTree(v)
		if op["operationId"] == nil {
			continue // parameters
		}
		op["operationId"] = d.operationID(m, textOf(op["operationId"]))
		op["tags"] = []any{m.Slug}
		if path == anyModel && method == "get" {
			chooseAnswer(op, m.Kind)
		}
	}
}

// operationID returns the name of an operation on a model: listPostsEntries, publishEntryOfPosts.
func (d *document) operationID(m liveModel, general string) string {
	id := strings.Replace(general, "Entries", m.name+"Entries", 1)
	if id == general {
		id = strings.Replace(general, "Entry", m.name+"Entry", 1)
	}
	if id == general {
		id = general + "Of" + m.name
	}
	id = freeName(id, func(id string) bool { return d.operations[id] })
	d.operations[id] = true
	return id
}

// freeName returns a name, with the suffix _2, _3… if it is taken.
func freeName(name string, taken func(string) bool) string {
	id := name
	for n := 2; taken(id); n++ {
		id = name + "_" + strconv.Itoa(n)
	}
	return id
}

// chooseAnswer keeps the list response for a collection, and the entry response for a single-type
// model.
func chooseAnswer(op tree, kind cms.ModelKind) {
	content := objectAt(op, "responses", "200", "content", "application/json")
	choices, _ := objectAt(content, "schema")["anyOf"].([]any)
	if len(choices) != 2 {
		return
	}
	content["schema"] = choices[0]
	if kind == cms.KindSingle {
		content["schema"] = choices[1]
	}
}

// single returns the route /{model}/single, which has the same responses as the route by id.
func (d *document) single(m liveModel, byID tree) tree {
	item := tree{}
	for method, id := range map[string]string{"get": "getSingle", "put": "updateSingle", "delete": "deleteSingle"} {
		op := clone(byID[method]).(tree)
		op["operationId"] = d.operationID(m, id)
		item[method] = op
	}
	get := asTree(item["get"])
	get["summary"] = "Read the entry of a single-type model"
	delete(get, "description")
	return item
}
