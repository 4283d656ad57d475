package entrydata

import (
	"net/http"
	"net/url"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/content"
	"headless/pkg/input"
	"headless/pkg/planning/bulk"
)

// maxTitles is the number of entries that a page reads to name them.
const maxTitles = 100

// Title names an entry on a page.
type Title struct {
	Text   say.Text // the id, if the user may not read the entry or the page names too many
	Locale string   // "" if the entry was not read
	Href   string   // its page, or the trash; "" if there is neither
}

// Titles names the first entries of a list, by id. of returns the slug of the model and the id of an item.
func Titles[T any](c *frame.Call, store *content.Store, list []T,
	of func(T) (model, id string)) (map[string]Title, error) {
	ctx := c.R.Context()
	titles := map[string]Title{}
	var refs []content.Reference
	for _, item := range list {
		model, given := of(item)
		if _, seen := titles[given]; seen {
			continue
		}
		title, m := Title{Text: say.Data(given)}, c.Site.Models[model]
		if id, ok := input.CanonicalID(given); ok && m != nil {
			title.Href = EntryAddress(model, id)
			if len(refs) < maxTitles {
				refs = append(refs, content.Reference{Model: m, ID: id})
			}
		}
		titles[given] = title
	}
	entries, rows, err := store.EntriesWithRows(ctx, refs)
	var missing []string
	for i, e := range entries {
		switch id := refs[i].ID; {
		case e != nil:
			titles[id] = Title{say.Data(e.Title), e.Locale, titles[id].Href}
		case rows[i] == nil:
			titles[id] = Title{Text: "Deleted entry"}
			missing = append(missing, id)
		}
	}
	if err != nil || len(missing) == 0 {
		return titles, err
	}
	trashed, err := store.Trashed(ctx, c.Site, nil, missing, nil)
	for _, t := range trashed {
		titles[t.ID] = Title{Text: say.F("{1} (in the trash)", t.Title),
			Href: ui.Base + "/trash?q=" + url.QueryEscape(t.Title)}
	}
	return titles, err
}

// UndoJob returns the button that takes back the changes of a job.
func UndoJob(j bulk.Job) ui.Action {
	return ui.Action{Label: "Undo", Method: http.MethodPost, Href: ui.Base + "/jobs", Fields: []ui.Field{
		ui.Kept("of", j.ID), ui.Kept("action", bulk.ActionRevert), ui.Kept("model", j.Model)}}
}
