package accounts

import (
	"strconv"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/slice"
)

var scopeOptions = []ui.Option{{Value: cms.ScopeRead, Label: "Read"}, {Value: cms.ScopeWrite, Label: "Write"},
	{Value: cms.ScopeDelete, Label: "Delete"}}

// keyView is a key. Its secret is set only right after it was created or rotated.
type keyView struct {
	cms.Key
	Secret string `json:"secret,omitempty"`
}

func shownKey(k cms.Key) keyView { return keyView{Key: k} }

// KeyRoutes returns the routes of API keys.
func KeyRoutes(keys *apikeys.Keys) []frame.Route {
	r := resource.Kind[keyView]{
		Path: "/keys", Title: "API keys", One: "API key", Event: "key.updated", Confirm: true,
		List: func(c *frame.Call, p db.Paging) (db.Page[keyView], error) {
			page, err := keys.List(c.R.Context(), p)
			return frame.MapPage(page, shownKey), err
		},
		Get: func(c *frame.Call, id string) (keyView, error) {
			k, err := keys.Get(c.R.Context(), id)
			return shownKey(k), err
		},
		Create: func(c *frame.Call, body map[string]any) (keyView, error) {
			frame.FormTimes(body, "expires_at")
			k, err := keys.Create(c.R.Context(), c.Actor(), body)
			return keyView(k), err
		},
		Update: func(c *frame.Call, id string, body map[string]any, ok input.Precondition[keyView]) (keyView, error) {
			frame.FormTimes(body, "expires_at")
			k, err := keys.Update(c.R.Context(), c.Actor(), id, body, resource.Through(ok, shownKey))
			return shownKey(k), err
		},
		Delete:  func(c *frame.Call, id string) error { return keys.Delete(c.R.Context(), c.Actor(), id) },
		New:     func(*frame.Call) (keyView, error) { return shownKey(cms.NewKey()), nil },
		ID:      func(k keyView) string { return k.ID },
		Name:    func(k keyView) say.Text { return say.Data(k.Name) },
		Columns: []say.Text{"Name", "Public key", "Kind", "Scopes", "Limit a minute", "Role", "Expires"},
		Row: func(k keyView) []ui.Cell {
			return []ui.Cell{ui.Text(k.Name), ui.Code(k.PublicKey), ui.Word(say.Known(k.Kind)),
				ui.Word(say.Join(ui.Labels(scopeOptions, k.Scopes), say.Comma)), ui.Word(say.Number(int(k.RateLimit))),
				roleCell(k), ui.When(k.ExpiresAt)}
		},
		Detail: keyDetail, Fields: keyFields, Secret: func(k keyView) string { return k.Secret },
	}
	rotate := func(c *frame.Call, body map[string]any) (frame.Result, error) {
		k, err := keys.Rotate(c.R.Context(), c.Actor(), c.R.PathValue("id"), body)
		if err != nil {
			return frame.Result{}, err
		}
		at := "/keys/" + k.ID
		return frame.Result{Data: keyView(k), Redirect: at + "?ok=done", Cookie: c.Once(at, k.Secret)}, nil
	}
	return append(r.Routes(), frame.Route{Method: "POST", Pattern: "/keys/{id}/rotate",
		Role: cms.RoleUserAdmin, Handle: frame.WithBody(rotate), Confirm: true})
}

func roleCell(k keyView) ui.Cell {
	if k.IsAdmin() {
		return ui.Badge("admin")
	}
	return ui.Cell{Text: "public content", Kind: "muted"}
}

func keyDetail(c *frame.Call, k keyView) (*ui.Detail, error) {
	origins := []ui.Cell{{Text: "every origin", Kind: "muted"}}
	if len(k.Origins) > 0 {
		origins = nil
		for _, o := range k.Origins {
			origins = append(origins, ui.Code(o))
		}
	}
	reach := namesCell(append(slice.Map(k.Models, say.Data), slice.Map(k.Locales, c.LocaleName)...))
	scopes := slice.Map(ui.Labels(scopeOptions, k.Scopes), ui.Badge)
	detail := &ui.Detail{
		Facts: []ui.Fact{
			ui.NewFact("Public key", ui.Code(k.PublicKey)),
			ui.NewFact("Kind", ui.Word(say.Known(k.Kind))), ui.NewFact("Scopes", scopes...),
			ui.NewFact("Origins", origins...),
			ui.NewFact("Requests a minute", ui.Word(say.Number(int(k.RateLimit)))),
			ui.NewFact("Reads", roleCell(k)),
			ui.NewFact("Models and languages", reach),
			ui.NewFact("Expires", ui.When(k.ExpiresAt)),
			ui.NewFact("Created", ui.When(k.CreatedAt)),
		},
	}
	if k.IsPublishable() {
		address := c.A.Cfg.SiteURL + "/delivery/v1/" + k.PublicKey + "/"
		detail.Facts = append(detail.Facts, ui.NewFact("Delivery address", ui.Code(address)))
		return detail, nil
	}
	if !k.PreviousExpiresAt.IsZero() {
		detail.Facts = append(detail.Facts,
			ui.NewFact("Secret before the last rotation opens until", ui.When(k.PreviousExpiresAt)))
	}
	at := ui.Base + "/keys/" + k.ID + "/rotate"
	detail.Actions = []ui.Action{{
		Label: "New secret", Href: at, Method: "POST",
		Confirm: "Make a new secret? The old one is refused from then on.",
	}, {
		Label: "New secret, keep the old one for 24 hours", Href: at, Method: "POST",
		Confirm: "Make a new secret? Both are taken for 24 hours.",
		Fields:  []ui.Field{ui.Kept("overlap_seconds", "86400")},
	}}
	return detail, nil
}

func keyFields(_ *frame.Call, k *keyView) ([]ui.Field, error) {
	v, limit := cms.Key{Kind: cms.KeySecret, Scopes: []string{cms.ScopeRead}}, ""
	if k != nil {
		v, limit = k.Key, strconv.FormatInt(k.RateLimit, 10)
	}
	fields := []ui.Field{}
	if k == nil {
		fields = append(fields, ui.Field{Name: "kind", Label: "Kind", Kind: "select", Value: v.Kind,
			Help: "A publishable key stands in addresses of the delivery API. It has no secret and reads " +
				"published content only.",
			Options: []ui.Option{{Value: cms.KeySecret, Label: "Secret: for servers"},
				{Value: cms.KeyPublishable, Label: "Publishable: for browsers and CDNs"}}})
	}
	role := ""
	if v.Role != nil {
		role = *v.Role
	}
	return append(fields, []ui.Field{
		{Name: "name", Label: "Name", Kind: "text", Value: v.Name, Required: true,
			Help: "What uses the key, such as “Marketing site”."},
		{Name: "scopes", Label: "Scopes", Kind: "checks", Values: v.Scopes, Options: scopeOptions},
		{Name: "origins", Label: "Origins", Kind: "lines", Values: v.Origins,
			Help: "One a line, such as https://www.example.com or https://*.example.com. Empty: every origin."},
		{Name: "rate_limit", Label: "Requests a minute", Kind: "number", Value: limit,
			Help: say.F("Empty: {1} for a secret key, {2} for a publishable key. One address may use a tenth of a "+
				"publishable key's.", cms.DefaultRateLimit, cms.DefaultPublishableLimit)},
		{Name: "role", Label: "Reads", Kind: "select", Value: role,
			Options: []ui.Option{{Value: "", Label: "Published content"},
				{Value: "admin", Label: "Drafts and hidden fields too"}}},
		{Name: "expires_at", Label: "Expires", Kind: "datetime",
			Value: strings.TrimSuffix(v.ExpiresAt.String(), ":00.000Z"), Help: "Empty: never."},
		{Name: "models", Label: "Models", Kind: "lines", Values: v.Models,
			Help: "Slugs, one a line; media stands for files. Empty: all."},
		{Name: "locales", Label: "Languages", Kind: "lines", Values: v.Locales, Help: "Codes, one a line. Empty: all."},
	}...), nil
}
