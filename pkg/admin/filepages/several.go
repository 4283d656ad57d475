package filepages

import (
	"net/http"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/admin/usages"
	"headless/pkg/assets"
	"headless/pkg/cms"
)

// The actions on several files.
const (
	actionMove   = "move"
	actionDelete = "delete"
	actionTag    = "tag"
	actionUntag  = "untag"
	actionPut    = "put" // gives each file the values that it had; from pages only
)

// changeSeveral moves files to a folder, changes their tags, or deletes them. The answer lists those that failed;
// the others are changed all the same. Browsers are told first what the files are used in.
func (h MediaHandlers) changeSeveral(c *frame.Call, body map[string]any) (frame.Result, error) {
	action, folder, names := body["action"], body["folder_id"], body["tags"]
	if c.IsForm {
		action, folder, names = c.Form.Get("action"), nil, ui.Anys(strings.Split(c.Form.Get("tags"), ","))
		if id := c.Form.Get("folder_id"); id != "" {
			folder = id
		}
	}
	p := cms.Problems{}
	ids := c.BulkIDs(body, p)
	var change func(id string) error
	var tags []string
	texts, _ := names.([]any)
	for _, name := range texts {
		text, _ := name.(string)
		tags = append(tags, text)
	}
	tags = assets.CleanTags(tags)
	was, list := former{}, "/media"
	switch _, named := body["folder_id"]; {
	case action == actionDelete:
		change = func(id string) error { return h.Files.Delete(c.R.Context(), c.Actor(), id, nil) }
	case action == actionMove && !named:
		p.Add("folder_id", "is required; null is no folder")
	case action == actionMove:
		change = h.noting(c, was, func(cms.Media) map[string]any { return map[string]any{"folder_id": folder} })
	case (action == actionTag || action == actionUntag) && (len(tags) == 0 || len(tags) > assets.MaxTags):
		p.Add("tags", "must have 1 to %d texts", assets.MaxTags)
	case action == actionTag || action == actionUntag:
		change = h.noting(c, was, changeTags(action, tags))
	case action == actionPut && c.IsForm:
		before := ui.Was[map[string]any](c.Form, p)
		if len(ids) == 1 {
			list += "/" + ids[0]
		}
		change = func(id string) error {
			_, err := h.Files.Update(c.R.Context(), c.Actor(), id, before[id].Was, func(now cms.Media) error {
				return before[id].Still(only(valuesOf(now), before[id].Was))
			})
			return err
		}
	default:
		p.Add("action", "must be move, tag, untag or delete")
	}
	if err := p.Err(); err != nil {
		return frame.Result{}, err
	}
	if c.IsForm && action == actionDelete && len(ids) > 0 && c.Form.Get("sure") != "true" {
		page, err := h.askDelete(c, ids)
		return frame.Result{Page: page}, err
	}
	result, err := frame.Bulk(ids, list, change)
	result.Undo = was.undo(c.Form["_back"])
	return result, err
}

// askDelete returns the page that says what files are used in before they are deleted.
func (h MediaHandlers) askDelete(c *frame.Call, ids []string) (*ui.Page, error) {
	yes := ui.Action{Label: "Delete for good", Method: http.MethodPost, Href: ui.Base + "/media/several", Danger: true}
	yes.Fields = []ui.Field{ui.Kept("action", actionDelete), ui.Kept("sure", "true"),
		ui.Kept("_back", c.Form.Get("_back"))}
	detail := &ui.Detail{}
	for _, id := range ids {
		m, err := h.Files.Get(c.R.Context(), id)
		if cms.CodeOf(err) == cms.CodeNotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		yes.Fields = append(yes.Fields, ui.Kept("ids", m.ID))
		fact, err := usages.UsedIn(c, h.uses, m.ID, ui.Base+"/media/"+m.ID)
		if err != nil {
			return nil, err
		}
		if fact.Label = say.Data(m.Name); len(fact.Cells) == 0 {
			fact.Cells = []ui.Cell{{Text: "Nothing uses it.", Kind: "muted"}}
		}
		detail.Facts = append(detail.Facts, fact)
	}
	detail.Actions = []ui.Action{yes, {Label: "Cancel", Href: ui.Base + "/media"}}
	return &ui.Page{Title: say.N(len(detail.Facts), "Delete {1} file? The places below show nothing in its stead.",
		"Delete {1} files? The places below show nothing in their stead."),
		Crumbs: []ui.Link{{Text: "Media", Href: ui.Base + "/media"}}, Detail: detail}, nil
}

// severalForm returns the bar for the selected files of the grid, nil if the user may do nothing with them.
func severalForm(c *frame.Call, v *gallery) *ui.Bulk {
	if !c.MayUse(http.MethodPost, "/media/several") {
		return nil
	}
	b := &ui.Bulk{Action: ui.Base + "/media/several", One: "file", Hidden: []ui.Field{{Name: "_back", Value: v.Here}}}
	if c.MayUse(http.MethodPut, mediaItem) {
		b.Fields = []ui.Field{folderField("None", "", v.folders),
			{Name: "tags", Label: "Tags", Kind: "text", Help: "Separated by commas."}}
		b.Buttons = []ui.BulkButton{{Label: "Move", Value: actionMove},
			{Label: "Add tags", Value: actionTag}, {Label: "Remove tags", Value: actionUntag}}
	}
	if c.MayUse(http.MethodDelete, mediaItem) {
		b.Buttons = append(b.Buttons, ui.BulkButton{Label: "Delete…", Value: actionDelete, Danger: true})
	}
	if b.Buttons == nil {
		return nil
	}
	return b
}
