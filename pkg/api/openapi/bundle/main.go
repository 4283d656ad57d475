// Command bundle writes openapi.json, admin.json and delivery.json from the YAML files under src.
// Run it with "go generate" in the parent folder. Files are merged map by map. YAML anchors and "<<" are
// resolved. Top-level keys that start with "x-" only contain anchors and are dropped.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"

	"headless/pkg/api/openapi/component"
	"headless/pkg/cms"
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

// bundle merges the files of the folders into one JSON document.
func bundle(src fs.FS, folders ...string) ([]byte, error) {
	doc := object{}
	for _, folder := range folders {
		names, err := fs.Glob(src, folder+"/*.yaml")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			var piece object
			text, err := fs.ReadFile(src, name)
			if err == nil {
				err = yaml.Unmarshal(text, &piece)
			}
			if err == nil {
				err = merge(doc, piece)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	doc = normalize("", doc).(object)
	inlineWebhooks(doc)
	component.Prune(doc)
	out, err := cms.Marshal(doc)
	return append(out, '\n'), err
}

// merge adds the keys of from to into, map by map. Two files may share a map, but not a value.
func merge(into, from object) error {
	for key, value := range from {
		known, shared := into[key].(object)
		more, ok := value.(object)
		switch {
		case strings.HasPrefix(key, "x-"):
		case shared && ok:
			if err := merge(known, more); err != nil {
				return err
			}
		case into[key] != nil:
			return fmt.Errorf("%q is already defined", key)
		default:
			into[key] = value
		}
	}
	return nil
}
