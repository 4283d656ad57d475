package importing

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"headless/pkg/cms"
	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
	"headless/scripts/cms/folder"
	"headless/scripts/cms/sources"
	"headless/scripts/cms/sources/markdown"
)

// sourceOptions say how the export of another system is imported.
type sourceOptions struct {
	Options
	models map[string]string // slugs by types of the source
}

// SourceReport is the report of an import from another system.
type SourceReport struct {
	Report
	Redirects int            `json:"redirects"` // created or updated
	LeftOut   []sources.Note `json:"left_out"`
}

// readSource reads an export for a service.
type readSource func(path string, t *sources.Target) (*sources.Site, error)

// importSourceCommand returns the command that imports exports of one system.
func importSourceCommand(use, short, long, example string, read readSource) *cobra.Command {
	var o sourceOptions
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.ExactArgs(1), Example: example,
		Long: long +
			"\n\nIds are made from those of the source, so that a repeated import changes the same entries. At the end\n" +
			"a report names what was left out, and why. Exit code 1 means that a record was not taken.",
		RunE: command.Work(func(c *client.Client, args []string) error { return importSource(c, args[0], read, o) }),
	}
	cmd.Flags().StringToStringVar(&o.models, "model", nil,
		"import a type of the source as another model, such as `posts=articles`")
	o.flags(cmd)
	return cmd
}

func markdownCommand() *cobra.Command {
	var o sourceOptions
	var model string
	cmd := &cobra.Command{
		Use:   "markdown DIR --model SLUG",
		Short: "Import a folder of Markdown files with front matter", Args: cobra.ExactArgs(1),
		Long: "Import a folder of Markdown files with front matter in YAML or TOML as entries of one model. Keys of the\n" +
			"front matter become fields of the same name; a model that is missing gets a field for each. Images in\n" +
			"the folder become media files. Locales are those of the front matter (locale, lang), of the first\n" +
			"folder (de/post.md) or of the name (post.de.md).",
		Example: "  cms import markdown content/posts --model posts --dry-run",
		RunE: command.Work(func(c *client.Client, args []string) error {
			read := func(dir string, t *sources.Target) (*sources.Site, error) {
				return markdown.Read(dir, model, t)
			}
			return importSource(c, args[0], read, o)
		}),
	}
	cmd.Flags().StringVar(&model, "model", "", "slug of the model")
	if err := cmd.MarkFlagRequired("model"); err != nil {
		panic(err) // the flag is defined above
	}
	o.flags(cmd)
	return cmd
}

// importSource reads an export and imports it.
func importSource(c *client.Client, path string, read readSource, o sourceOptions) error {
	target, err := importTarget(c, o.models)
	if err != nil {
		return err
	}
	return folder.Temporary(func(dir string) error {
		target.Folder = dir
		site, err := read(path, target)
		if err != nil {
			return err
		}
		return importRead(c, dir, site, o)
	})
}

// importRead imports a site that was read from a source, by way of an export in a folder.
func importRead(c *client.Client, dir string, site *sources.Site, o sourceOptions) error {
	o.names = map[string]string{}
	site.Entries = slices.DeleteFunc(site.Entries, func(e *sources.Entry) bool {
		_, again := o.names[e.ID]
		if again {
			site.Fail(e.Source, "another record has its id")
		}
		o.names[e.ID] = e.Source
		return again
	})
	for _, f := range site.Files {
		o.names[f.ID] = f.Source
	}
	report := SourceReport{LeftOut: []sources.Note{}}
	lost := map[string]string{} // URLs in the source of files that failed, by id
	for _, n := range site.Failed {
		report.Failed++
		fmt.Fprintf(os.Stderr, "%s was not taken: %s\n", n.Source, n.Reason)
	}
	if err := importSite(c, dir, site, o, &report.Report, lost); err != nil {
		return err
	}
	if !o.DryRun {
		if err := putRedirects(c, site.Redirects, lost, &report); err != nil {
			return err
		}
	}
	report.LeftOut = append(report.LeftOut, site.Notes...)
	if err := report.show(o.AsJSON); err != nil {
		return err
	}
	return report.Err()
}

// show prints the report.
func (r *SourceReport) show(asJSON bool) error {
	if asJSON {
		return json.NewEncoder(command.Stdout).Encode(r)
	}
	for _, n := range r.LeftOut {
		times := ""
		if n.Count > 1 {
			times = fmt.Sprintf(" (%d times)", n.Count)
		}
		fmt.Fprintf(os.Stderr, "%s: %s%s\n", n.Source, n.Reason, times)
	}
	r.Print()
	if r.Redirects > 0 {
		fmt.Fprintf(os.Stderr, "%d redirects\n", r.Redirects)
	}
	return nil
}

// importTarget reads the models and locales of the service that an import is for. renames are slugs of
// models by types of the source.
func importTarget(c *client.Client, renames map[string]string) (*sources.Target, error) {
	t := &sources.Target{Rename: renames}
	var schema struct {
		Models  []*cms.Model
		Locales []cms.Locale
	}
	if err := c.JSON(http.MethodGet, "/admin/schema", nil, &schema); err != nil {
		return nil, err
	}
	t.Models = schema.Models
	for _, l := range schema.Locales {
		t.Locales = append(t.Locales, l.Code)
		if l.IsDefault {
			t.DefaultLocale = l.Code
		}
	}
	return t, nil
}

// importSite imports the content of a source: models and files first, then entries. The texts of
// the entries get the URLs that the files then have on the service. lost gets the URLs in the
// source of files that failed, by id.
func importSite(c *client.Client, dir string, site *sources.Site, o sourceOptions, report *Report,
	lost map[string]string) error {
	if err := writeSchema(dir, site); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "files"), 0o700); err != nil {
		return err
	}
	if err := writeFiles(dir, site, o, report, lost); err != nil {
		return err
	}
	known := maps.Clone(lost)
	if err := Into(c, dir, o.Options, report); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, "media.jsonl")); err != nil {
		return err
	}
	address := func(id string) string { return fileAddress(c, id, known) }
	for _, m := range site.Models {
		if err := writeEntries(dir, m, site.Entries, address, o.DryRun); err != nil {
			return err
		}
	}
	return Into(c, dir, o.Options, report)
}

// fileAddress returns the URL of a file on the service. known is a cache of these URLs; for a file
// that failed it has the URL in the source.
func fileAddress(c *client.Client, id string, known map[string]string) string {
	if address, ok := known[id]; ok {
		return address
	}
	var file struct{ URL string }
	if err := c.JSON(http.MethodGet, "/admin/media/"+id, nil, &file); err != nil {
		file.URL = "/media/" + id
	}
	known[id] = file.URL
	return file.URL
}
