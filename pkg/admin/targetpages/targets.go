// Package targetpages shows the sites that are built from the content, and what happened after an entry
// was published (extensions §16). It takes the states that providers of builds send.
package targetpages

import (
	"cmp"
	"log/slog"
	"net/http"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/targets"
	"headless/pkg/web"
)

// Routes returns the routes of targets and receipts.
func Routes(s *targets.Targets, entries entrydata.EntryHandlers) []frame.Route {
	h := handlers{s, entries}
	return append(resource.Kind[targets.Target]{
		Path: "/targets", Title: "Targets", One: "target", Event: "target.updated", Read: cms.RoleUserAdmin, Confirm: true,
		New:     func(*frame.Call) (targets.Target, error) { return targets.Target{Provider: "url"}, nil },
		ID:      func(t targets.Target) string { return t.ID },
		Name:    func(t targets.Target) say.Text { return say.Data(t.Name) },
		Columns: []say.Text{"Name", "Provider", "Last build", "At"},
		Row: func(t targets.Target) []ui.Cell {
			state, at := stateOf(t)
			return []ui.Cell{ui.Text(t.Name), ui.Code(t.Provider), state, ui.When(at)}
		},
		Detail: func(_ *frame.Call, t targets.Target) (*ui.Detail, error) {
			state, at := stateOf(t)
			hook := ui.Text("/hooks/targets/" + t.ID)
			return &ui.Detail{Facts: []ui.Fact{ui.NewFact("Provider", ui.Code(t.Provider)),
				{Label: "Address for the provider's webhook", Cells: []ui.Cell{hook}, Copy: hook.Text.String()},
				ui.NewFact("Last build", state, ui.When(at))}, Actions: []ui.Action{buildNow(t)}}, nil
		},
		Fields: fields,
		Secret: func(t targets.Target) string { return t.Secret },
	}.On(s).Routes(),
		frame.Route{Method: "POST", Pattern: "/targets/{id}/build", Role: cms.RoleEditor, Handle: h.build},
		frame.Route{Method: "GET", Pattern: "/models/{slug}/entries/{id}/receipts", Role: cms.RoleViewer, Handle: h.receipts})
}

type handlers struct {
	targets *targets.Targets
	entries entrydata.EntryHandlers
}

func stateOf(t targets.Target) (ui.Cell, cms.Time) {
	if t.Build == nil {
		return ui.Cell{Text: "none", Kind: "muted"}, cms.Time{}
	}
	return stateCell(t.Build.State, t.Build.URL), t.Build.At
}

func stateCell(state, url string) ui.Cell {
	kind := cmp.Or(map[string]string{targets.Ready: "good", targets.Failed: "bad"}[state], "grey")
	return ui.Cell{Text: say.Known(state), Kind: kind, Href: url}
}

func buildNow(t targets.Target) ui.Action {
	return ui.Action{Label: say.F("Build {1} now", t.Name), Href: ui.Base + "/targets/" + t.ID + "/build",
		Method: "POST"}
}

func fields(_ *frame.Call, t *targets.Target) ([]ui.Field, error) {
	v := targets.Target{Provider: "url"}
	keep := say.Text("")
	if t != nil {
		v, keep = *t, "Empty: the present one."
	}
	return []ui.Field{
		{Name: "name", Label: "Name", Kind: "text", Value: v.Name, Required: true},
		{Name: "provider", Label: "Provider", Kind: "select", Value: v.Provider, Options: []ui.Option{
			{Value: "vercel", Label: "Vercel"}, {Value: "netlify", Label: "Netlify"}, {Value: "cloudflare", Label: "Cloudflare"},
			{Value: "github", Label: "GitHub"}, {Value: "url", Label: "Another"}}},
		{Name: "build_url", Label: "Build address", Kind: "text", Required: t == nil,
			Help: say.Sentences("What starts a build when it is called by POST.", keep)},
		{Name: "secret", Label: "Secret", Kind: "text",
			Help: say.Sentences("With which the provider signs. Empty: one is made.", keep)},
	}, nil
}

// mayPublish checks that the user may publish something.
func (h handlers) mayPublish(c *frame.Call) error {
	permitted := cms.PermissionsOf(c.R.Context())
	for slug := range c.Site.Models {
		if permitted.May(cms.ActionPublish, slug, "") {
			return nil
		}
	}
	return c.Forbidden()
}

func (h handlers) build(c *frame.Call) (frame.Result, error) {
	if err := h.mayPublish(c); err != nil {
		return frame.Result{}, err
	}
	b, err := h.targets.Start(c.R.Context(), c.Actor(), c.R.PathValue("id"))
	return frame.Result{Status: http.StatusAccepted, Data: b, Redirect: "/?ok=started"}, err
}

func (h handlers) receipts(c *frame.Call) (frame.Result, error) {
	e, err := h.entries.Get(c, c.R.PathValue("id"))
	if err != nil {
		return frame.Result{}, err
	}
	list, err := h.targets.Receipts(c.R.Context(), e)
	if err != nil || c.JSON {
		return frame.Result{Data: list}, err
	}
	all, err := h.targets.Glance(c.R.Context())
	names := map[string]string{}
	detail := &ui.Detail{Facts: []ui.Fact{}}
	for _, t := range all {
		names[t.ID] = t.Name
		if c.MayUse(http.MethodPost, "/targets/{id}/build") && h.mayPublish(c) == nil {
			detail.Actions = append(detail.Actions, buildNow(t))
		}
	}
	words := map[string]say.Text{"published": "Published", "purged": "Caches of the site were told", "build": "Build"}
	shown := &ui.List{Columns: []say.Text{"What", "Site", "State", "At"}, Total: len(list),
		Empty: "This is not published."}
	for _, r := range list {
		row := []ui.Cell{ui.Word(words[r.Kind]), {}, {}, ui.When(r.At)}
		if r.Target != nil {
			url := ""
			if r.URL != nil {
				url = *r.URL
			}
			row[1], row[2] = ui.Text(names[*r.Target]), stateCell(*r.State, url)
		}
		shown.Rows = append(shown.Rows, ui.Row{Cells: row})
	}
	detail.Sections = []ui.Section{{Title: "Since the last change", List: shown}}
	return frame.Result{Data: list, Page: &ui.Page{Title: "Is it live?", Detail: detail,
		Crumbs: []ui.Link{{Text: say.Data(e.Title), Href: entrydata.EntryAddress(c.R.PathValue("slug"), e.ID)}}}}, err
}

// Hooks takes the states of builds that providers send, and leaves other requests to next.
type Hooks struct {
	Targets *targets.Targets
	Log     *slog.Logger
	Next    http.Handler
}

// hookPath starts the path of these requests.
const hookPath = "/hooks/targets/"

// maxState is the largest body of a provider.
const maxState = 256 << 10

// ServeHTTP implements http.Handler.
func (h Hooks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id, ok := strings.CutPrefix(r.URL.Path, hookPath)
	if !ok {
		h.Next.ServeHTTP(w, r)
		return
	}
	x := web.NewExchange(w, r)
	w.Header().Set("Cache-Control", "no-store")
	err := h.takeCall(r, id)
	if err == nil {
		x.Send(http.StatusNoContent, "", nil)
		return
	}
	if cms.CodeOf(err) == cms.CodeMethodNotAllowed {
		w.Header().Set("Allow", http.MethodPost)
	}
	x.Refuse(h.Log, err)
}

func (h Hooks) takeCall(r *http.Request, id string) error {
	if r.Method != http.MethodPost {
		return cms.Errorf(cms.CodeMethodNotAllowed, "Only POST is allowed here.")
	}
	body, err := web.ReadBody(r, maxState)
	if err != nil {
		return err
	}
	return h.Targets.Take(r.Context(), id, r.Header, body)
}
