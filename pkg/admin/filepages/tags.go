package filepages

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/assets"
	"headless/pkg/cms"
)

// tagCells are the tags of a file, which lead to the files that have them.
func tagCells(tags []string) []ui.Cell {
	var cells []ui.Cell
	for _, name := range tags {
		in := url.Values{"filter[tag]": {name}}
		cells = append(cells, ui.Cell{Text: say.Data(name), Href: ui.Base + "/media?" + in.Encode()})
	}
	return cells
}

// tagHelp explains the field of tags, and names the tags that files have.
func tagHelp(tags []string) say.Text {
	help := say.F("One a line, at most {1}.", assets.MaxTags)
	if len(tags) > 0 {
		help = say.Sentences(help, say.F("In use: {1}.", strings.Join(tags, ", ")))
	}
	return help
}

// tagged is what the tags of files were before a change of several, which can be taken back.
type tagged map[string][]string

// changeTags returns the change of one file that adds the tags, or removes them. Files that change are noted in was.
func (h MediaHandlers) changeTags(c *frame.Call, action any, tags []string, was tagged) func(id string) error {
	return func(id string) error {
		m, err := h.Files.Get(c.R.Context(), id)
		if err != nil {
			return err
		}
		next := slices.Concat(m.Tags, tags)
		if action == actionUntag {
			next = slices.DeleteFunc(slices.Clone(m.Tags), func(name string) bool {
				return assets.HasTag(tags, name)
			})
		}
		updated, err := h.Files.Update(c.R.Context(), c.Actor(), id, map[string]any{"tags": ui.Anys(next)}, nil)
		if err == nil && !slices.Equal(updated.Tags, m.Tags) {
			was[m.ID] = m.Tags
		}
		return err
	}
}

// setTags returns the change of one file that gives it the tags that it had.
func (h MediaHandlers) setTags(c *frame.Call, was tagged) func(id string) error {
	return func(id string) error {
		_, err := h.Files.Update(c.R.Context(), c.Actor(), id, map[string]any{"tags": ui.Anys(was[id])}, nil)
		return err
	}
}

// maxUndo is how long the address may be that takes a change of tags back.
const maxUndo = 4000

// undone adds to the redirect after a change of tags what takes it back.
func undone(result frame.Result, was tagged) frame.Result {
	if raw, _ := cms.Marshal(was); len(was) > 0 && len(raw) <= maxUndo { // texts: this cannot fail
		result.Redirect += "&was=" + url.QueryEscape(string(raw))
	}
	return result
}

// undoTags is the button that takes a change of tags back, none if the address has no such change.
func undoTags(query url.Values, here string) []ui.Action {
	var was tagged
	if json.Unmarshal([]byte(query.Get("was")), &was) != nil || len(was) == 0 {
		return nil
	}
	undo := ui.Action{Label: "Undo", Method: http.MethodPost, Href: ui.Base + "/media/several",
		Fields: []ui.Field{ui.Kept("action", actionRetag), ui.Kept("was", query.Get("was")), ui.Kept("_back", here)}}
	for _, id := range slices.Sorted(maps.Keys(was)) {
		undo.Fields = append(undo.Fields, ui.Kept("ids", id))
	}
	return []ui.Action{undo}
}
