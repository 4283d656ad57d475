package accounts

import (
	"net/http"

	"headless/pkg/access"
	"headless/pkg/access/accesstokens"
	"headless/pkg/access/grants"
	"headless/pkg/access/tokens"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/links/preview"
	"headless/pkg/planning/leaving"
)

// LeavingRoutes returns the routes that show the open work of a user, before the account is deactivated or deleted.
func LeavingRoutes(users *access.Users, held *accesstokens.Tokens, allowed *grants.Grants,
	work leaving.Work) []frame.Route {
	h := leavingHandlers{users, held, allowed, work}
	return []frame.Route{{Method: "GET", Pattern: "/users/{id}/open", Role: cms.RoleUserAdmin, Handle: h.show}}
}

type leavingHandlers struct {
	users  *access.Users
	tokens *accesstokens.Tokens
	grants *grants.Grants
	work   leaving.Work
}

// openWork is what ends, stops or is handed over when a user leaves, in the order of extensions §11.
type openWork struct {
	leaving.Open
	Tokens   []tokens.AccessToken `json:"tokens"`
	Grants   []grants.Grant       `json:"grants"`
	Previews []preview.Made       `json:"previews"`
	Sessions []access.SessionView `json:"sessions"`
}

// everything is a page of a list that has all of its items.
var everything = db.Paging{Page: 1, PerPage: 10_000}

func (h leavingHandlers) show(c *frame.Call) (frame.Result, error) {
	ctx, id := c.R.Context(), c.R.PathValue("id")
	user, err := h.users.Get(ctx, id)
	if err != nil {
		return frame.Result{}, err
	}
	open := openWork{}
	if open.Open, err = h.work.Open(ctx, id); err != nil {
		return frame.Result{}, err
	}
	held, err := h.tokens.List(ctx, id, everything)
	if err != nil {
		return frame.Result{}, err
	}
	signedIn, err := h.tokens.Sessions.List(ctx, id, c.Session, everything)
	if err != nil {
		return frame.Result{}, err
	}
	if open.Grants, err = h.grants.List(ctx, id); err != nil {
		return frame.Result{}, err
	}
	if open.Previews, err = h.work.Links.ByUser(ctx, id); err != nil {
		return frame.Result{}, err
	}
	open.Tokens, open.Sessions = held.Items, signedIn.Items
	if c.JSON {
		return frame.Result{Data: open}, nil
	}
	page, err := h.page(c, user.User, open)
	return frame.Result{Page: page}, err
}

// page shows what a user has under way, with a button that deactivates the account.
func (h leavingHandlers) page(c *frame.Call, user cms.User, open openWork) (*ui.Page, error) {
	at := ui.Base + "/users/" + user.ID
	detail := &ui.Detail{Sections: []ui.Section{
		openSection("Planned changes", len(open.Plans), func(i int) ui.Cell {
			p := open.Plans[i]
			return ui.Cell{Text: say.F("{1} {2} ({3}), {4}", say.Known(string(p.Action)), p.Title,
				c.LocaleName(p.Locale), say.Moment(p.At.Time)),
				Href: ui.Base + ui.EntryPath(p.Model, p.ID)}
		}),
		openSection("Releases", len(open.Releases), func(i int) ui.Cell {
			r := open.Releases[i]
			return ui.Cell{Text: say.Data(r.Name), Href: ui.Base + "/releases/" + r.ID}
		}),
		openSection("Running jobs", len(open.Jobs), func(i int) ui.Cell {
			j := open.Jobs[i]
			return ui.Cell{Text: say.F("{1} {2}", say.Known(string(j.Action)), j.Model),
				Href: ui.Base + "/jobs/" + j.ID}
		}),
		openSection("Reviews", len(open.Reviews), func(i int) ui.Cell {
			r := open.Reviews[i]
			return ui.Cell{Text: say.F("{1} ({2})", r.Title, c.LocaleName(r.Locale)),
				Href: ui.Base + ui.EntryPath(r.Model, r.ID) + "/review"}
		}),
		openSection("Assigned comments", len(open.Comments), func(i int) ui.Cell {
			t := open.Comments[i]
			return ui.Cell{Text: say.F("{1} ({2})", t.Title, c.LocaleName(t.Locale)),
				Href: ui.Base + ui.EntryPath(t.Model, t.Entry) +
					"/review#c-" + t.ID}
		}),
		openSection("Access tokens", len(open.Tokens), func(i int) ui.Cell { return ui.Text(open.Tokens[i].Name) }),
		openSection("Allowed programs", len(open.Grants), func(i int) ui.Cell { return ui.Text(open.Grants[i].Name) }),
		openSection("Preview links", min(1, len(open.Previews)), func(int) ui.Cell {
			return ui.Cell{Text: say.N(len(open.Previews), "{1} valid link", "{1} valid links"),
				Href: ui.Base + "/previews?filter%5Bby%5D=" + user.ID}
		}),
		openSection("Sessions", len(open.Sessions), func(i int) ui.Cell { return ui.Text(open.Sessions[i].UserAgent) }),
	}}
	if user.IsActive {
		others, err := h.users.List(c.R.Context(), everything)
		if err != nil {
			return nil, err
		}
		options := []ui.Option{{Label: "Nobody: plans, releases and jobs stop"}}
		for _, u := range others.Items {
			if u.IsActive && u.ID != user.ID {
				options = append(options, ui.Option{Value: u.ID, Label: say.Data(u.Email)})
			}
		}
		detail.Actions = []ui.Action{{Label: "Deactivate", Href: at, Method: http.MethodPut, Danger: true,
			Confirm: say.F("Deactivate {1}? Sessions, access tokens, allowed programs and preview links end at once.",
				user.Email),
			Fields: []ui.Field{ui.Kept("is_active", "false"),
				{Name: "reassign", Label: "Who takes over", Kind: "select", Options: options}}}}
	}
	return &ui.Page{Title: "Open work", Detail: detail, Crumbs: []ui.Link{{Text: "Users", Href: ui.Base + "/users"},
		{Text: say.Data(user.Email), Href: at}}}, nil
}

// openSection lists n things, each as a cell.
func openSection(title say.Text, n int, cell func(int) ui.Cell) ui.Section {
	list := &ui.List{Columns: []say.Text{""}, Empty: "None."}
	for i := range n {
		list.Rows = append(list.Rows, ui.Row{Cells: []ui.Cell{cell(i)}})
	}
	return ui.Section{Title: title, List: list}
}
