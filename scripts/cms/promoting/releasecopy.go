package promoting

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/refs"
	"headless/scripts/cms/client"
	"headless/scripts/cms/exporting"
	"headless/scripts/cms/folder"
	"headless/scripts/cms/importing"
	"headless/scripts/cms/schema"
)

// releaseCopy collects the entries of a release and what they refer to. Entries and files that the
// other service lacks are written to an export. Entries of the release that it has get a draft.
type releaseCopy struct {
	from, to *client.Client
	live     bool // copy the published state of entries, not their drafts
	schema   json.RawMessage
	models   map[string]*cms.Model // of the source, by slug

	lines  map[string][]map[string]any // missing entries, by model
	files  []map[string]any            // missing files
	drafts []drafted                   // entries of the release that the other service has
	seen   map[string]bool             // ids of entries and files
}

// drafted is an entry of the release that the other service has: as it is there now, and as it
// should become.
type drafted struct {
	path      string
	now, want map[string]any
	hasDraft  bool
}

func newReleaseCopy(from, to *client.Client, live bool) (*releaseCopy, error) {
	c := &releaseCopy{from: from, to: to, live: live, models: map[string]*cms.Model{},
		lines: map[string][]map[string]any{}, seen: map[string]bool{}}
	if err := from.JSON(http.MethodGet, "/admin/schema", nil, &c.schema); err != nil {
		return nil, err
	}
	models, err := schema.Models(c.schema)
	if err != nil {
		return nil, err
	}
	for _, m := range models {
		c.models[m.Slug] = m
	}
	return c, nil
}

// items collects the entries of a release. kept lacks the items that unpublish an entry which the
// other service does not have.
func (c *releaseCopy) items(items []releaseItem) (kept []releaseItem, err error) {
	for _, item := range items {
		c.seen[item.ID] = true // so that an entry which refers to it does not collect it
	}
	for _, item := range items {
		var there map[string]any
		path := client.EntryPath(item.Model, item.ID)
		err := c.to.JSON(http.MethodGet, path, nil, &there)
		if err != nil && !client.IsUnknown(err) {
			return nil, err
		}
		if item.Action == "publish" {
			if err := c.item(item, there, err == nil); err != nil {
				return nil, err
			}
		} else if err != nil {
			fmt.Fprintf(os.Stderr, "%s %s does not exist there, so there is nothing to unpublish\n",
				item.Model, item.ID)
			continue
		}
		kept = append(kept, item)
	}
	return kept, nil
}

// item collects an entry in the state in which the release publishes it.
func (c *releaseCopy) item(item releaseItem, there map[string]any, isThere bool) error {
	entry, hasDraft, err := c.read(item.Model, item.ID)
	if err == nil && hasDraft && !c.live {
		err = c.layDraft(entry, item)
	}
	if err != nil {
		return err
	}
	if err := c.refer(item.Model, entry); err != nil {
		return err
	}
	if isThere {
		c.drafts = append(c.drafts, drafted{client.EntryPath(item.Model, item.ID), there, entry, there["has_draft"] == true})
		return nil
	}
	entry["status"], entry["published_at"] = string(cms.StatusDraft), nil
	c.lines[item.Model] = append(c.lines[item.Model], entry)
	return nil
}

// read reads an entry of this service as a line of an export, without its draft.
func (c *releaseCopy) read(model, id string) (entry map[string]any, hasDraft bool, err error) {
	m := c.models[model]
	if m == nil {
		return nil, false, fmt.Errorf("the schema has no model %q", model)
	}
	if err := c.from.JSON(http.MethodGet, client.EntryPath(model, id)+"?translations=true", nil, &entry); err != nil {
		return nil, false, fmt.Errorf("%s %s: %w", model, id, err)
	}
	hasDraft = entry["has_draft"] == true
	entry["has_draft"] = false
	_, err = exporting.MakeLine(c.from, "", m, entry)
	return entry, hasDraft, err
}

// layDraft replaces the values of an entry with those of its draft.
func (c *releaseCopy) layDraft(entry map[string]any, item releaseItem) error {
	var with map[string]any
	if err := c.from.JSON(http.MethodGet, client.EntryPath(item.Model, item.ID)+"/draft", nil, &with); err != nil {
		return err
	}
	for _, key := range []string{"title", "slug", "seo"} {
		entry[key] = with[key]
	}
	entry["data"] = exporting.Data(c.models[item.Model], with)
	return nil
}

// refer collects the entries and files that an entry refers to and the other service lacks. It does
// the same for the collected entries.
func (c *releaseCopy) refer(model string, line map[string]any) error {
	m := c.models[model]
	raw, err := json.Marshal(line)
	if err != nil {
		return err
	}
	var entry cms.Entry
	if err := json.Unmarshal(raw, &entry); err != nil {
		return err
	}
	entries := map[string]bool{}
	for _, ref := range refs.References(m, entry.Data) {
		if ref.Kind == cms.TypeRelation {
			entries[strings.ToLower(ref.ID)] = true
			if err := c.entry(ref.Model, ref.ID); err != nil {
				return err
			}
		}
	}
	for _, mention := range refs.Of(m, &entry) {
		if !entries[mention.ID] {
			if err := c.file(mention.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// entry collects an entry that another one refers to, without its draft, if the other service lacks
// it.
func (c *releaseCopy) entry(model, id string) error {
	if c.seen[id] {
		return nil
	}
	c.seen[id] = true
	err := c.to.JSON(http.MethodGet, client.EntryPath(model, id), nil, nil)
	if err == nil || !client.IsUnknown(err) {
		return err
	}
	entry, _, err := c.read(model, id)
	if client.IsUnknown(err) {
		return nil // it is gone here too
	}
	if err != nil {
		return err
	}
	c.lines[model] = append(c.lines[model], entry)
	return c.refer(model, entry)
}

// file collects a file if the other service lacks it.
func (c *releaseCopy) file(id string) error {
	if c.seen[id] {
		return nil
	}
	c.seen[id] = true
	err := c.to.JSON(http.MethodGet, "/admin/media/"+id, nil, nil)
	if err == nil || !client.IsUnknown(err) {
		return err
	}
	var file map[string]any
	if err := c.from.JSON(http.MethodGet, "/admin/media/"+id, nil, &file); err != nil {
		if client.IsUnknown(err) {
			return nil
		}
		return err
	}
	c.files = append(c.files, file)
	return nil
}

// write writes the collected records to a folder in the form of an export.
func (c *releaseCopy) write(dir string) error {
	if err := os.WriteFile(filepath.Join(dir, "schema.json"), c.schema, 0o600); err != nil {
		return err
	}
	files := filepath.Join(dir, "files")
	if err := os.MkdirAll(files, 0o700); err != nil {
		return err
	}
	err := folder.WriteLines(dir, "media", func(line func(any) error) error {
		for _, file := range c.files {
			hash, err := folder.Download(cms.OriginalURL(fmt.Sprint(file["url"])), files)
			if err != nil {
				return fmt.Errorf("file %s: %w", file["id"], err)
			}
			if err := line(folder.FileLine(file, hash)); err != nil {
				return err
			}
		}
		return nil
	})
	for _, model := range slices.Sorted(maps.Keys(c.lines)) {
		if err != nil {
			return err
		}
		err = folder.WriteLines(dir, model, func(line func(any) error) error {
			for _, entry := range c.lines[model] {
				if err := line(entry); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return err
}

// putDrafts gives the entries that the other service has a draft with their new values. changed is
// true if any entry differs or is not published there.
func (c *releaseCopy) putDrafts(report *importing.Report) (changed bool, err error) {
	for _, d := range c.drafts {
		body := map[string]any{"base_version": d.now["version"]}
		same := true
		for _, key := range []string{"title", "slug", "seo", "data"} {
			body[key] = d.want[key]
			same = same && reflect.DeepEqual(d.now[key], d.want[key])
		}
		if d.hasDraft {
			if err := c.to.JSON(http.MethodDelete, d.path+"/draft", nil, nil); err != nil {
				return changed, err
			}
		}
		if same {
			report.Add(importing.ResultUnchanged)
			changed = changed || d.now["status"] != string(cms.StatusPublished)
			continue
		}
		was, _ := d.now["data"].(map[string]any)
		want, _ := d.want["data"].(map[string]any)
		for key := range was {
			if _, ok := want[key]; !ok {
				want[key] = nil
			}
		}
		if err := c.to.JSON(http.MethodPut, d.path+"/draft", body, nil); err != nil {
			return changed, fmt.Errorf("%s: %w", strings.TrimPrefix(d.path, "/admin/models/"), err)
		}
		report.Add(importing.ResultUpdated)
		changed = true
	}
	return changed, nil
}
