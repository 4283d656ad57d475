package resource

import (
	"cmp"
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
	Event string   // of an update in the activity log, "key.updated"
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
	// Decode, if set, turns the body of a form into that of a JSON client, for Create and Update. The path of a new
	// item has no value of Param.
	Decode func(c *frame.Call, body map[string]any) error
	// New returns a new item with its defaults. JSON gets it at the URL of the create form.
	New func(c *frame.Call) (T, error)
	// Show, if set, answers the GET of an item, so that Get and Detail are not called.
	Show func(c *frame.Call, id string) (frame.Result, error)

	ID   func(v T) string
	Name func(v T) say.Text // name of an item, for titles
	// Columns and Row are the table of the list; the first cell is the name and links to the item.
	// Detail is the page of an item without its buttons; if it is nil, the page has the other columns.
	// Fields are the inputs of its form; v is nil when an item is created.
	Columns []say.Text
	Row     func(v T) []ui.Cell
	// Filters are the inputs of the form above the list. A list with Filters reads sort and
	// filter[…] itself. Other lists refuse these parameters.
	Filters func(c *frame.Call) ([]ui.Field, error)
	Detail  func(c *frame.Call, v T) (*ui.Detail, error)
	Fields  func(c *frame.Call, v *T) ([]ui.Field, error)
	// NewPage and EditPage, if set, are the pages with the forms, so that Fields is not called.
	NewPage, EditPage   func(c *frame.Call) (*ui.Page, error)
	Assets, LaterAssets []string // of the form, see ui.Page
	// Complete, if set, completes the page of the list.
	Complete func(c *frame.Call, page *ui.Page, items []T) error
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
	Locked func(c *frame.Call) say.Text
}

// NoFilters makes a Kind accept filters and sorts and show no form for them; ListPage of listpages shows its
// own.
func NoFilters(*frame.Call) ([]ui.Field, error) { return nil, nil }

// Routes returns the routes of the kind.
func (k Kind[T]) Routes() []frame.Route {
	k.Read = cmp.Or(k.Read, cms.RoleViewer)
	k.Write = cmp.Or(k.Write, cms.RoleUserAdmin)
	k.Param = cmp.Or(k.Param, "id")
	if k.JSON == nil {
		k.JSON = func(v T) any { return v }
	}
	if k.NewPage == nil {
		k.NewPage = k.createPage
	}
	if k.EditPage == nil {
		k.EditPage = k.editPage
	}
	item := k.Path + "/{" + k.Param + "}"
	routes := []frame.Route{
		{Method: "GET", Pattern: k.Path, Role: k.Read, Handle: k.list},
		{Method: "GET", Pattern: item, Role: k.Read, Handle: k.get},
	}
	if k.Create != nil {
		routes = append(routes,
			frame.Route{Method: "POST", Pattern: k.Path, Role: k.Write, Handle: k.Guard(frame.WithBody(k.create)),
				Form: k.NewPage, Confirm: k.Confirm, Public: k.Public},
			frame.Route{Method: "GET", Pattern: k.Path + "/create", Role: k.Write, Handle: k.createForm,
				Confirm: k.Confirm, For: "POST", Public: k.Public},
		)
	}
	if k.Update != nil {
		routes = append(routes,
			frame.Route{Method: "PUT", Pattern: item, Role: k.Write, Handle: k.Guard(frame.WithBody(k.update)), Form: k.EditPage,
				Confirm: k.Confirm, Public: k.Public},
			frame.Route{Method: "GET", Pattern: item + "/edit", Role: k.Write, Handle: k.editForm,
				Confirm: k.Confirm, For: "PUT", Public: k.Public},
		)
	}
	if k.Delete != nil {
		routes = append(routes, frame.Route{Method: "DELETE", Pattern: item, Role: k.Write,
			Handle: k.Guard(k.delete), Confirm: k.Confirm, Public: k.Public})
	}
	return routes
}

// path returns the path of the collection below Base, with the parameters of the call.
func (k *Kind[T]) path(c *frame.Call) string {
	parts := strings.Split(k.Path, "/")
	for i, part := range parts {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			parts[i] = url.PathEscape(c.R.PathValue(strings.TrimSuffix(name, "}")))
		}
	}
	return strings.Join(parts, "/")
}

func (k *Kind[T]) heading(c *frame.Call) say.Text {
	if k.Heading != nil {
		return k.Heading(c)
	}
	return k.Title
}

func (k *Kind[T]) itemPath(c *frame.Call, v T) string {
	return k.path(c) + "/" + url.PathEscape(k.ID(v))
}

func (k *Kind[T]) list(c *frame.Call) (frame.Result, error) {
	p, err := c.Paging()
	if err != nil {
		return frame.Result{}, err
	}
	unknown := []string{"fields", "include"}
	if k.Filters == nil {
		unknown = append(unknown, "filter", "sort")
	}
	if err := c.RefuseNames(unknown...); err != nil {
		return frame.Result{}, err
	}
	page, err := k.List(c, p)
	if err != nil {
		return frame.Result{}, err
	}
	result := frame.Result{Data: slice.Map(page.Items, k.JSON), Meta: frame.Meta(page)}
	if c.JSON {
		return result, nil
	}
	locked := k.lockReason(c)
	list := &ui.List{Columns: k.Columns, Empty: "Nothing here yet."}
	for _, v := range page.Items {
		list.Rows = append(list.Rows, ui.Row{Href: ui.Base + k.itemPath(c, v), Cells: k.Row(v)})
	}
	if k.Filters != nil {
		if list.Filters, err = k.Filters(c); err != nil {
			return frame.Result{}, err
		}
	}
	if k.Create != nil && k.may(c, http.MethodPost, k.Path, nil) && locked == "" {
		list.Create = &ui.Link{Text: say.F("New {1}", k.One), Href: ui.Base + k.path(c) + "/create"}
	}
	result.Page = &ui.Page{Title: k.heading(c), List: frame.Paged(c, list, page), Notice: locked}
	if k.Complete != nil {
		err = k.Complete(c, result.Page, page.Items)
	}
	return result, err
}

// may reports whether the user may use a route of the kind, for an item that is not nil.
func (k *Kind[T]) may(c *frame.Call, method, pattern string, v *T) bool {
	return c.MayUse(method, pattern) && (k.May == nil || k.May(c, method, v) == nil)
}

func (k *Kind[T]) get(c *frame.Call) (frame.Result, error) {
	if k.Show != nil {
		return k.Show(c, c.R.PathValue(k.Param))
	}
	v, err := k.Get(c, c.R.PathValue(k.Param))
	if err != nil {
		return frame.Result{}, err
	}
	result := frame.Result{Data: k.JSON(v)}
	if result.Header, err = k.tag(v); err != nil || c.JSON {
		return result, err
	}
	detail := &ui.Detail{}
	if k.Detail == nil {
		detail.Facts = k.facts(v)
	} else if detail, err = k.Detail(c, v); err != nil {
		return frame.Result{}, err
	}
	locked := k.lockReason(c)
	at, item := ui.Base+k.itemPath(c, v), k.Path+"/{"+k.Param+"}"
	if k.Update != nil && locked == "" && k.may(c, http.MethodPut, item, &v) {
		detail.Actions = append([]ui.Action{{Label: "Edit", Href: at + "/edit"}}, detail.Actions...)
	}
	if k.Delete != nil && locked == "" && k.may(c, http.MethodDelete, item, &v) {
		detail.Actions = append(detail.Actions, Deletion(at, k.One))
	}
	result.Page = &ui.Page{Title: k.Name(v),
		Crumbs: []ui.Link{{Text: k.heading(c), Href: ui.Base + k.path(c)}},
		Detail: detail, Notice: locked}
	return c.ShowOnce(result), nil
}

// facts are the columns of an item without its name.
func (k *Kind[T]) facts(v T) []ui.Fact {
	cells := k.Row(v)
	facts := make([]ui.Fact, len(cells))
	for i, cell := range cells {
		facts[i] = ui.NewFact(k.Columns[i], cell)
	}
	return facts[1:]
}

// Deletion is the action that deletes what is at an address, which one names, as in "submission".
func Deletion(at string, one say.Text) ui.Action {
	return ui.Action{Label: "Delete", Href: at, Method: http.MethodDelete, Danger: true,
		Confirm: say.F("Delete this {1}? This cannot be undone.", one)}
}

func (k *Kind[T]) decode(c *frame.Call, body map[string]any) error {
	if k.Decode == nil || !c.IsForm {
		return nil
	}
	return k.Decode(c, body)
}

func (k *Kind[T]) create(c *frame.Call, body map[string]any) (frame.Result, error) {
	if err := k.decode(c, body); err != nil {
		return frame.Result{}, err
	}
	v, err := k.Create(c, body)
	if err != nil {
		return frame.Result{}, err
	}
	result := frame.Result{Status: http.StatusCreated, Data: k.JSON(v), Redirect: k.itemPath(c, v) + "?ok=created"}
	if k.Secret != nil {
		result.Cookie = c.Once(k.itemPath(c, v), k.Secret(v))
	}
	return result, nil
}

func (k *Kind[T]) update(c *frame.Call, body map[string]any) (frame.Result, error) {
	if err := k.decode(c, body); err != nil {
		return frame.Result{}, err
	}
	ok := Unchanged(c, k.Event, c.R.PathValue(k.Param), k.JSON)
	if k.Tagged && ok == nil {
		ok = Matching(c, k.JSON)
	}
	v, err := k.Update(c, c.R.PathValue(k.Param), body, ok)
	if err != nil {
		return frame.Result{}, err
	}
	result := frame.Result{Data: k.JSON(v), Redirect: k.itemPath(c, v) + "?ok=saved"}
	if result.Header, err = k.tag(v); err != nil {
		return frame.Result{}, err
	}
	if k.Pending != nil && k.Pending(v) {
		result.Status, result.Redirect = http.StatusAccepted, k.itemPath(c, v)+"?ok=mailed"
	}
	return result, nil
}

// tag returns the header with the ETag of an item.
func (k *Kind[T]) tag(v T) (http.Header, error) {
	if !k.Tagged {
		return nil, nil
	}
	tag, err := tagOf(k.JSON(v))
	return http.Header{"Etag": {tag}}, err
}

func (k *Kind[T]) delete(c *frame.Call) (frame.Result, error) {
	if ok := Matching(c, k.JSON); k.Tagged && ok != nil {
		v, err := k.Get(c, c.R.PathValue(k.Param))
		if err == nil {
			err = ok(v)
		}
		if err != nil {
			return frame.Result{}, err
		}
	}
	err := k.Delete(c, c.R.PathValue(k.Param))
	return frame.Result{Status: http.StatusNoContent, Redirect: k.path(c) + "?ok=deleted"}, err
}

// createForm answers browsers with the empty form, and JSON with the defaults of a new item.
func (k *Kind[T]) createForm(c *frame.Call) (frame.Result, error) {
	if c.JSON {
		v, err := k.New(c)
		if err != nil {
			return frame.Result{}, err
		}
		return frame.Result{Data: k.JSON(v)}, nil
	}
	if err := k.checkUnlocked(c); err != nil {
		return frame.Result{}, err
	}
	return frame.ShowPage(k.NewPage)(c)
}

func (k *Kind[T]) createPage(c *frame.Call) (*ui.Page, error) {
	fields, err := k.Fields(c, nil)
	at := ui.Base + k.path(c)
	return &ui.Page{Title: say.F("New {1}", k.One), Crumbs: []ui.Link{{Text: k.heading(c), Href: at}}, Form: &ui.Form{
		Action: at, Method: http.MethodPost, Fields: fields, Submit: say.F("Create {1}", k.One), Cancel: at,
		Multipart: slices.ContainsFunc(fields, func(f ui.Field) bool { return f.Kind == "file" }),
	}, Assets: k.Assets, LaterAssets: k.LaterAssets}, err
}

// editForm answers browsers with the form, and JSON with the item.
func (k *Kind[T]) editForm(c *frame.Call) (frame.Result, error) {
	if c.JSON {
		return k.get(c)
	}
	if err := k.checkUnlocked(c); err != nil {
		return frame.Result{}, err
	}
	return frame.ShowPage(k.EditPage)(c)
}

func (k *Kind[T]) editPage(c *frame.Call) (*ui.Page, error) {
	v, err := k.Get(c, c.R.PathValue(k.Param))
	if err != nil {
		return nil, err
	}
	fields, err := k.Fields(c, &v)
	if err != nil {
		return nil, err
	}
	version, err := VersionOf(k.JSON(v))
	at := ui.Base + k.itemPath(c, v)
	return &ui.Page{Title: say.F("Edit {1}", k.Name(v)),
		Crumbs: []ui.Link{{Text: k.heading(c), Href: ui.Base + k.path(c)},
			{Text: k.Name(v), Href: at}}, Form: &ui.Form{
			Action: at, Method: http.MethodPut, Fields: fields, Submit: "Save", Cancel: at, Version: version,
		}, Assets: k.Assets, LaterAssets: k.LaterAssets}, err
}
