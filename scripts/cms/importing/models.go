package importing

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
	"headless/scripts/cms/folder"
	"headless/scripts/cms/schema"
)

// parts are parts of a schema by their kind.
type parts map[string][]map[string]any

// addModels adds to the service the missing models that the folder has entries of or that these
// relate to, and the missing locales and folders of the export. It returns what was missing. A dry
// run adds nothing.
func addModels(c *client.Client, dir string, document []byte, o Options) (missing parts, err error) {
	var want, have parts
	if err := cms.Unmarshal(document, &want); err != nil {
		return nil, err
	}
	if want["models"], err = neededModels(dir, document, want["models"]); err != nil {
		return nil, err
	}
	if err := c.JSON(http.MethodGet, "/admin/schema", nil, &have); err != nil {
		return nil, err
	}
	missing = parts{}
	for kind, key := range map[string]string{"models": "slug", "locales": "code", "folders": "name"} {
		if lacking := missingIn(have, want, kind, key); len(lacking) > 0 {
			missing[kind] = lacking
		}
	}
	for _, locale := range missing["locales"] {
		delete(locale, "is_default")
	}
	if len(missing) == 0 || o.DryRun {
		return missing, nil
	}
	raw, err := json.Marshal(missing)
	if err != nil {
		return nil, err
	}
	plan, err := schema.MakePlan(c, raw)
	if err != nil {
		return nil, err
	}
	plan.Print(os.Stderr) // standard output is for the report
	return missing, plan.Apply(c, raw, nil)
}

// readSchema reads the schema of an export.
func readSchema(dir string) (json.RawMessage, error) {
	f, err := folder.Open(dir, "schema.json")
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(f)
	return command.WithoutMark(raw), errors.Join(err, f.Close())
}

// noteLeftOut names the parts of an export's schema that an import does not add and the service lacks. They are
// configuration: a role gives rights, and a webhook sends content elsewhere.
func noteLeftOut(c *client.Client, dir string) error {
	document, err := readSchema(dir)
	if err != nil {
		return err
	}
	var want, have parts
	if err := cms.Unmarshal(document, &want); err != nil {
		return err
	}
	if err := c.JSON(http.MethodGet, "/admin/schema", nil, &have); err != nil {
		return err
	}
	var lacking []string
	for _, kind := range [][2]string{{"forms", "slug"}, {"redirects", "from"}, {"roles", "slug"}, {"webhooks", "name"}} {
		if n := len(missingIn(have, want, kind[0], kind[1])); n > 0 {
			lacking = append(lacking, fmt.Sprintf("%s (%d)", kind[0], n))
		}
	}
	if len(lacking) > 0 {
		fmt.Fprintf(os.Stderr, "Left out of schema.json: %s. cms schema plan FILE shows them, and cms schema apply FILE "+
			"adds them.\n", strings.Join(lacking, ", "))
	}
	return nil
}

// missingIn returns the parts of a kind that have lacks. key names a part.
func missingIn(have, want parts, kind, key string) (missing []map[string]any) {
	for _, part := range want[kind] {
		if !slices.ContainsFunc(have[kind], func(p map[string]any) bool { return p[key] == part[key] }) {
			missing = append(missing, part)
		}
	}
	return missing
}

// neededModels returns the models of a schema that a folder has a file of, and the models that they
// relate to. An export of only some models has the whole schema all the same.
func neededModels(dir string, document []byte, models []map[string]any) ([]map[string]any, error) {
	var typed struct{ Models []*cms.Model }
	if err := json.Unmarshal(document, &typed); err != nil {
		return nil, err
	}
	needed := map[string]bool{}
	var need func(slug string)
	var walk func(fields []cms.Field)
	walk = func(fields []cms.Field) {
		for _, f := range fields {
			if f.Type == cms.TypeRelation {
				for _, slug := range f.Targets() {
					need(slug)
				}
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

// isAwaited reports whether a dry run cannot check a line, because its model or locale does not exist
// yet.
func (missing parts) isAwaited(line []byte) bool {
	var record struct {
		Model, Locale string
		Items         map[string]any // of a menu, by locale
	}
	if json.Unmarshal(line, &record) != nil {
		return false
	}
	return slices.ContainsFunc(missing["models"],
		func(m map[string]any) bool { return m["slug"] == record.Model }) ||
		slices.ContainsFunc(missing["locales"], func(l map[string]any) bool {
			code, _ := l["code"].(string)
			_, used := record.Items[code]
			return used || code == record.Locale
		})
}
