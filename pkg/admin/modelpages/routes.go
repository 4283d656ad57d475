package modelpages

import (
	"net/http"
	"slices"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/rowforms"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/schema"
	"headless/pkg/site"
	"headless/pkg/slug"
)

// ModelHandlers answer the routes of content models.
type ModelHandlers struct {
	Models  *site.Models
	Schemas *schema.Schemas
	Entries *content.Store
}

// ModelRoutes returns the routes of content models.
func ModelRoutes(h ModelHandlers) []frame.Route {
	models := h.Models
	kind := resource.Kind[cms.Model]{
		Path: "/models", Title: "Models", One: "model", Event: "model.updated", Param: "slug",
		Decode: func(c *frame.Call, body map[string]any) error {
			_, err := decodeModelBody(c, body)
			return err
		},
		New:     func(*frame.Call) (cms.Model, error) { return cms.NewModel(), nil },
		ID:      func(m cms.Model) string { return m.Slug },
		Name:    func(m cms.Model) say.Text { return say.Data(m.Name) },
		Columns: []say.Text{"Name", "Slug", "Kind", "Fields", "Localized", "State"},
		Row: func(m cms.Model) []ui.Cell {
			return []ui.Cell{ui.Text(m.Name), ui.Code(m.Slug), ui.Badge(say.Known(string(m.Kind))),
				ui.Word(say.Number(len(m.Fields))), ui.YesNo(m.Localized, "localized", "no"),
				ui.YesNo(m.IsActive, "active", "inactive")}
		},
		Detail: modelDetail, Fields: modelFields,
		Locked: func(c *frame.Call) say.Text { return frame.ModelsLocked(c.Site) },
		Assets: []string{"builder"},
		Complete: func(c *frame.Call, page *ui.Page, _ []cms.Model) (err error) {
			page.Notice, err = driftNotice(c, h.Schemas)
			return err
		},
	}.On(models)
	routes := kind.Routes()
	frame.Wrap(routes, "GET", "/models/{slug}", frame.AddToPage(h.sayWhyKept))
	for i := range routes {
		if r := &routes[i]; r.Method == http.MethodPut {
			r.Handle = kind.Guard(h.withReport(r.Handle, r.Form))
		}
	}
	return routes
}

// decodeModelBody turns the rows that a form sent into the fields of a definition. It returns the
// new names of renamed fields by their former names.
func decodeModelBody(c *frame.Call, body map[string]any) (renamed map[string]string, err error) {
	rows, ok := rowforms.PostedRows(c, body, "fields")
	if !ok || !c.IsForm {
		return nil, nil
	}
	if c.Form.Get("slug") == "" && c.Form.Get("name") != "" {
		body["slug"] = slug.Of(c.Form.Get("name"), "")
	}
	rows = fieldLevel{top: true}.fitRows(rows)
	renamed = map[string]string{}
	for _, r := range rows {
		if was := r.Text["was"]; was != "" && was != r.Text["name"] {
			renamed[was] = r.Text["name"]
		}
	}
	decodeChoices(body, c.Form.Get(thenSort), renamed)
	p := cms.Problems{}
	body["fields"] = fieldShape.Objects(rows, "fields", p)
	return renamed, p.Err()
}

// sayWhyKept replaces the button that deletes a model with the reasons why the model cannot be
// deleted, if there are any.
func (h ModelHandlers) sayWhyKept(c *frame.Call, page *ui.Page) error {
	m := c.Site.Models[c.R.PathValue("slug")]
	if m == nil || !c.May(cms.RoleUserAdmin) {
		return nil
	}
	has, err := h.Models.HasEntries(c.R.Context(), m)
	if err != nil {
		return err
	}
	var why []ui.Cell
	if has {
		why = append(why, ui.Word("Delete its entries first:"),
			ui.Cell{Text: "entries", Href: ui.Base + ui.EntriesPath(m.Slug) + "?all=true"})
	}
	for _, other := range frame.SortedModels(c.Site) {
		if other.ID != m.ID && site.RelatesTo(other.Fields, m.Slug) {
			why = append(why, ui.Word("Remove the relation to it from"),
				ui.Cell{Text: say.Data(other.Name), Href: ui.Base + ui.ModelPath(other.Slug) + "/edit"})
		}
	}
	if detail := page.Detail; len(why) > 0 {
		detail.Actions = slices.DeleteFunc(detail.Actions,
			func(a ui.Action) bool { return a.Method == http.MethodDelete })
		detail.Facts = append(detail.Facts, ui.NewFact("To delete it", why...))
	}
	return nil
}
