// Command bundle writes openapi.json, admin.json and delivery.json from the YAML files under src.
// Run it with "go generate" in the parent folder. Files are merged map by map in the order of their
// names. YAML anchors and "<<" are resolved. Top-level keys that start with "x-" only contain
// anchors and are dropped.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

func main() {
	for name, folders := range documents {
		doc, err := bundle(os.DirFS("src"), folders...)
		if err == nil {
			err = os.WriteFile(name, doc, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// documents maps each output to the folders of its files.
var documents = map[string][]string{
	"openapi.json":  {"api", "shared"},
	"admin.json":    {"admin", "shared"},
	"delivery.json": {"delivery", "shared"},
}

// bundle merges the files of the folders into one JSON document and keeps the order of keys.
func bundle(src fs.FS, folders ...string) ([]byte, error) {
	doc := &yaml.Node{Kind: yaml.MappingNode}
	for _, folder := range folders {
		// The first file of a document is named info, so that "openapi" and "info" come first.
		names, err := fs.Glob(src, folder+"/*.yaml")
		if err != nil {
			return nil, err
		}
		for _, name := range infoFirst(names) {
			text, err := fs.ReadFile(src, name)
			if err != nil {
				return nil, err
			}
			var piece yaml.Node
			if err := yaml.Unmarshal(text, &piece); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if err := merge(doc, piece.Content[0]); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	var raw, out bytes.Buffer
	tree, err := decodeNode(withoutAnchors(doc))
	if err != nil {
		return nil, err
	}
	whole := normalize("", tree).(*object)
	prune(whole)
	if err := writeJSON(&raw, whole); err != nil {
		return nil, err
	}
	if err := json.Compact(&out, raw.Bytes()); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func infoFirst(names []string) []string {
	var first, rest []string
	for _, name := range names {
		if strings.HasSuffix(name, "/info.yaml") {
			first = append(first, name)
		} else {
			rest = append(rest, name)
		}
	}
	return append(first, rest...)
}

func withoutAnchors(doc *yaml.Node) *yaml.Node {
	kept := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i < len(doc.Content); i += 2 {
		if !strings.HasPrefix(doc.Content[i].Value, "x-") {
			kept.Content = append(kept.Content, doc.Content[i], doc.Content[i+1])
		}
	}
	return kept
}
