package listpages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/translations"
	"headless/pkg/views"
)

// ViewHandlers serve the saved views of lists of entries. A view is a name for filters, search,
// order and columns.
type ViewHandlers struct {
	entrydata.EntryHandlers
	Views *views.Store
}

// ViewRoutes returns the routes of the views of a model.
func ViewRoutes(h ViewHandlers) []frame.Route {
	const path = "/models/{slug}/views"
	return []frame.Route{
		{Method: "GET", Pattern: path, Role: cms.RoleViewer, Handle: frame.OfModel(h.list)},
		{Method: "POST", Pattern: path, Role: cms.RoleViewer, Handle: frame.OfModel(h.create)},
		{Method: "GET", Pattern: path + "/{id}", Role: cms.RoleViewer, Handle: frame.OfModel(h.one)},
		{Method: "PUT", Pattern: path + "/{id}", Role: cms.RoleViewer, Handle: frame.OfModel(h.update)},
		{Method: "DELETE", Pattern: path + "/{id}", Role: cms.RoleViewer, Handle: frame.OfModel(h.remove)},
	}
}

func (h ViewHandlers) list(c *frame.Call, m *site.Model) (frame.Result, error) {
	p, err := c.PlainPaging()
	if err != nil {
		return frame.Result{}, err
	}
	list, err := h.Views.Of(c.R.Context(), m, c.User.ID, h.checkParameters(c.Site, m))
	page := db.PageOf(list, p)
	return frame.Result{Data: page.Items, Meta: frame.Meta(page), Redirect: ui.EntriesPath(m.Slug)}, err
}

func (h ViewHandlers) one(c *frame.Call, m *site.Model) (frame.Result, error) {
	v, err := h.Views.Get(c.R.Context(), m, c.R.PathValue("id"), *c.User, h.checkParameters(c.Site, m))
	return frame.Result{Data: v, Redirect: ui.EntriesPath(m.Slug) + viewQuery(v)}, err
}

// create saves a view. A form overwrites the user's view of the same name, if there is one.
func (h ViewHandlers) create(c *frame.Call, m *site.Model) (frame.Result, error) {
	body, err := readView(c)
	if err != nil {
		return frame.Result{}, err
	}
	v, err := h.Views.Create(c.R.Context(), c.Actor(), *c.User, m, body, c.IsForm, h.checkParameters(c.Site, m))
	return frame.Result{Status: http.StatusCreated, Data: v,
		Redirect: viewAddress(ui.EntriesPath(m.Slug) + viewQuery(v))}, err
}

func (h ViewHandlers) update(c *frame.Call, m *site.Model) (frame.Result, error) {
	body, err := readView(c)
	if err != nil {
		return frame.Result{}, err
	}
	v, err := h.Views.Update(c.R.Context(), c.Actor(), *c.User, m, c.R.PathValue("id"), body,
		h.checkParameters(c.Site, m))
	return frame.Result{Data: v, Redirect: viewAddress(ui.EntriesPath(m.Slug) + viewQuery(v))}, err
}

func (h ViewHandlers) remove(c *frame.Call, m *site.Model) (frame.Result, error) {
	err := h.Views.Delete(c.R.Context(), c.Actor(), *c.User, m.ID, c.R.PathValue("id"))
	return frame.Result{Status: http.StatusNoContent, Redirect: ui.EntriesPath(m.Slug) + "?all=true&ok=deleted"}, err
}

// readView reads the body of a view. A form sends the query parameters of the list as one string.
func readView(c *frame.Call) (map[string]any, error) {
	body, err := c.Body()
	if err != nil {
		return nil, err
	}
	if text, ok := body["query"].(input.FormValue); ok {
		params, err := url.ParseQuery(text.Last())
		if err != nil {
			return nil, cms.Errorf(cms.CodeBadRequest, "The parameters of the list cannot be read.")
		}
		one := map[string]any{}
		for name, value := range single(params) {
			one[name] = value
		}
		body["query"] = one
	}
	return body, nil
}

// checkParameters returns a check that refuses query parameters unknown to the list of a model.
func (h ViewHandlers) checkParameters(site *site.Site, m *site.Model) func(cms.Problems, map[string]string) {
	columns := columnsOf(site, m)
	return func(p cms.Problems, params map[string]string) {
		values := url.Values{}
		for name, value := range params {
			values.Set(name, value)
			if !slices.Contains([]string{"columns", "q", "sort", "per_page"}, name) && !strings.HasPrefix(name, "filter[") {
				p.Add("query."+name, "is not a parameter of a list")
			}
		}
		for key := range strings.SplitSeq(params["columns"], ",") {
			if key != "" && !slices.ContainsFunc(columns, func(c column) bool { return c.key == key }) {
				p.Add("query.columns", "has no column %s", cms.Shorten(key))
			}
		}
		filters, err := entrydata.ListFilters(values)
		for _, f := range filters {
			if err == nil {
				err = translations.CheckFilter(site, m, f)
			}
		}
		if err != nil {
			p.Add("query", "%s", err.Error())
		}
		if _, err := entrydata.ParseSort(site, m, params["sort"]); err != nil {
			p.Add("query.sort", "%s", err.Error())
		}
	}
}

// viewQuery returns the query string that shows a view.
func viewQuery(v views.View) string {
	params := url.Values{}
	for name, value := range v.Query {
		params.Set(name, value)
	}
	return ui.With(params)
}

// single joins the values of each parameter with commas: columns are sent one by one.
func single(params url.Values) map[string]string {
	one := map[string]string{}
	for name, values := range params {
		one[name] = strings.Join(slice.Filled(values), ",")
	}
	return one
}

func viewAddress(address string) string { return address + "&ok=saved" }

// AddViews adds the saved views to the page of a list.
func (h ViewHandlers) AddViews(c *frame.Call, page *ui.Page) error {
	if page.List == nil {
		return nil
	}
	m, err := c.Model()
	if err != nil {
		return err
	}
	list, err := h.Views.Of(c.R.Context(), m, c.User.ID, h.checkParameters(c.Site, m))
	if err != nil {
		return err
	}
	params := url.Values{}
	for name, value := range single(c.R.URL.Query()) {
		params.Set(name, value)
	}
	now := ui.With(params)
	bar := &ui.ViewBar{Action: ui.Base + ui.ModelPath(m.Slug) + "/views", Query: strings.TrimPrefix(now, "?")}
	for i, v := range list {
		tab := ui.Tab{Text: say.Data(v.Name), Href: viewQuery(v), Here: viewQuery(v) == now}
		if v.UserID != c.User.ID {
			tab.Text = say.F("{1} (shared)", v.Name)
		}
		bar.Tabs = append(bar.Tabs, tab)
		if tab.Here && bar.Here == nil {
			bar.Here = &list[i]
			if v.MayChange(*c.User) {
				bar.Delete = &ui.Action{Label: "Delete view", Method: http.MethodDelete, Danger: true,
					Href: bar.Action + "/" + v.ID, Confirm: say.F("Delete the view “{1}”? Its entries stay.",
						v.Name)}
			}
		}
	}
	if params.Del(languageKey); ui.With(params) == "?all=true" {
		bar.Query = ""
	}
	page.List.Views = bar
	return nil
}
