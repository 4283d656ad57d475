package filepages

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/slice"
)

// gallery is the page of the library: a grid of files above an upload. Files may be dropped
// anywhere on the page.
type gallery struct {
	List    *ui.List // tabs, filters and pages of the grid
	Files   []fileCard
	Upload  *ui.Field // nil for readers
	Into    string    // id of the folder that is shown, which gets new files; "" for none
	Back    string    // URL of the files of that folder
	Folders string
	Here    string // URL of the page

	folders []cms.Folder
}

// fileCard is a file of the grid.
type fileCard struct {
	ID, Name, Href, Picture, Note string
	Kind                          say.Text
	Alt                           bool // whether the card asks for an alternative text
}

// galleryTabs are the tabs of the library with the filters that they set.
var galleryTabs = []struct {
	text            say.Text
	mime, alt, used string
}{
	{"All", "", "", ""}, {"Images", "image/*", "", ""}, {"Videos", "video/*", "", ""},
	{"Documents", "application/*", "", ""},
	{"No alternative text", "image/*", "true", ""}, {"Unused", "", "", "false"},
}

// gallery shows the library to browsers. Requests for JSON are passed to asJSON.
func (h MediaHandlers) gallery(asJSON frame.Handler) frame.Handler {
	return frame.Listed(asJSON, func(c *frame.Call, p db.Paging) (*ui.Page, error) {
		page, err := h.list(c, p)
		if err != nil {
			return nil, err
		}
		v, err := h.grid(c, page)
		if err != nil {
			return nil, err
		}
		return &ui.Page{Title: "Media", Template: "media", Custom: v, Upload: v.upload(),
			Assets: []string{"tools", "media", "rows", "list"}}, nil
	})
}

func (v *gallery) upload() *ui.Upload {
	if v == nil || v.Upload == nil {
		return nil
	}
	return v.Upload.Upload
}

func (h MediaHandlers) grid(c *frame.Call, page db.Page[cms.Media]) (*gallery, error) {
	query := c.R.URL.Query()
	folders, err := h.Files.Folders(c.R.Context())
	if err != nil {
		return nil, err
	}
	tags, err := h.Files.Tags(c.R.Context())
	if err != nil {
		return nil, err
	}
	v := &gallery{List: &ui.List{Filters: mediaInputs(query, folders, tags), Empty: "No files yet. Drop some here."},
		Folders: ui.Base + "/media/folders", Here: ui.Base + "/media?" + query.Encode(), folders: folders}
	for _, t := range galleryTabs {
		v.List.Tabs = append(v.List.Tabs, ui.Tab{
			Text: t.text, Href: ui.With(query, "filter[mime]", t.mime, "filter[alt][null]", t.alt,
				"filter[used]", t.used),
			Here: query.Get("filter[mime]") == t.mime && query.Get("filter[alt][null]") == t.alt &&
				query.Get("filter[used]") == t.used,
		})
	}
	if len(ui.Hidden(query)) > 0 {
		v.List.Clear, v.List.Empty = "?all=true", "No file matches these filters."
	}
	if v.List = frame.Paged(c, v.List, page); c.MayUse(http.MethodPost, "/media") {
		field, err := h.FileField(c)
		if err != nil {
			return nil, err
		}
		v.Upload = &field
		if i := slices.IndexFunc(folders, func(f cms.Folder) bool { return f.Name == query.Get("filter[folder]") }); i >= 0 {
			v.Into, v.Back = folders[i].ID, inFolder(folders[i])
			field.Label = say.F("Upload files into “{1}”", folders[i].Name)
		}
	}
	v.List.Bulk = severalForm(c, v)
	for _, m := range page.Items {
		v.Files = append(v.Files, newFileCard(c, m))
	}
	return v, nil
}

func newFileCard(c *frame.Call, m cms.Media) fileCard {
	card := fileCard{ID: m.ID, Name: m.Name, Href: ui.Base + "/media/" + m.ID, Kind: preview(m).Text, Note: sizes(m)}
	if !strings.HasPrefix(m.Mime, "image/") {
		return card
	}
	card.Picture = cms.VariantURL(m.URL, "w=320&h=240&fit=cover")
	card.Alt = m.Alt == "" && !m.Decorative && c.MayUse(http.MethodPut, mediaItem)
	return card
}

// mediaInputs returns the fields above the grid. File types are chosen by the tabs; hidden fields keep
// that choice.
func mediaInputs(query url.Values, folders []cms.Folder, tags []string) []ui.Field {
	names := slice.Map(folders, func(f cms.Folder) string { return f.Name })
	orders := []ui.Option{{Value: "", Label: "Newest first"},
		{Value: "created_at", Label: "Oldest first"}, {Value: "name", Label: "By name"},
		{Value: "-size", Label: "Largest first"}}
	fields := []ui.Field{
		{Name: "q", Label: "Name or tag", Kind: "search", Value: query.Get("q")},
		{Name: "filter[folder]", Label: "Folder", Kind: "select",
			Value: query.Get("filter[folder]"), Options: ui.WithNone("Every folder", ui.Options(names))},
	}
	own := []string{"q", "filter[folder]"}
	if here := query.Get("filter[tag]"); len(tags) > 0 || here != "" {
		fields, own = append(fields, ui.Field{Name: "filter[tag]", Label: "Tag", Kind: "select", Value: here,
			Options: ui.WithNone("Every tag", ui.Options(tags))}), append(own, "filter[tag]")
	}
	if sort := query.Get("sort"); slices.ContainsFunc(orders, func(o ui.Option) bool { return o.Value == sort }) {
		fields, own = append(fields, ui.Field{Name: "sort", Label: "Order", Kind: "select",
			Value: sort, Options: orders}), append(own, "sort")
	}
	return append(fields, ui.Hidden(query, own...)...)
}

// backToGrid redirects to the grid as it was, after a change that was made there.
func backToGrid(change frame.Handler) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		result, err := change(c)
		back, ok := strings.CutPrefix(c.Form.Get("_back"), ui.Base+"/media?")
		if ok && err == nil && result.Page == nil {
			query, err := url.ParseQuery(back)
			if err == nil {
				_, done, _ := strings.Cut(result.Redirect, "?")
				more, _ := url.ParseQuery(done) // made by this package
				maps.Copy(query, more)
				result.Redirect = "/media?" + query.Encode()
			}
		}
		return result, err
	}
}

// inFolder is the URL of the files of a folder.
func inFolder(f cms.Folder) string {
	return ui.Base + "/media?" + url.Values{"filter[folder]": {f.Name}}.Encode()
}

// show answers GET /media/{id}.
func (h MediaHandlers) show(c *frame.Call, id string) (frame.Result, error) {
	m, err := h.Files.Get(c.R.Context(), id)
	if err != nil || c.JSON {
		return frame.Result{Data: m}, err
	}
	detail, err := h.detail(c, m)
	if err != nil {
		return frame.Result{}, err
	}
	at := ui.Base + "/media/" + m.ID
	if c.MayUse(http.MethodPut, mediaItem) {
		detail.Actions = append([]ui.Action{{Label: "Edit", Href: at + "/edit"}}, detail.Actions...)
	}
	if c.MayUse(http.MethodDelete, mediaItem) {
		warning, uses := say.Text("Delete this file for good? Nothing uses it."),
			detail.Facts[len(detail.Facts)-1].Cells
		if len(uses) > 0 {
			warning = "Delete this file for good? These places show nothing in its stead."
		}
		detail.Actions = append(detail.Actions,
			ui.Action{Label: "Delete", Href: at, Method: http.MethodDelete, Danger: true, Confirm: warning, Uses: uses})
	}
	return frame.Result{Page: &ui.Page{Title: say.Data(m.Name), Detail: detail,
		Crumbs: []ui.Link{{Text: "Media", Href: ui.Base + "/media"}}}}, nil
}
