package previewpages

import (
	"net/http"
	"slices"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/links/preview"
)

// list answers GET /previews: one's own links; for admins all, or those of one user or key.
func (h handlers) list(c *frame.Call) (frame.Result, error) {
	p, filters, err := c.FilteredPaging("by")
	if err != nil {
		return frame.Result{}, err
	}
	by, admin := filters["by"], c.User.Role == cms.RoleUserAdmin
	if !admin && by != "" && by != c.User.ID {
		return frame.Result{}, cms.Errorf(cms.CodeForbidden, "Only admins see the preview links of others.")
	}
	links := h.links()
	var list []preview.Made
	switch {
	case by != "":
		list, err = links.ByUser(c.R.Context(), by)
	case admin:
		list, err = links.List(c.R.Context())
	default:
		list, err = links.ByUser(c.R.Context(), c.User.ID)
	}
	if err != nil {
		return frame.Result{}, err
	}
	return h.show(c, list, p)
}

// listOfEntry answers GET /models/{slug}/entries/{id}/previews, for those who may make links
// to the entry.
func (h handlers) listOfEntry(c *frame.Call) (frame.Result, error) {
	p, err := c.PlainPaging()
	if err != nil {
		return frame.Result{}, err
	}
	list, err := h.links().OfEntry(c.R.Context(), c.R.PathValue("slug"), c.R.PathValue("id"))
	if err != nil {
		return frame.Result{}, err
	}
	return h.show(c, list, p)
}

func (h handlers) show(c *frame.Call, links []preview.Made, p db.Paging) (frame.Result, error) {
	page := db.PageOf(slices.Clone(links), p)
	result := frame.Result{Data: page.Items, Meta: frame.Meta(page)}
	if c.JSON {
		return result, nil
	}
	list := &ui.List{Columns: []say.Text{"Made by", "Made", "Valid until", "Shows", "Model"},
		Empty: "No preview link is valid."}
	people, err := c.People()
	if err != nil {
		return frame.Result{}, err
	}
	names, err := namesOf(h, c, page.Items, func(v preview.Made) (string, string) { return v.Model, v.Entry })
	if err != nil {
		return frame.Result{}, err
	}
	for _, v := range page.Items {
		row := ui.Row{Cells: []ui.Cell{people.Cell(&v.By.Name), ui.When(v.At), ui.When(v.ExpiresAt)}}
		if v.View != nil {
			row.Cells = append(row.Cells, siteShown(v.View), ui.Cell{})
		} else {
			named := names(v.Model, v.Entry)
			row.Cells, row.Href = append(row.Cells, named.Cells...), named.Href
		}
		if v.By.ID == c.User.ID || c.User.Role == cms.RoleUserAdmin {
			row.Actions = []ui.Action{{Label: "End", Method: http.MethodDelete,
				Href: ui.Base + "/previews/" + v.ID, Danger: true,
				Confirm: endsPreview}}
		}
		list.Rows = append(list.Rows, row)
	}
	result.Page = &ui.Page{Title: "Preview links", Crumbs: frame.OfProfile(), List: frame.Paged(c, list, page)}
	return result, nil
}

// siteShown says what a link to the site shows.
func siteShown(v *preview.View) ui.Cell {
	switch {
	case v.Name != "":
		return ui.Text(v.Name)
	case v.Drafts:
		return ui.Word("The site with all drafts")
	case v.Release != "":
		return ui.Cell{Text: "The site with a release", Href: ui.Base + "/releases/" + v.Release}
	}
	return ui.Word(say.F("The site as of {1}", say.Moment(v.At.Time)))
}

func (h handlers) end(c *frame.Call) (frame.Result, error) {
	err := h.links().End(c.R.Context(), c.Actor(), c.R.PathValue("id"), c.User.Role == cms.RoleUserAdmin)
	return frame.Result{Status: http.StatusNoContent, Redirect: "/previews?ok=done"}, err
}

// namesOf returns a function that makes the row for an entry of some links: its title and the name of its model.
func namesOf[T any](h handlers, c *frame.Call, links []T, entryOf func(T) (model, id string)) (
	func(model, id string) ui.Row, error) {
	store := h.previews.Releases.Store
	titles, err := entrydata.Titles(c, store, links, entryOf)
	return func(model, id string) ui.Row {
		return ui.Row{Href: titles[id].Href, Cells: []ui.Cell{ui.Word(titles[id].Text), ui.Text(c.Site.ModelName(model))}}
	}, err
}

// endsPreview is asked before a link ends.
const endsPreview say.Text = "End this preview link? Who has it sees nothing any more."
