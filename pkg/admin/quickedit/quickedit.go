package quickedit

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/entrypages"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/listpages"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/site"
)

// quickEdit shows the form of an entry in its row of a list.
type quickEdit struct {
	entrypages.Pages
	list frame.Handler
}

// maxQuick is how many fields of a model the form in a row has at most.
const maxQuick = 8

// listKey is the query parameter of a draft with the query of the list to which the form in a row returns.
const listKey = "list"

// Add lets the list of entries show the form of one of them in its row, and the route that saves drafts come
// back to that list.
func Add(routes []frame.Route, h entrydata.EntryHandlers) {
	q := &quickEdit{Pages: entrypages.Pages{EntryHandlers: h}}
	for i := range routes {
		r := &routes[i]
		switch r.Method + " " + r.Pattern {
		case "GET /models/{slug}/entries":
			q.list, r.Handle = r.Handle, q.show
		case "PUT /models/{slug}/entries/{id}/draft":
			save, form := r.Handle, r.Form
			r.Handle = func(c *frame.Call) (frame.Result, error) {
				if c.IsForm && c.R.URL.Query().Has(listKey) {
					return q.save(c)
				}
				return save(c)
			}
			r.Form = func(c *frame.Call) (*ui.Page, error) {
				if c.R.URL.Query().Has(listKey) {
					return q.again(c)
				}
				return form(c)
			}
		}
	}
}

// show answers the GET of a list. The query parameter edit is the id of the entry whose row has the form.
func (q *quickEdit) show(c *frame.Call) (frame.Result, error) {
	query := c.R.URL.Query()
	id := query.Get(listpages.EditKey)
	if id == "" || c.JSON {
		return q.list(c)
	}
	query.Del(listpages.EditKey)
	page, err := q.page(c, query, id)
	return frame.Result{Page: page}, err
}

// again returns the list from which a form was sent, with the form in its row.
func (q *quickEdit) again(c *frame.Call) (*ui.Page, error) {
	model, id := entrydata.PathOf(c)
	query, err := listQuery(c)
	if err != nil {
		return nil, err
	}
	c.R = c.R.Clone(c.R.Context())
	c.R.URL.Path = ui.Base + ui.EntriesPath(model)
	return q.page(c, query, id)
}

// listQuery returns the query of the list from which a form was sent.
func listQuery(c *frame.Call) (url.Values, error) {
	query, err := url.ParseQuery(c.R.URL.Query().Get(listKey))
	if err != nil {
		return nil, cms.Errorf(cms.CodeBadRequest, "The query of the list is invalid.")
	}
	return query, nil
}

// page returns the list of a query with the form of an entry in its row. The row comes first if the entry
// is not on that page of the list.
func (q *quickEdit) page(c *frame.Call, query url.Values, id string) (*ui.Page, error) {
	query.Set("all", "true") // shows this query, not a remembered one
	c.R = c.R.Clone(c.R.Context())
	c.R.URL.RawQuery = query.Encode()
	result, err := q.list(c)
	if err != nil {
		return nil, err
	}
	id, ok := input.CanonicalID(id)
	if !ok {
		return nil, cms.Errorf(cms.CodeNotFound, "There is no such entry.")
	}
	c.R.SetPathValue("id", id)
	page := result.Page
	if page.Form, err = q.form(c, query); err != nil || page.Form == nil {
		return page, input.NotFound(err, "entry")
	}
	at := slices.IndexFunc(page.List.Rows, func(r ui.Row) bool { return r.ID == id })
	if at < 0 {
		at, page.List.Rows = 0, slices.Insert(page.List.Rows, 0, ui.Row{ID: id})
	}
	page.List.Rows[at].Form = page.Form
	return page, nil
}

// form returns the form in a row, nil if the user may not change the entry.
func (q *quickEdit) form(c *frame.Call, query url.Values) (*ui.Form, error) {
	m, err := c.Model()
	if err != nil {
		return nil, err
	}
	d, err := q.Entries.DraftOrLive(c.R.Context(), m.Slug, c.R.PathValue("id"))
	if err != nil || !q.MayWrite(c, m, d.Live) {
		return nil, err
	}
	action := ui.Base + entrydata.EntryAt(c) + "/draft?" + listKey + "=" + url.QueryEscape(query.Encode())
	fields, base, err := q.FormFields(c, m, d, action)
	if err != nil {
		return nil, err
	}
	keys := quickKeys(m, query)
	fields = slices.DeleteFunc(fields, func(f ui.Field) bool { return f.Unmet || !slices.Contains(keys, f.Name) })
	maps.DeleteFunc(base, func(key string, _ any) bool { return !slices.Contains(keys, key) })
	for i := range fields {
		fields[i].Bare, fields[i].Focus = false, fields[i].Name == "title" && !c.IsForm
	}
	return &ui.Form{Action: action, Method: http.MethodPut, Submit: "Save", Base: ui.Digest(base.String()),
		Cancel: ui.Base + ui.EntriesPath(m.Slug) + "?" + query.Encode(),
		Fields: []ui.Field{{Kind: "row", Fields: fields}, ui.Kept(entryforms.BaseKey, base.String())}}, nil
}

// quickKeys returns the keys of the fields that a row edits: title, slug and the first simple fields of the
// model, those that the list shows before others.
func quickKeys(m *site.Model, query url.Values) []string {
	var shown, others []string
	columns := strings.Split(strings.Join(query["columns"], ","), ",")
	for i := range m.Fields {
		switch f := &m.Fields[i]; {
		case !f.IsShort() || !entryforms.IsSimple(f):
		case slices.Contains(columns, f.Name):
			shown = append(shown, "data."+f.Name)
		default:
			others = append(others, "data."+f.Name)
		}
	}
	keys := append(shown, others...)
	return append([]string{"title", "slug"}, keys[:min(maxQuick, len(keys))]...)
}

// save saves the form in a row and redirects to the list, which offers to put back the values of the changed fields.
func (q *quickEdit) save(c *frame.Call) (frame.Result, error) {
	query, err := listQuery(c)
	if err != nil {
		return frame.Result{}, err
	}
	result, s, err := q.SaveForm(c)
	if err != nil || c.JSON {
		return result, err
	}
	href := entrydata.EntryAddress(s.Model.Slug, s.Saved.Live.ID) + "/draft?" + listKey + "=" +
		url.QueryEscape(query.Encode())
	query.Set("ok", "saved")
	if s.Saved.Live.Status == cms.StatusPublished && s.Saved.Info != nil {
		query.Set("ok", "waiting")
	}
	result.Redirect = ui.EntriesPath(s.Model.Slug) + "?" + query.Encode()
	now := entryforms.BaseOf(s.Model, entryforms.StoredOf(s.Model, s.Saved.Entry, s.Saved.RowIDs))
	base, was := entryforms.Base{}, url.Values{}
	for key := range s.Merge.Mine {
		base[key] = now[key]
		was.Set(key, "")
		if err := entryforms.Post(was, key, *entryforms.FieldOf(s.Model, key), s.Stored.Values[key]); err != nil {
			return result, err
		}
	}
	was.Set(entryforms.BaseKey, base.String())
	if len(base) > 0 {
		result.Undo = &ui.Undo{Method: http.MethodPut, Href: href, Fields: was}
	}
	return result, nil
}
