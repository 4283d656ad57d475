package resource

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/slice"
)

// Kind is one kind of item. It makes the routes of its collection: list, create, read, update and
// delete, as JSON and as pages. If Create, Update or Delete is nil, its routes are left out.
type Kind[T any] struct {
	Path  string   // below Base, "/keys"; it may hold parameters, "/models/{slug}/entries"
	Title say.Text // "API keys"
	One   say.Text // "API key"
	Param string   // wildcard of the item in the path, "id" by default; others: c.R.PathValue
	// Confirm requires a fresh sign-in for changes, see frame.Route.
	Confirm bool
	// Heading, if set, replaces Title on pages.
	Heading func(c *frame.Call) say.Text
	// Read and Write are the lowest roles that may read and change items; viewer and admin by
	// default.
	Read, Write cms.UserRole

	List   func(c *frame.Call, p db.Paging) (db.Page[T], error)
	Get    func(c *frame.Call, id string) (T, error)
	Create func(c *frame.Call, body map[string]any) (T, error)
	Update func(c *frame.Call, id string, body map[string]any, ok input.Precondition[T]) (T, error)
	Delete func(c *frame.Call, id string) error
	// New returns a new item with its defaults. JSON gets it at the URL of the create form.
	New func(c *frame.Call) (T, error)
	// Show, if set, answers the GET of an item, so that Get and Detail are not called.
	Show func(c *frame.Call, id string) (frame.Result, error)

	ID   func(v T) string
	Name func(v T) say.Text // name of an item, for titles
	// Columns and Row are the table of the list; the first cell links to the item. Detail is the
	// page of an item without its buttons. Fields are the inputs of its form; v is nil when an item
	// is created.
	Columns []say.Text
	Row     func(v T) []ui.Cell
	// Filters are the inputs of the form above the list. A list with Filters reads sort and
	// filter[…] itself. Other lists refuse these parameters.
	Filters func(c *frame.Call) ([]ui.Field, error)
	Detail  func(c *frame.Call, v T) (*ui.Detail, error)
	Fields  func(c *frame.Call, v *T) ([]ui.Field, error)
	Scripts []string // that the form does without at first
	// Secret, if set, returns the secret that the page of a new item shows once.
	Secret func(v T) string
	// JSON, if set, converts an item for JSON.
	JSON func(v T) any
	// Pending, if set, reports whether a part of an update waits; then the answer is 202.
	Pending func(v T) bool
	// Tagged items have an ETag in JSON, which If-Match of changes compares.
	Tagged bool
	// Public changes are seen by the public at once, see frame.Route.
	Public bool
	// May, if set, checks whether the user may change an item by a method, besides the check of the route. v is nil when
	// an item is created.
	May func(c *frame.Call, method string, v *T) error
	// Locked, if set, returns the reason why nothing can be changed now, else "".
	Locked func(c *frame.Call) (say.Text, error)
}

// NoFilters makes a Kind accept filters and sorts and show no form for them; listPage shows its
// own.
func NoFilters(*frame.Call) ([]ui.Field, error) { return nil, nil }

// Routes returns the routes of the kind.
func (r Kind[T]) Routes() []frame.Route {
	if r.Read == "" {
		r.Read = cms.RoleViewer
	}
	if r.Write == "" {
		r.Write = cms.RoleUserAdmin
	}
	if r.Param == "" {
		r.Param = "id"
	}
	if r.JSON == nil {
		r.JSON = func(v T) any { return v }
	}
	item := r.Path + "/{" + r.Param + "}"
	routes := []frame.Route{
		{Method: "GET", Pattern: r.Path, Role: r.Read, Handle: r.list},
		{Method: "GET", Pattern: item, Role: r.Read, Handle: r.get},
	}
	if r.Create != nil {
		routes = append(routes,
			frame.Route{Method: "POST", Pattern: r.Path, Role: r.Write, Handle: r.Guard(r.create),
				Form: r.createPage, Confirm: r.Confirm, Public: r.Public},
			frame.Route{Method: "GET", Pattern: r.Path + "/create", Role: r.Write, Handle: r.createForm,
				Confirm: r.Confirm, For: "POST", Public: r.Public},
		)
	}
	if r.Update != nil {
		routes = append(routes,
			frame.Route{Method: "PUT", Pattern: item, Role: r.Write, Handle: r.Guard(r.update), Form: r.editPage,
				Confirm: r.Confirm, Public: r.Public},
			frame.Route{Method: "GET", Pattern: item + "/edit", Role: r.Write, Handle: r.editForm,
				Confirm: r.Confirm, For: "PUT", Public: r.Public},
		)
	}
	if r.Delete != nil {
		routes = append(routes, frame.Route{Method: "DELETE", Pattern: item, Role: r.Write,
			Handle: r.Guard(r.delete), Confirm: r.Confirm, Public: r.Public})
	}
	return routes
}

// path returns the path of the collection below Base, with the parameters of the call.
func (r Kind[T]) path(c *frame.Call) string {
	parts := strings.Split(r.Path, "/")
	for i, part := range parts {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			parts[i] = url.PathEscape(c.R.PathValue(strings.TrimSuffix(name, "}")))
		}
	}
	return strings.Join(parts, "/")
}

func (r Kind[T]) heading(c *frame.Call) say.Text {
	if r.Heading != nil {
		return r.Heading(c)
	}
	return r.Title
}

func (r Kind[T]) itemPath(c *frame.Call, v T) string {
	return r.path(c) + "/" + url.PathEscape(r.ID(v))
}

func (r Kind[T]) list(c *frame.Call) (frame.Result, error) {
	p, err := c.Paging()
	if err != nil {
		return frame.Result{}, err
	}
	unknown := []string{"fields", "include"}
	if r.Filters == nil {
		unknown = append(unknown, "filter", "sort")
	}
	if err := c.RefuseNames(unknown...); err != nil {
		return frame.Result{}, err
	}
	page, err := r.List(c, p)
	if err != nil {
		return frame.Result{}, err
	}
	result := frame.Result{Data: slice.Map(page.Items, r.JSON), Meta: frame.Meta(page)}
	if c.JSON {
		return result, nil
	}
	locked, err := r.lockReason(c)
	if err != nil {
		return frame.Result{}, err
	}
	list := &ui.List{Columns: r.Columns, Empty: "Nothing here yet."}
	for _, v := range page.Items {
		list.Rows = append(list.Rows, ui.Row{Href: ui.Base + r.itemPath(c, v), Cells: r.Row(v)})
	}
	if r.Filters != nil {
		if list.Filters, err = r.Filters(c); err != nil {
			return frame.Result{}, err
		}
	}
	if r.Create != nil && r.may(c, http.MethodPost, r.Path, nil) && locked == "" {
		list.Create = &ui.Link{Text: say.F("New {1}", r.One), Href: ui.Base + r.path(c) + "/create"}
	}
	result.Page = &ui.Page{Title: r.heading(c), List: frame.Paged(c, list, page), Notice: locked}
	return result, nil
}

// may reports whether the user may use a route of the kind, for an item that is not nil.
func (r Kind[T]) may(c *frame.Call, method, pattern string, v *T) bool {
	return c.MayUse(method, pattern) && (r.May == nil || r.May(c, method, v) == nil)
}

func (r Kind[T]) get(c *frame.Call) (frame.Result, error) {
	if r.Show != nil {
		return r.Show(c, c.R.PathValue(r.Param))
	}
	v, err := r.Get(c, c.R.PathValue(r.Param))
	if err != nil {
		return frame.Result{}, err
	}
	result := frame.Result{Data: r.JSON(v)}
	if result.Header, err = r.tag(v); err != nil || c.JSON {
		return result, err
	}
	detail, err := r.Detail(c, v)
	if err != nil {
		return frame.Result{}, err
	}
	locked, err := r.lockReason(c)
	if err != nil {
		return frame.Result{}, err
	}
	at, item := ui.Base+r.itemPath(c, v), r.Path+"/{"+r.Param+"}"
	if r.Update != nil && locked == "" && r.may(c, http.MethodPut, item, &v) {
		detail.Actions = append([]ui.Action{{Label: "Edit", Href: at + "/edit"}}, detail.Actions...)
	}
	if r.Delete != nil && locked == "" && r.may(c, http.MethodDelete, item, &v) {
		detail.Actions = append(detail.Actions, ui.Action{
			Label: "Delete", Href: at, Method: http.MethodDelete, Danger: true,
			Confirm: say.F("Delete this {1}? This cannot be undone.", r.One),
		})
	}
	result.Page = &ui.Page{Title: r.Name(v),
		Crumbs: []ui.Link{{Text: r.heading(c), Href: ui.Base + r.path(c)}},
		Detail: detail, Notice: locked}
	return c.ShowOnce(result), nil
}

func (r Kind[T]) create(c *frame.Call) (frame.Result, error) {
	body, err := c.Body()
	if err != nil {
		return frame.Result{}, err
	}
	v, err := r.Create(c, body)
	if err != nil {
		return frame.Result{}, err
	}
	result := frame.Result{Status: http.StatusCreated, Data: r.JSON(v), Redirect: r.itemPath(c, v) + "?ok=created"}
	if r.Secret != nil {
		result.Cookie = c.Once(r.itemPath(c, v), r.Secret(v))
	}
	return result, nil
}

func (r Kind[T]) update(c *frame.Call) (frame.Result, error) {
	body, err := c.Body()
	if err != nil {
		return frame.Result{}, err
	}
	ok := Unchanged(c, r.JSON)
	if r.Tagged && ok == nil {
		ok = Matching(c, r.JSON)
	}
	v, err := r.Update(c, c.R.PathValue(r.Param), body, ok)
	if err != nil {
		return frame.Result{}, err
	}
	result := frame.Result{Data: r.JSON(v), Redirect: r.itemPath(c, v) + "?ok=saved"}
	if result.Header, err = r.tag(v); err != nil {
		return frame.Result{}, err
	}
	if r.Pending != nil && r.Pending(v) {
		result.Status, result.Redirect = http.StatusAccepted, r.itemPath(c, v)+"?ok=mailed"
	}
	return result, nil
}

// tag returns the header with the ETag of an item.
func (r Kind[T]) tag(v T) (http.Header, error) {
	if !r.Tagged {
		return nil, nil
	}
	tag, err := tagOf(r.JSON(v))
	return http.Header{"Etag": {tag}}, err
}

func (r Kind[T]) delete(c *frame.Call) (frame.Result, error) {
	if ok := Matching(c, r.JSON); r.Tagged && ok != nil {
		v, err := r.Get(c, c.R.PathValue(r.Param))
		if err == nil {
			err = ok(v)
		}
		if err != nil {
			return frame.Result{}, err
		}
	}
	err := r.Delete(c, c.R.PathValue(r.Param))
	return frame.Result{Status: http.StatusNoContent, Redirect: r.path(c) + "?ok=deleted"}, err
}

// createForm answers browsers with the empty form, and JSON with the defaults of a new item.
func (r Kind[T]) createForm(c *frame.Call) (frame.Result, error) {
	if c.JSON {
		v, err := r.New(c)
		if err != nil {
			return frame.Result{}, err
		}
		return frame.Result{Data: r.JSON(v)}, nil
	}
	if err := r.checkUnlocked(c); err != nil {
		return frame.Result{}, err
	}
	page, err := r.createPage(c)
	return frame.Result{Page: page}, err
}

func (r Kind[T]) createPage(c *frame.Call) (*ui.Page, error) {
	fields, err := r.Fields(c, nil)
	at := ui.Base + r.path(c)
	return &ui.Page{Title: say.F("New {1}", r.One), Crumbs: []ui.Link{{Text: r.heading(c), Href: at}}, Form: &ui.Form{
		Action: at, Method: http.MethodPost, Fields: fields, Submit: say.F("Create {1}", r.One), Cancel: at,
		Multipart: slices.ContainsFunc(fields, func(f ui.Field) bool { return f.Kind == "file" }),
	}, LaterAssets: r.Scripts}, err
}

// editForm answers browsers with the form, and JSON with the item.
func (r Kind[T]) editForm(c *frame.Call) (frame.Result, error) {
	if c.JSON {
		return r.get(c)
	}
	if err := r.checkUnlocked(c); err != nil {
		return frame.Result{}, err
	}
	page, err := r.editPage(c)
	return frame.Result{Page: page}, err
}

func (r Kind[T]) editPage(c *frame.Call) (*ui.Page, error) {
	v, err := r.Get(c, c.R.PathValue(r.Param))
	if err != nil {
		return nil, err
	}
	fields, err := r.Fields(c, &v)
	if err != nil {
		return nil, err
	}
	version, err := VersionOf(r.JSON(v))
	at := ui.Base + r.itemPath(c, v)
	return &ui.Page{Title: say.F("Edit {1}", r.Name(v)),
		Crumbs: []ui.Link{{Text: r.heading(c), Href: ui.Base + r.path(c)},
			{Text: r.Name(v), Href: at}}, Form: &ui.Form{
			Action: at, Method: http.MethodPut, Fields: fields, Submit: "Save", Cancel: at, Version: version,
		}, LaterAssets: r.Scripts}, err
}
