package admin

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// gallery is the page of the library: a grid of files above an upload that takes files dropped
// anywhere.
type gallery struct {
	List    *List // tabs, filters and pages of the grid
	Files   []fileCard
	Upload  *Field // nil for readers
	Folders string
	Here    string // address of the page
}

// fileCard is a file of the grid.
type fileCard struct {
	ID, Name, Href, Picture, Kind, Note string
	Alt                                 bool // asks for an alternative text
}

// galleryTabs are the tabs of the library with the filters that they set.
var galleryTabs = []struct{ text, mime, alt, used string }{
	{"All", "", "", ""}, {"Images", "image/*", "", ""}, {"Videos", "video/*", "", ""},
	{"Documents", "application/*", "", ""},
	{"No alternative text", "image/*", "true", ""}, {"Unused", "", "", "false"},
}

// gallery shows the library to browsers; programs get what asJSON answers.
func (h mediaHandlers) gallery(asJSON handler) handler {
	return remembering(func(c *Call) (Result, error) {
		if c.JSON {
			return asJSON(c)
		}
		p, err := c.Paging()
		if err != nil {
			return Result{}, err
		}
		if err := c.refuseNames("fields", "include"); err != nil {
			return Result{}, err
		}
		page, err := h.list(c, p)
		if err != nil {
			return Result{}, err
		}
		v, err := h.grid(c, page)
		return Result{Page: &Page{Title: "Media", Template: "media", Custom: v, Upload: v.upload()}}, err
	})
}

func (v *gallery) upload() *Upload {
	if v == nil || v.Upload == nil {
		return nil
	}
	return v.Upload.Upload
}

func (h mediaHandlers) grid(c *Call, page db.Page[cms.Media]) (*gallery, error) {
	query := c.R.URL.Query()
	filters, err := h.filters(c)
	if err != nil {
		return nil, err
	}
	v := &gallery{List: &List{Filters: filters, Empty: "No files yet. Drop some here."},
		Folders: Base + "/media/folders", Here: Base + "/media?" + query.Encode()}
	for _, t := range galleryTabs {
		v.List.Tabs = append(v.List.Tabs, Tab{
			Text: t.text, Href: with(query, "filter[mime]", t.mime, "filter[alt][null]", t.alt,
				"filter[used]", t.used),
			Here: query.Get("filter[mime]") == t.mime && query.Get("filter[alt][null]") == t.alt &&
				query.Get("filter[used]") == t.used,
		})
	}
	if len(hidden(query)) > 0 {
		v.List.Clear, v.List.Empty = "?all=true", "No file matches these filters."
	}
	if v.List = Paged(c, v.List, page); c.May(cms.RoleEditor) {
		field, err := h.fileField(c)
		if err != nil {
			return nil, err
		}
		v.Upload = &field
	}
	for _, m := range page.Items {
		v.Files = append(v.Files, newFileCard(c, m))
	}
	return v, nil
}

func newFileCard(c *Call, m cms.Media) fileCard {
	card := fileCard{ID: m.ID, Name: m.Name, Href: Base + "/media/" + m.ID, Kind: preview(m).Text,
		Note: sizeText(m.Size)}
	if !strings.HasPrefix(m.Mime, "image/") {
		return card
	}
	card.Picture = m.URL + "?w=320&h=240&fit=cover&fm=auto"
	if m.Width != nil && m.Height != nil {
		card.Note = pixels(m) + " · " + card.Note
	}
	card.Alt = m.Alt == "" && c.May(cms.RoleEditor)
	return card
}

// filters are the fields above the grid. The tabs choose types, so that the fields only keep them.
func (h mediaHandlers) filters(c *Call) ([]Field, error) {
	folders, err := h.files.Folders(c.R.Context())
	if err != nil {
		return nil, err
	}
	query := c.R.URL.Query()
	names := []Option{{"", "Every folder"}}
	for _, f := range folders {
		names = append(names, Option{f.Name, f.Name})
	}
	orders := []Option{{"", "Newest first"}, {"created_at", "Oldest first"}, {"name", "By name"},
		{"-size", "Largest first"}}
	fields := []Field{
		{Name: "q", Label: "Name", Kind: "search", Value: query.Get("q")},
		{Name: "filter[folder]", Label: "Folder", Kind: "select",
			Value: query.Get("filter[folder]"), Options: names},
	}
	own := []string{"q", "filter[folder]"}
	if sort := query.Get("sort"); slices.ContainsFunc(orders,
		func(o Option) bool { return o.Value == sort }) {
		fields, own = append(fields, Field{Name: "sort", Label: "Order", Kind: "select",
			Value: sort, Options: orders}), append(own, "sort")
	}
	return append(fields, hidden(query, own...)...), nil
}

// backToGrid leads a text that was written in the grid back to it.
func backToGrid(update handler) handler {
	return func(c *Call) (Result, error) {
		result, err := update(c)
		if back, ok := strings.CutPrefix(c.form.Get("_back"), Base+"/media?"); ok && err == nil {
			query, err := url.ParseQuery(back)
			if err == nil {
				query.Set("ok", "saved")
				result.Redirect = "/media?" + query.Encode()
			}
		}
		return result, err
	}
}

// show answers the GET of a file.
func (h mediaHandlers) show(c *Call, id string) (Result, error) {
	m, err := h.files.Get(c.R.Context(), id)
	if err != nil || c.JSON {
		return Result{Data: m}, err
	}
	detail, err := h.detail(c, m)
	if err != nil {
		return Result{}, err
	}
	if at := Base + "/media/" + m.ID; c.May(cms.RoleEditor) {
		warning := "Delete this file for good? Nothing uses it."
		if used := detail.Facts[len(detail.Facts)-1]; len(used.Cells) > 0 {
			warning = "Delete this file for good? What uses it (" + used.Cells[0].Text +
				") shows nothing in its place."
		}
		detail.Actions = append([]Action{{Label: "Edit", Href: at + "/edit"}}, detail.Actions...)
		detail.Actions = append(detail.Actions,
			Action{Label: "Delete", Href: at, Method: http.MethodDelete, Danger: true, Confirm: warning})
	}
	return Result{Page: &Page{Title: m.Name, Crumbs: []Link{{"Media", Base + "/media"}}, Detail: detail}}, nil
}
