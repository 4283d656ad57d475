package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"headless/pkg/cms"
)

// parts are parts of a schema by their kind.
type parts map[string][]map[string]any

// addModels applies the schema where models are missing that the folder has entries of, or that
// these relate to: those, and the locales and folders of the export. It returns what was missing.
func addModels(c *client, dir string, schema []byte, o importOptions) (missing parts, err error) {
	var want, have parts
	if err := decode(schema, &want); err != nil {
		return nil, err
	}
	if want["models"], err = neededModels(dir, schema, want["models"]); err != nil {
		return nil, err
	}
	var current json.RawMessage
	if err := c.json(http.MethodGet, "/admin/schema", nil, &current); err != nil {
		return nil, err
	}
	if err := decode(current, &have); err != nil {
		return nil, err
	}
	missing = parts{}
	for kind, key := range map[string]string{"models": "slug", "locales": "code", "folders": "name"} {
		for _, part := range want[kind] {
			if !slices.ContainsFunc(have[kind], func(p map[string]any) bool { return p[key] == part[key] }) {
				if kind == "locales" {
					delete(part, "is_default")
				}
				missing[kind] = append(missing[kind], part)
			}
		}
	}
	if len(missing) == 0 || o.dryRun {
		return missing, nil
	}
	file, err := os.CreateTemp("", "cms-schema-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	err = json.NewEncoder(file).Encode(missing)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	return missing, apply(c, file.Name(), nil, false)
}

// neededModels are the models of a schema that a folder has a file of, and those that they relate
// to: an export of some models holds the whole schema.
func neededModels(dir string, schema []byte, models []map[string]any) ([]map[string]any, error) {
	var typed struct{ Models []*cms.Model }
	if err := json.Unmarshal(schema, &typed); err != nil {
		return nil, err
	}
	needed := map[string]bool{}
	var need func(slug string)
	var walk func(fields []cms.Field)
	walk = func(fields []cms.Field) {
		for _, f := range fields {
			if f.Type == cms.TypeRelation {
				need(f.Model)
			}
			walk(f.Fields) // of groups, lists and blocks
		}
	}
	need = func(slug string) {
		i := slices.IndexFunc(typed.Models, func(m *cms.Model) bool { return m.Slug == slug })
		if i >= 0 && !needed[slug] {
			needed[slug] = true
			walk(typed.Models[i].Fields)
		}
	}
	for _, m := range typed.Models {
		switch _, err := os.Stat(filepath.Join(dir, m.Slug+".jsonl")); {
		case err == nil:
			need(m.Slug)
		case !errors.Is(err, os.ErrNotExist):
			return nil, err
		}
	}
	return slices.DeleteFunc(models, func(m map[string]any) bool {
		slug, _ := m["slug"].(string)
		return !needed[slug]
	}), nil
}

// awaited reports whether a dry run cannot check a line, because its model or locale would be made
// first.
func (missing parts) awaited(line []byte) bool {
	var entry struct{ Model, Locale string }
	if json.Unmarshal(line, &entry) != nil {
		return false
	}
	return slices.ContainsFunc(missing["models"],
		func(m map[string]any) bool { return m["slug"] == entry.Model }) ||
		slices.ContainsFunc(missing["locales"],
			func(l map[string]any) bool { return l["code"] == entry.Locale })
}
