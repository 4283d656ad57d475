package importing

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
	"headless/scripts/cms/folder"
	"headless/scripts/cms/schema"
	"headless/scripts/cms/sources/contentful"
	"headless/scripts/cms/sources/strapi"
	"headless/scripts/cms/sources/wordpress"
)

// Options say how records are imported.
type Options struct {
	DryRun     bool
	OnConflict string // ConflictNewer, ConflictSkip or ConflictFail; "" is ConflictNewer
	AsJSON     bool
	// names has the names of records in their source by id. Other records are named by model and
	// id.
	names    map[string]string
	contents map[string]string // results of files whose bytes were sent or differ, by id
	refused  map[string]bool   // ids of lines that the service refused
}

// What is done with a record that exists and differs.
const (
	ConflictNewer = "newer"
	ConflictSkip  = "skip"
	ConflictFail  = "fail"
)

// name returns the name of a record in messages.
func (o *Options) name(model, id string) string {
	if name := o.names[id]; name != "" {
		return name
	}
	return model + " " + id
}

// Command returns the command import with its subcommands.
func Command() *cobra.Command {
	var o Options
	cmd := &cobra.Command{
		Use: "import DIR", Short: "Take what an export holds", Args: cobra.ExactArgs(1),
		Example: "  cms import backup --dry-run",
		RunE:    command.Work(func(c *client.Client, args []string) error { return Folder(c, args[0], o) }),
	}
	o.flags(cmd)
	cmd.AddCommand(
		markdownCommand(),
		importSourceCommand("wordpress FILE", "Import an export of WordPress (WXR)",
			"Import an export of WordPress (Tools, Export: All content): posts, pages, media, authors, categories, tags\n"+
				"and the languages of Polylang and WPML. Files are downloaded from the site. Texts become Markdown.",
			"  cms import wordpress site.xml --model posts=articles", wordpress.Read),
		importSourceCommand("contentful FILE", "Import an export of Contentful",
			"Import the JSON file of contentful space export: content types, entries in all locales, and assets, which\n"+
				"are taken from beside the file (--download-assets) or downloaded. Rich text becomes Markdown.",
			"  cms import contentful contentful-export.json --model blogPost=posts", contentful.Read),
		importSourceCommand("strapi FILE", "Import an export of Strapi",
			"Import a file of strapi export --no-encrypt (Strapi 4 and 5): content types, components, dynamic zones,\n"+
				"relations, locales and files.",
			"  cms import strapi export.tar.gz --model articles=posts", strapi.Read),
	)
	return cmd
}

// flags adds the flags that every import has.
func (o *Options) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "check, and change nothing")
	cmd.Flags().StringVar(&o.OnConflict, "on-conflict", ConflictNewer,
		"what to do with a record that is there and differs: skip, newer or fail")
	command.JSONFlag(cmd, &o.AsJSON)
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if !slices.Contains([]string{ConflictNewer, ConflictSkip, ConflictFail}, o.OnConflict) {
			return fmt.Errorf("--on-conflict is newer, skip or fail, not %q", o.OnConflict)
		}
		return nil
	}
}

// Folder imports the schema, files and entries of an export. Records that fail are named, and the
// others are imported.
func Folder(c *client.Client, dir string, o Options) error {
	var report Report
	err := cmp.Or(Into(c, dir, o, &report), noteLeftOut(c, dir))
	if o.AsJSON {
		err = errors.Join(err, json.NewEncoder(command.Stdout).Encode(report))
	} else {
		report.Print()
	}
	if err != nil {
		return err
	}
	return report.Err()
}

// Into is like Folder, but adds the results to report instead of printing them. Records that fail
// are no error.
func Into(c *client.Client, dir string, o Options, report *Report) error {
	o.contents, o.refused, o.OnConflict = map[string]string{}, map[string]bool{}, cmp.Or(o.OnConflict, ConflictNewer)
	raw, err := readSchema(dir)
	if err != nil {
		return err
	}
	missing, err := addModels(c, dir, raw, o)
	if err != nil {
		return err
	}
	slugs, err := schema.ModelSlugs(raw)
	if err != nil {
		return err
	}
	for _, name := range slices.Concat([]string{"media"}, slugs, []string{"menus"}) {
		if err := importFile(c, dir, name, o, missing, report); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// Limits of one request of an import.
const (
	batchLines = 200 // at first; fewer if they take the service too long
	batchBytes = 2 << 20
)

// importFile sends one file of lines in batches.
func importFile(c *client.Client, dir, name string, o Options, missing parts, report *Report) error {
	f, err := folder.Open(dir, name+".jsonl")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	var batch bytes.Buffer
	line := 0         // number of the line in the file
	var numbers []int // of the lines in the batch
	limit := batchLines
	tried := newRehearsal(name, missing)
	send := func() error {
		if name == "media" {
			if err := sendContents(c, dir, batch.Bytes(), o); err != nil {
				return err
			}
		}
		sent, err := sendBatch(c, name, numbers, batch.Bytes(), o, report, 1)
		limit = min(limit, max(sent, 1))
		tried.end(o.refused)
		batch.Reset()
		numbers = nil
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	bar := command.NewProgress(name, int(info.Size()))
	defer bar.End()
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		bar.Add(len(scanner.Bytes()) + 1)
		line++
		if len(numbers) > 0 && (len(numbers) >= limit || batch.Len()+len(scanner.Bytes()) > batchBytes) {
			if err := send(); err != nil {
				return err
			}
		}
		if o.DryRun {
			if result := tried.check(scanner.Bytes(), &o); result != "" {
				report.Add(result)
				continue
			}
		}
		batch.Write(append(scanner.Bytes(), '\n'))
		numbers = append(numbers, line)
	}
	if err := scanner.Err(); err != nil || len(numbers) == 0 {
		return err
	}
	return send()
}
