package exporting

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"headless/pkg/cms"
	"headless/pkg/slice"
	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
	"headless/scripts/cms/folder"
	"headless/scripts/cms/schema"
)

// Options narrow an export.
type Options struct {
	models []string
	since  string
	from   time.Time // since as a time
	asJSON bool
}

// Report counts what an export wrote.
type Report struct {
	Entries map[string]int `json:"entries"` // by model
	Files   int            `json:"files"`
}

// Command returns the command export.
func Command() *cobra.Command {
	var o Options
	cmd := &cobra.Command{
		Use: "export DIR", Short: "Write schema, entries and files to a folder",
		Args: cobra.ExactArgs(1), Example: "  cms export backup --models posts,authors",
		Long: "Write schema, entries and files to a folder. An export that was interrupted is taken up " +
			"where it was, for a day.",
		RunE: command.Work(func(c *client.Client, args []string) error {
			done, err := Export(c, args[0], o)
			if err == nil && o.asJSON {
				err = json.NewEncoder(command.Stdout).Encode(done)
			}
			return err
		}),
	}
	cmd.Flags().StringSliceVar(&o.models, "models", nil, "slugs of models; all without it")
	cmd.Flags().StringVar(&o.since, "since", "",
		"entries that were saved at this time (RFC 3339) or later, or whose drafts were")
	command.JSONFlag(cmd, &o.asJSON)
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if o.since == "" {
			return nil
		}
		var isTime bool
		if o.from, isTime = cms.ParseDate(o.since); !isTime {
			o.from, isTime = cms.ParseDateTime(o.since)
		}
		if !isTime {
			return fmt.Errorf("--since is a time such as 2026-01-31T12:00:00Z, not %q", o.since)
		}
		return nil
	}
	return cmd
}

// Export writes schema.json, <model>.jsonl, menus.jsonl, media.jsonl and files/<sha256>. It can be repeated:
// files that exist and did not change are not downloaded again. After an interruption it continues
// with the missing entries.
func Export(c *client.Client, dir string, o Options) (*Report, error) {
	if err := os.MkdirAll(filepath.Join(dir, "files"), 0o755); err != nil {
		return nil, err
	}
	text, err := schema.Pull(c, url.Values{"export": {"true"}, "models": o.models})
	if err != nil {
		return nil, err
	}
	if err := folder.WriteFile(filepath.Join(dir, "schema.json"), text, 0o644); err != nil {
		return nil, err
	}
	models, err := schema.Models(text)
	if err != nil {
		return nil, err
	}
	slugs := slice.Map(models, func(m *cms.Model) string { return m.Slug })
	for _, slug := range o.models {
		if !slices.Contains(slugs, slug) {
			return nil, fmt.Errorf("there is no model %q; known: %s", slug, strings.Join(slugs, ", "))
		}
	}
	place := openResume(dir, c.Root+"?"+o.queries()[0].Encode())
	done := &Report{Entries: map[string]int{}}
	for _, m := range models {
		if place.isDone(m.Slug) || len(o.models) > 0 && !slices.Contains(o.models, m.Slug) {
			continue
		}
		if done.Entries[m.Slug], err = exportModel(c, dir, m, o, place); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Slug, err)
		}
		if err := place.finish(m.Slug); err != nil {
			return nil, err
		}
	}
	if len(o.models) == 0 {
		if err := exportMenus(c, dir); err != nil {
			return nil, err
		}
	}
	if done.Files, err = exportMedia(c, dir); err != nil {
		return nil, err
	}
	return done, place.remove()
}

// queries returns the query parameters of the lists that hold the entries of a model. With --since, a second list has
// the older entries with a draft: saving a draft does not change the time of its entry.
func (o Options) queries() []url.Values {
	q := url.Values{"filter[status]": {"any"}, "filter[locale]": {"any"}, "sort": {"created_at"},
		"translations": {"true"}}
	if o.since == "" {
		return []url.Values{q}
	}
	drafted := maps.Clone(q)
	q.Set("filter[updated_at][gte]", o.since)
	drafted.Set("filter[updated_at][lt]", o.since)
	drafted.Set("filter[has_draft]", "true")
	return []url.Values{q, drafted}
}

// exportModel writes the entries of a model and returns their number. It continues where an
// interrupted export stopped.
func exportModel(c *client.Client, dir string, m *cms.Model, o Options, place *resume) (int, error) {
	slug := m.Slug
	if place.Model == slug {
		fmt.Fprintf(os.Stderr, "%s: going on after %d entries\n", slug, place.Lines)
	} else {
		place.Model, place.List, place.Lines, place.Bytes = slug, 0, 0, 0
	}
	part, err := folder.OpenPart(dir, slug, place.Bytes)
	if err != nil {
		return 0, err
	}
	n, queries := place.Lines, o.queries()
	for err == nil && place.List < len(queries) {
		if n, err = exportList(c, part, m, o, queries[place.List], place); err == nil {
			place.Cursor, place.Lines, place.List = "", n, place.List+1
		}
	}
	if err = part.Close(err); err == nil {
		fmt.Fprintf(os.Stderr, "%s: %d entries\n", slug, n)
	}
	return n, err
}

// exportList writes the entries of one list of a model, from the place on, and returns how many lines the file has.
func exportList(c *client.Client, part *folder.Part, m *cms.Model, o Options, q url.Values,
	place *resume) (int, error) {
	path := client.EntriesPath(m.Slug)
	if place.Cursor != "" {
		q.Set("cursor", place.Cursor)
	}
	bar := command.NewProgress(m.Slug, command.UnknownTotal)
	bar.Done = place.Lines
	err := client.Pages(c, path, q, func(items []map[string]any, total int, next string) error {
		bar.Total = total
		for _, entry := range items {
			saved, err := MakeLine(c, path, m, entry)
			if err != nil {
				return err
			}
			if place.List > 0 && saved.Before(o.from) {
				continue
			}
			if err := part.Line(entry); err != nil {
				return err
			}
			bar.Add(1)
		}
		if next == "" {
			return nil
		}
		size, err := part.Size()
		if err != nil {
			return err
		}
		place.Cursor, place.Lines, place.Bytes = next, bar.Done, size
		return place.save()
	})
	bar.End()
	return bar.Done, err
}

// MakeLine turns an entry of a list into the line of an export. path is the path of the list. It returns when the
// draft of the entry was saved, a zero time without one.
func MakeLine(c *client.Client, path string, m *cms.Model, entry map[string]any) (saved time.Time, err error) {
	hasDraft := entry["has_draft"] == true
	for _, key := range []string{"has_draft", "draft", "schedule", "views"} {
		delete(entry, key)
	}
	keepTranslations(entry)
	entry["model"], entry["data"] = m.Slug, Data(m, entry)
	if hasDraft {
		return addDraft(c, path, m, entry)
	}
	return time.Time{}, nil
}

// Data returns the data of an entry without values of fields that its model does not have any more.
// An import takes no unknown fields.
func Data(m *cms.Model, entry map[string]any) map[string]any {
	data, _ := entry["data"].(map[string]any)
	return cms.EntryPatch{Data: data}.ForModel(m).Data
}

// keepTranslations reduces the translations of an entry to ids and locales. It removes them if the
// entry is the only one.
func keepTranslations(entry map[string]any) {
	list, _ := entry["translations"].([]any)
	if len(list) < 2 {
		delete(entry, "translations")
		return
	}
	for i, v := range list {
		if member, ok := v.(map[string]any); ok {
			list[i] = map[string]any{"id": member["id"], "locale": member["locale"]}
		}
	}
}

// addDraft adds the changes of an entry's draft: the keys whose values differ. It returns when the draft was saved.
func addDraft(c *client.Client, path string, m *cms.Model, entry map[string]any) (saved time.Time, err error) {
	a, err := c.Send(http.MethodGet, path+"/"+fmt.Sprint(entry["id"])+"/draft", "", nil)
	if err != nil {
		return saved, err
	}
	var drafted map[string]any
	if err := cms.Unmarshal(a.Data, &drafted); err != nil {
		return saved, err
	}
	var meta struct {
		Draft struct {
			UpdatedAt time.Time `json:"updated_at"`
		} `json:"draft"`
	}
	if err := json.Unmarshal(a.Meta, &meta); err != nil {
		return saved, err
	}
	changes := map[string]any{}
	for _, key := range []string{"title", "slug", "seo"} {
		if !reflect.DeepEqual(entry[key], drafted[key]) {
			changes[key] = drafted[key]
		}
	}
	was, now := Data(m, entry), Data(m, drafted)
	data := map[string]any{}
	for key, v := range now {
		if !reflect.DeepEqual(was[key], v) {
			data[key] = v
		}
	}
	for key := range was {
		if _, ok := now[key]; !ok {
			data[key] = nil
		}
	}
	if len(data) > 0 {
		changes["data"] = data
	}
	entry["draft"] = changes
	return meta.Draft.UpdatedAt, nil
}

// exportMenus writes the menus.
func exportMenus(c *client.Client, dir string) error {
	return folder.WriteLines(dir, "menus", func(line func(any) error) error {
		for page, more := 1, true; more; page++ {
			more = false
			err := client.Each(c, "/admin/menus", url.Values{"page": {strconv.Itoa(page)}}, func(menu map[string]any) error {
				menu["model"], more = "menus", true
				return line(menu)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// exportMedia writes the files and their records, and returns their number.
func exportMedia(c *client.Client, dir string) (n int, err error) {
	files, err := folder.OpenFiles(filepath.Join(dir, "files"))
	if err != nil {
		return 0, err
	}
	defer files.Close()
	bar := command.NewProgress("media", command.UnknownTotal)
	defer bar.End()
	err = folder.WriteLines(dir, "media", func(line func(any) error) error {
		return client.Pages(c, "/admin/media", url.Values{"sort": {"created_at"}},
			func(items []map[string]any, total int, _ string) error {
				bar.Total = total
				for _, file := range items {
					hash, err := files.Fetch(cms.OriginalURL(fmt.Sprint(file["url"])))
					if err != nil {
						return fmt.Errorf("file %s: %w", file["id"], err)
					}
					if err := line(folder.FileLine(file, hash)); err != nil {
						return err
					}
					bar.Add(1)
					n++
				}
				return nil
			})
	})
	return n, err
}
