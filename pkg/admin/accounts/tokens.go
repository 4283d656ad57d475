package accounts

import (
	"net/http"

	"headless/pkg/access/accesstokens"
	"headless/pkg/access/tokens"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
)

// tokenView is an access token. Token is set only right after it was created.
type tokenView struct {
	tokens.AccessToken
	Token string `json:"token,omitempty"`
}

func shownToken(t tokens.AccessToken) tokenView { return tokenView{AccessToken: t} }

// TokenRoutes returns the routes of one's own access tokens and, for admins, of those of other users.
func TokenRoutes(held *accesstokens.Tokens) []frame.Route {
	h := tokenHandlers{held}
	own := resource.Kind[tokenView]{
		Path: "/tokens", Title: "Access tokens", One: "access token", Confirm: true, Read: cms.RoleViewer,
		Write: cms.RoleViewer,
		List: func(c *frame.Call, p db.Paging) (db.Page[tokenView], error) {
			page, err := held.List(c.R.Context(), c.User.ID, p)
			return frame.MapPage(page, shownToken), err
		},
		Get: func(c *frame.Call, id string) (tokenView, error) {
			t, err := held.Get(c.R.Context(), c.User.ID, id)
			return shownToken(t), err
		},
		Create: func(c *frame.Call, body map[string]any) (tokenView, error) {
			frame.FormTimes(body, "expires_at")
			t, err := held.Create(c.R.Context(), c.Actor(), c.Token, body)
			return tokenView(t), err
		},
		Delete: func(c *frame.Call, id string) error {
			return held.Delete(c.R.Context(), c.Actor(), c.User.ID, id)
		},
		New: func(c *frame.Call) (tokenView, error) {
			expires := cms.At(held.Sessions.Store.Now().Add(tokens.DefaultTime))
			return shownToken(tokens.AccessToken{Scope: tokens.ScopeContent, ExpiresAt: expires}), nil
		},
		ID:      func(t tokenView) string { return t.ID },
		Name:    func(t tokenView) say.Text { return say.Data(t.Name) },
		Columns: tokenColumns,
		Complete: func(_ *frame.Call, page *ui.Page, _ []tokenView) error {
			page.Crumbs = frame.OfProfile()
			return nil
		},
		Row:    tokenCells,
		Fields: tokenFields,
		Secret: func(t tokenView) string { return t.Token },
	}.Routes()
	return append(own,
		frame.Route{Method: "GET", Pattern: "/users/{id}/tokens", Role: cms.RoleUserAdmin, Handle: h.userTokens},
		frame.Route{Method: "DELETE", Pattern: "/users/{id}/tokens", Role: cms.RoleUserAdmin,
			Handle: h.endTokens, Confirm: true},
		frame.Route{Method: "DELETE", Pattern: "/users/{id}/tokens/{token}", Role: cms.RoleUserAdmin,
			Handle: h.endTokens, Confirm: true})
}

type tokenHandlers struct{ tokens *accesstokens.Tokens }

var tokenColumns = []say.Text{"Name", "Scope", "Expires", "Last used", "Created"}

func tokenCells(t tokenView) []ui.Cell {
	return []ui.Cell{ui.Text(t.Name), ui.Badge(say.Known(string(t.Scope))), ui.When(t.ExpiresAt),
		ui.When(t.LastUsedAt), ui.When(t.CreatedAt)}
}

func tokenFields(*frame.Call, *tokenView) ([]ui.Field, error) {
	return []ui.Field{
		{Name: "name", Label: "Name", Kind: "text", Required: true, Help: "What uses the token. It acts as you."},
		{Name: "scope", Label: "Scope", Kind: "select", Value: string(tokens.ScopeContent),
			Options: []ui.Option{{Value: string(tokens.ScopeRead), Label: "Read content"},
				{Value: string(tokens.ScopeContent), Label: "Read and change content"},
				{Value: string(tokens.ScopeAll), Label: "All that you may do"}},
			Help: "Content is everything except accounts, keys, webhooks, roles and secrets."},
		{Name: "expires_at", Label: "Expires", Kind: "datetime", Help: "Empty: in 90 days. A year at most."},
	}, nil
}

// userTokens lists the access tokens of a user, each with a button that ends it.
func (h tokenHandlers) userTokens(c *frame.Call) (frame.Result, error) {
	id := c.R.PathValue("id")
	at := ui.Base + "/users/" + id
	page := &ui.Page{Title: "Access tokens", Crumbs: []ui.Link{{Text: "User", Href: at}},
		List: &ui.List{Columns: tokenColumns, Empty: "No access tokens."}}
	read := func(p db.Paging) (db.Page[tokens.AccessToken], error) { return h.tokens.List(c.R.Context(), id, p) }
	return frame.Table(c, page, read, func(t tokens.AccessToken) ui.Row {
		return ui.Row{Cells: tokenCells(shownToken(t)), Actions: []ui.Action{{Label: "End", Method: http.MethodDelete,
			Href: at + "/tokens/" + t.ID, Danger: true, Confirm: say.F("End the access token “{1}”?", t.Name)}}}
	})
}

// endTokens ends one access token of a user, or all of them.
func (h tokenHandlers) endTokens(c *frame.Call) (frame.Result, error) {
	id := c.R.PathValue("id")
	err := h.tokens.Delete(c.R.Context(), c.Actor(), id, c.R.PathValue("token"))
	return frame.Result{Status: http.StatusNoContent, Redirect: "/users/" + id + "/tokens?ok=done"}, err
}
