package entrypages

import (
	"net/http"
	"slices"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	previews "headless/pkg/links/preview"
)

// linkRoutes are the routes of preview links that were made (extensions §15).
func (h entryPages) linkRoutes() []frame.Route {
	return []frame.Route{
		{Method: "GET", Pattern: "/previews", Role: cms.RoleViewer, Handle: h.previewLinks},
		{Method: "DELETE", Pattern: "/previews/{id}", Role: cms.RoleViewer, Handle: h.endPreviewLink},
		{Method: "GET", Pattern: "/models/{slug}/entries/{id}/previews", Role: cms.RoleEditor,
			Handle: h.previewLinksOfEntry},
	}
}

// previewLinks answers GET /previews: one's own links; for admins all, or those of one user or key.
func (h entryPages) previewLinks(c *frame.Call) (frame.Result, error) {
	const filter = "filter[by]"
	by, admin := c.R.URL.Query().Get(filter), c.User.Role == cms.RoleUserAdmin
	if !admin && by != "" && by != c.User.ID {
		return frame.Result{}, cms.Errorf(cms.CodeForbidden, "Only admins see the preview links of others.")
	}
	links := previews.Links{Entries: h.Entries}
	var list []previews.Made
	var err error
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
	return h.linkList(c, list)
}

// previewLinksOfEntry answers GET /models/{slug}/entries/{id}/previews, for those who may make links
// to the entry.
func (h entryPages) previewLinksOfEntry(c *frame.Call) (frame.Result, error) {
	list, err := previews.Links{Entries: h.Entries}.OfEntry(c.R.Context(), c.R.PathValue("slug"),
		c.R.PathValue("id"))
	if err != nil {
		return frame.Result{}, err
	}
	return h.linkList(c, list)
}

func (h entryPages) linkList(c *frame.Call, links []previews.Made) (frame.Result, error) {
	p, err := c.Paging()
	if err != nil {
		return frame.Result{}, err
	}
	page := db.PageOf(slices.Clone(links), p)
	list := &ui.List{Columns: []say.Text{"Made by", "Made", "Valid until", "Model", "Shows"},
		Empty: "No preview link is valid."}
	people, err := c.People()
	if err != nil {
		return frame.Result{}, err
	}
	for _, v := range page.Items {
		row := ui.Row{Cells: []ui.Cell{people.Cell(&v.By.Name), ui.When(v.At), ui.When(v.ExpiresAt),
			ui.Code(v.Model), ui.Code(v.Entry)}}
		if v.View != nil {
			row.Cells[4] = siteShown(v.View)
		} else {
			row.Href = ui.Base + "/models/" + v.Model + "/entries/" + v.Entry
		}
		if v.By.ID == c.User.ID || c.User.Role == cms.RoleUserAdmin {
			row.Actions = []ui.Action{{Label: "End", Method: http.MethodDelete,
				Href: ui.Base + "/previews/" + v.ID, Danger: true,
				Confirm: "End this preview link? Who has it sees nothing any more."}}
		}
		list.Rows = append(list.Rows, row)
	}
	return frame.Result{Data: page.Items, Meta: frame.Meta(page),
		Page: &ui.Page{Title: "Preview links", List: frame.Paged(c, list, page)}}, nil
}

// siteShown says what a link to the site shows.
func siteShown(v *previews.View) ui.Cell {
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

func (h entryPages) endPreviewLink(c *frame.Call) (frame.Result, error) {
	err := previews.Links{Entries: h.Entries}.End(c.R.Context(), c.Actor(), c.R.PathValue("id"),
		c.User.Role == cms.RoleUserAdmin)
	return frame.Result{Status: http.StatusNoContent, Redirect: "/previews?ok=done"}, err
}
