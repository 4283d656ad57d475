package healthpages

import (
	"net/http"
	"net/url"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/health"
	"headless/pkg/planning/bulk"
	"headless/pkg/site"
	"headless/pkg/web"
)

// Routes returns the routes of content health.
func Routes(entries entrydata.EntryHandlers, jobs *bulk.Jobs) []frame.Route {
	h := handlers{health.Checks{Store: entries.Entries.Store}, entries, jobs}
	return []frame.Route{
		{Method: "GET", Pattern: "/health", Role: cms.RoleViewer, Handle: h.list},
		{Method: "POST", Pattern: "/health/ignore", Role: cms.RoleEditor, Handle: h.ignore(false)},
		{Method: "DELETE", Pattern: "/health/ignore", Role: cms.RoleEditor, Handle: h.ignore(true)},
		{Method: "GET", Pattern: "/health/texts", Role: cms.RoleEditor, Handle: frame.ShowPage(h.textsPage)},
		{Method: "POST", Pattern: "/health/texts", Role: cms.RoleEditor, Handle: h.saveTexts, Form: h.textsPage},
		{Method: "GET", Pattern: "/health/texts.csv", Role: cms.RoleEditor, Handle: h.csv},
		{Method: "GET", Pattern: "/health/links", Role: cms.RoleEditor, Handle: frame.ShowPage(h.linksPage)},
		{Method: "POST", Pattern: "/health/links", Role: cms.RoleEditor, Handle: h.replaceLinks, Form: h.linksPage},
		{Method: "GET", Pattern: "/models/{slug}/entries/{id}/health", Role: cms.RoleViewer,
			Handle: frame.OfModel(h.ofEntry)},
	}
}

type handlers struct {
	checks  health.Checks
	entries entrydata.EntryHandlers
	jobs    *bulk.Jobs
}

// meta is the meta of a list of findings.
type meta struct {
	Page    int                 `json:"page"`
	PerPage int                 `json:"per_page"`
	Total   int                 `json:"total"`
	Counts  map[health.Kind]int `json:"counts"`
	Next    string              `json:"next_cursor,omitempty"`
}

func (h handlers) list(c *frame.Call) (frame.Result, error) {
	p, err := c.PlainPaging()
	if err != nil {
		return frame.Result{}, err
	}
	q := c.R.URL.Query()
	if !c.JSON && !q.Has("per_page") {
		p.PerPage = 100 // a repair chooses from the findings of one page
	}
	f, err := filterOf(q)
	if err != nil {
		return frame.Result{}, err
	}
	list, err := h.checks.List(c.R.Context(), f, p, q.Get("cursor"))
	if err != nil {
		return frame.Result{}, err
	}
	result := frame.Result{Data: list.Items, Meta: meta{p.Page, p.PerPage, list.Total, list.Counts, list.Next}}
	if !c.JSON {
		result.Page, err = h.page(c, f, list)
	}
	return result, err
}

// filterOf reads the filters of a list; each takes several values, joined by commas.
func filterOf(q url.Values) (f health.Filter, err error) {
	names := func(key string) (list []string) {
		for name := range strings.SplitSeq(q.Get(key), ",") {
			if name != "" {
				list = append(list, name)
			}
		}
		return list
	}
	for _, kind := range names("kind") {
		f.Kinds = append(f.Kinds, health.Kind(kind))
	}
	f.Models, f.Locales = names("model"), names("locale")
	if q.Get("ignored") != "" { // the form of the page sends an empty one
		f.Ignored, err = web.Flag(q, "ignored")
	}
	return f, err
}

func (h handlers) ofEntry(c *frame.Call, m *site.Model) (frame.Result, error) {
	if err := c.RefuseNames(frame.ListParams...); err != nil {
		return frame.Result{}, err
	}
	f, err := filterOf(c.R.URL.Query())
	if err != nil {
		return frame.Result{}, err
	}
	e, err := h.entries.Get(c, c.R.PathValue("id"))
	if err != nil {
		return frame.Result{}, err
	}
	list, err := h.checks.Of(c.R.Context(), m, e, f.Ignored)
	if err != nil {
		return frame.Result{}, err
	}
	result := frame.Result{Data: list.Items, Meta: meta{1, len(list.Items), list.Total, list.Counts, ""}}
	if !c.JSON {
		people, err := c.People()
		if err != nil {
			return frame.Result{}, err
		}
		rows, err := h.rowsOf(c, people, list.Items)
		if err != nil {
			return frame.Result{}, err
		}
		result.Page = &ui.Page{Title: "Health", Crumbs: []ui.Link{{Text: say.Data(e.Title),
			Href: entrydata.EntryAddress(m.Slug, e.ID)}},
			List: &ui.List{Columns: columns, Rows: rows, Total: list.Total, Empty: "Nothing is wrong with this entry.",
				Bulk: bulkForm(rows, f.Ignored)}}
	}
	return result, nil
}

// ignore returns the handler that ignores findings or, with end set, shows them again. The body names one;
// the form of the page several.
func (h handlers) ignore(end bool) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		if err := h.mayWrite(c); err != nil { // before the body is looked at
			return frame.Result{}, err
		}
		bodies, err := bodiesOf(c)
		if err != nil {
			return frame.Result{}, err
		}
		end := end || c.Form.Get("action") == "show"
		result, back := frame.Result{Status: http.StatusNoContent, Redirect: "/health?ok=saved"}, url.Values{}
		for i, body := range bodies {
			at, err := health.DecodePlace(body)
			if err == nil {
				err = h.checks.Ignore(c.R.Context(), c.Actor(), at, end)
			}
			switch {
			case c.IsForm && cms.CodeOf(err) == cms.CodeNotFound: // mended or shown again since
				result.Redirect = "/health?ok=some"
			case err != nil:
				return frame.Result{}, err
			case c.IsForm:
				back.Add("ids", c.Form["ids"][i])
			}
		}
		if back.Has("ids") && !c.Form.Has("undo") {
			back.Set("action", map[bool]string{true: "ignore", false: "show"}[end])
			back.Set("undo", "true")
			result.Undo = &ui.Undo{Href: ui.Base + "/health/ignore", Fields: back}
		}
		return result, nil
	}
}

// mayWrite checks that the user may write some entries.
func (h handlers) mayWrite(c *frame.Call) error {
	permitted := cms.PermissionsOf(c.R.Context())
	if permitted.May(cms.ActionWrite, "", "") { // also where there is no model yet
		return nil
	}
	for slug := range c.Site.Models {
		if permitted.May(cms.ActionWrite, slug, "") {
			return nil
		}
	}
	return cms.Errorf(cms.CodeForbidden, "You have no permission to %s %q.", cms.ActionWrite, "entries")
}

// bodiesOf returns the bodies that name findings. A DELETE may name one by its query.
func bodiesOf(c *frame.Call) ([]map[string]any, error) {
	if !c.IsForm {
		body := map[string]any{}
		if q := c.R.URL.Query(); c.Method == http.MethodDelete && q.Has("kind") {
			for _, key := range []string{"kind", "id", "field"} {
				body[key] = q.Get(key)
			}
			return []map[string]any{body}, nil
		}
		body, err := c.Body()
		return []map[string]any{body}, err
	}
	bodies := placesOf(c.Form["ids"])
	if bodies == nil {
		return nil, cms.Problems{"ids": {"choose at least one"}}.Err()
	}
	return bodies, nil
}

// placesOf returns the bodies for the ids of rows in the list of findings.
func placesOf(ids []string) (bodies []map[string]any) {
	for _, id := range ids {
		kind, rest, _ := strings.Cut(id, "|")
		id, field, _ := strings.Cut(rest, "|")
		bodies = append(bodies, map[string]any{"kind": kind, "id": id, "field": field})
	}
	return bodies
}
