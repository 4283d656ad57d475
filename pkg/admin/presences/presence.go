package presences

import (
	"cmp"
	"context"
	"net/http"
	"regexp"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	"headless/pkg/comments"
	"headless/pkg/input"
	"headless/pkg/presence"
	"headless/pkg/review"
	"headless/pkg/site"
)

// PresenceHandlers say who has an entry open. The page's script announces its window while the page
// is visible; pages that may only be read ask without announcing themselves. Without JavaScript
// a window is not announced. The answers carry the stamp of the comments on the entry, and to those
// who only ask that of its review, so that pages fetch these only after changes.
type PresenceHandlers struct {
	entrydata.EntryHandlers
	Windows  *presence.Store
	Comments *comments.Comments
	Reviews  *review.Reviews
}

// PresenceRoutes returns the routes of an entry's windows.
func PresenceRoutes(h PresenceHandlers) []frame.Route {
	const path = "/models/{slug}/entries/{id}/presence"
	return []frame.Route{
		{Method: "GET", Pattern: path, Role: cms.RoleViewer, Handle: frame.OfModel(h.list)},
		{Method: "PUT", Pattern: path, Role: cms.RoleEditor, Handle: frame.WithBody(h.announce)},
		{Method: "DELETE", Pattern: path, Role: cms.RoleEditor, Handle: h.removeWindow},
	}
}

func (h PresenceHandlers) list(c *frame.Call, m *site.Model) (frame.Result, error) {
	e, err := h.Get(c, c.R.PathValue("id"))
	if err != nil {
		return frame.Result{}, err
	}
	r, err := h.Reviews.Get(c.R.Context(), m.Slug, e.ID)
	if err != nil {
		return frame.Result{}, err
	}
	return h.answerWindows(c, m, e, stamps{Review: r.Stamp},
		func(ctx context.Context) ([]presence.Window, error) { return h.Windows.List(ctx, e.ID) })
}

// stamps tell pages what they have not fetched yet.
type stamps struct {
	Comments int64  `json:"comments"`
	Review   string `json:"review,omitempty"`
}

// answerWindows returns the windows of an entry and the stamp of its comments, which are read together.
func (h PresenceHandlers) answerWindows(c *frame.Call, m *site.Model, e *cms.Entry, now stamps,
	list func(context.Context) ([]presence.Window, error)) (frame.Result, error) {
	var windows []presence.Window
	g, ctx := errgroup.WithContext(c.R.Context())
	g.Go(func() (err error) { windows, err = list(ctx); return err })
	g.Go(func() (err error) { now.Comments, err = h.Comments.Stamp(ctx, m.ID, e.ID); return err })
	err := g.Wait()
	if windows == nil {
		windows = []presence.Window{}
	}
	return frame.Result{Data: windows, Meta: now, Redirect: entrydata.EntryAt(c)}, err
}

// announce stores a window {window, field} and returns the other windows of the entry.
func (h PresenceHandlers) announce(c *frame.Call, body map[string]any) (frame.Result, error) {
	m, e, err := h.writable(c)
	if err != nil {
		return frame.Result{}, err
	}
	in, p := input.Decode[struct {
		Window *string `json:"window"`
		Field  *string `json:"field"`
	}](body)
	window, field := input.Given(in.Window, ""), input.Given(in.Field, "")
	if len(p["window"]) == 0 && !windowName().MatchString(window) {
		p.Add("window", "must have 1 to 40 letters and digits")
	}
	if field != "" && !slices.Contains(entryforms.Keys(m), field) && len(p["field"]) == 0 {
		p.Add("field", "is not a field of the entry")
	}
	if err := p.Err(); err != nil {
		return frame.Result{}, err
	}
	name := cmp.Or(c.User.Name, c.User.Email)
	return h.answerWindows(c, m, e, stamps{}, func(ctx context.Context) ([]presence.Window, error) {
		return h.Windows.Announce(ctx, e.ID,
			presence.Window{UserID: c.User.ID, Name: name, Window: window, Field: field})
	})
}

// removeWindow removes the window named by the query parameter window.
func (h PresenceHandlers) removeWindow(c *frame.Call) (frame.Result, error) {
	_, e, err := h.writable(c)
	if err != nil {
		return frame.Result{}, err
	}
	window := c.R.URL.Query().Get("window")
	if !windowName().MatchString(window) {
		return frame.Result{}, cms.Errorf(cms.CodeBadRequest, "Name the window: 1 to 40 letters and digits.")
	}
	err = h.Windows.Leave(c.R.Context(), e.ID, c.User.ID, window)
	return frame.Result{Status: http.StatusNoContent, Redirect: entrydata.EntryAt(c)}, err
}

// writable returns the entry in the path and its model. It fails if the user may not change the
// entry.
func (h PresenceHandlers) writable(c *frame.Call) (*site.Model, *cms.Entry, error) {
	m, err := c.Model()
	if err != nil {
		return nil, nil, err
	}
	e, err := h.Get(c, c.R.PathValue("id"))
	if err == nil && !h.MayWrite(c, m, e) {
		err = cms.Errorf(cms.CodeForbidden, "You may not change this entry.")
	}
	return m, e, err
}

// windowName is the form of a window's name.
var windowName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-zA-Z]{1,40}$`) })
