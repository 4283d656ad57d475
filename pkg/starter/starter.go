// Package starter has the templates of new sites, each as cms export writes a site: a schema, entries, and files. The
// command cms init writes one into a folder, and Home of the admin area fills an empty service with one.
package starter

import (
	"bytes"
	"embed"
	"io/fs"

	"headless/pkg/cms"
)

// Files has a folder for each template.
//
//go:embed blog marketing
var Files embed.FS

// Names are the names of the templates.
var Names = []string{"blog", "marketing"}

// Schema returns the schema of a template.
func Schema(template string) (map[string]any, error) {
	raw, err := Files.ReadFile(template + "/schema.json")
	if err != nil {
		return nil, err
	}
	return cms.DecodeObject(raw)
}

// Content returns the lines of an import with the content of a template. Files come before the entries.
func Content(template string) (content []map[string]any, err error) {
	names, err := fs.Glob(Files, template+"/*.jsonl") // sorted: media.jsonl is the first
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		raw, err := Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(raw) {
			body, err := cms.DecodeObject(line)
			if err != nil {
				return nil, err
			}
			content = append(content, body)
		}
	}
	return content, nil
}

// File returns the bytes of a file of a template, by their hash.
func File(template, hash string) ([]byte, error) { return Files.ReadFile(template + "/files/" + hash) }
