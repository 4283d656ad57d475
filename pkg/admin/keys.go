package admin

import (
	"slices"
	"strconv"
	"strings"

	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// keyView is a key, with its secret where that is known.
type keyView struct {
	cms.Key
	Secret string `json:"secret,omitempty"`
}

func shownKey(k cms.Key) keyView { return keyView{Key: k} }

// keyRoutes are the routes of API keys.
func keyRoutes(keys *apikeys.Keys) []Route {
	r := Resource[keyView]{
		Path: "/keys", Title: "API keys", One: "API key", Confirm: true,
		List: func(c *Call, p db.Paging) (db.Page[keyView], error) {
			page, err := keys.List(c.R.Context(), p)
			return mapPage(page, shownKey), err
		},
		Get: func(c *Call, id string) (keyView, error) {
			k, err := keys.Get(c.R.Context(), id)
			return shownKey(k), err
		},
		Create: func(c *Call, body map[string]any) (keyView, error) {
			formExpiry(c, body)
			k, err := keys.Create(c.R.Context(), c.Actor(), body)
			return keyView(k), err
		},
		Update: func(c *Call, id string, body map[string]any,
			ok input.Precondition[keyView]) (keyView, error) {
			formExpiry(c, body)
			k, err := keys.Update(c.R.Context(), c.Actor(), id, body, through(ok, shownKey))
			return shownKey(k), err
		},
		Delete:  func(c *Call, id string) error { return keys.Delete(c.R.Context(), c.Actor(), id) },
		New:     func(*Call) (keyView, error) { return shownKey(cms.NewKey()), nil },
		ID:      func(k keyView) string { return k.ID },
		Name:    func(k keyView) string { return k.Name },
		Columns: []string{"Name", "Public key", "Kind", "Scopes", "Limit a minute", "Role", "Expires"},
		Row: func(k keyView) []Cell {
			return []Cell{Text(k.Name), Code(k.PublicKey), Text(k.Kind),
				Text(strings.Join(k.Scopes, ", ")), Text(strconv.FormatInt(k.RateLimit, 10)),
				roleCell(k), When(k.ExpiresAt)}
		},
		Detail: keyDetail, Fields: keyFields, Secret: func(k keyView) string { return k.Secret },
	}
	rotate := func(c *Call) (Result, error) {
		body, err := c.Body()
		if err != nil {
			return Result{}, err
		}
		k, err := keys.Rotate(c.R.Context(), c.Actor(), c.R.PathValue("id"), body)
		if err != nil {
			return Result{}, err
		}
		at := "/keys/" + k.ID
		return Result{Data: keyView(k), Redirect: at + "?ok=done", Cookie: c.once(at, k.Secret)}, nil
	}
	return append(r.Routes(), Route{Method: "POST", Pattern: "/keys/{id}/rotate",
		Role: cms.RoleUserAdmin, Handle: rotate, Confirm: true})
}

// formExpiry turns the date and time of a browser's field into a timestamp.
func formExpiry(c *Call, body map[string]any) {
	if v, ok := body["expires_at"].(input.FormValue); ok && c.isForm && len(v) > 0 {
		body["expires_at"] = input.FormValue{formTime(v[len(v)-1])}
	}
}

// formTime makes a timestamp of what a browser's date and time field sends, which is taken as UTC.
func formTime(s string) string {
	if len(s) == len("2006-01-02T15:04") {
		return s + ":00Z"
	}
	if len(s) == len("2006-01-02T15:04:05") {
		return s + "Z"
	}
	return s
}

func roleCell(k keyView) Cell {
	if k.IsAdmin() {
		return Badge("admin")
	}
	return Cell{Text: "public content", Kind: "muted"}
}

func keyDetail(c *Call, k keyView) (*Detail, error) {
	origins := []Cell{{Text: "every origin", Kind: "muted"}}
	if len(k.Origins) > 0 {
		origins = nil
		for _, o := range k.Origins {
			origins = append(origins, Code(o))
		}
	}
	reach := Cell{Text: "all", Kind: "muted"}
	if len(k.Models)+len(k.Locales) > 0 {
		reach = Text(strings.Join(append(slices.Clone(k.Models), k.Locales...), ", "))
	}
	var scopes []Cell
	for _, s := range k.Scopes {
		scopes = append(scopes, Badge(s))
	}
	detail := &Detail{
		Facts: []Fact{
			{Label: "Public key", Cells: []Cell{Code(k.PublicKey)}},
			{Label: "Kind", Cells: []Cell{Text(k.Kind)}}, {Label: "Scopes", Cells: scopes},
			{Label: "Origins", Cells: origins},
			{Label: "Requests a minute", Cells: []Cell{Text(strconv.FormatInt(k.RateLimit, 10))}},
			{Label: "Reads", Cells: []Cell{roleCell(k)}},
			{Label: "Models and locales", Cells: []Cell{reach}},
			{Label: "Expires", Cells: []Cell{When(k.ExpiresAt)}},
			{Label: "Created", Cells: []Cell{When(k.CreatedAt)}},
		},
	}
	if k.IsPublishable() {
		address := c.a.cfg.SiteURL + "/delivery/v1/" + k.PublicKey + "/"
		detail.Facts = append(detail.Facts, Fact{Label: "Delivery address", Cells: []Cell{Code(address)}})
		return detail, nil
	}
	if !k.PreviousExpiresAt.IsZero() {
		detail.Facts = append(detail.Facts,
			Fact{Label: "Secret before the last rotation opens until",
				Cells: []Cell{When(k.PreviousExpiresAt)}})
	}
	at := Base + "/keys/" + k.ID + "/rotate"
	detail.Actions = []Action{{
		Label: "New secret", Href: at, Method: "POST",
		Confirm: "Make a new secret? The old one is refused from then on.",
	}, {
		Label: "New secret, keep the old one for 24 hours", Href: at, Method: "POST",
		Confirm: "Make a new secret? Both are taken for 24 hours.",
		Fields:  []Field{{Name: "overlap_seconds", Kind: "hidden", Value: "86400"}},
	}}
	return detail, nil
}

func keyFields(_ *Call, k *keyView) ([]Field, error) {
	v := cms.Key{Kind: cms.KeySecret, Scopes: []string{cms.ScopeRead}, RateLimit: cms.DefaultRateLimit}
	if k != nil {
		v = k.Key
	}
	fields := []Field{}
	if k == nil {
		fields = append(fields, Field{Name: "kind", Label: "Kind", Kind: "select", Value: v.Kind,
			Help: "A publishable key stands in addresses of the delivery API. It has no secret and reads published content only.",
			Options: []Option{{cms.KeySecret, "Secret: for servers"},
				{cms.KeyPublishable, "Publishable: for browsers and CDNs"}}})
	}
	role := ""
	if v.Role != nil {
		role = *v.Role
	}
	return append(fields, []Field{
		{Name: "name", Label: "Name", Kind: "text", Value: v.Name, Required: true,
			Help: "What uses the key, such as “Marketing site”."},
		{Name: "scopes", Label: "Scopes", Kind: "checks", Values: v.Scopes,
			Options: []Option{{"read", "Read"}, {"write", "Write"}, {"delete", "Delete"}}},
		{Name: "origins", Label: "Origins", Kind: "lines", Values: v.Origins,
			Help: "One a line, such as https://www.example.com or https://*.example.com. Empty: every origin."},
		{Name: "rate_limit", Label: "Requests a minute", Kind: "number",
			Value: strconv.FormatInt(v.RateLimit, 10)},
		{Name: "role", Label: "Reads", Kind: "select", Value: role,
			Options: []Option{{"", "Published content"}, {"admin", "Drafts and hidden fields too"}}},
		{Name: "expires_at", Label: "Expires", Kind: "datetime",
			Value: strings.TrimSuffix(v.ExpiresAt.String(), ":00.000Z"), Help: "Empty: never."},
		{Name: "models", Label: "Models", Kind: "lines", Values: v.Models,
			Help: "Slugs, one a line; media stands for files. Empty: all."},
		{Name: "locales", Label: "Locales", Kind: "lines", Values: v.Locales,
			Help: "Codes, one a line. Empty: all."},
	}...), nil
}

// mapPage changes the items of a page.
func mapPage[A, B any](p db.Page[A], f func(A) B) db.Page[B] {
	out := db.Page[B]{Paging: p.Paging, Total: p.Total, Estimate: p.Estimate, Next: p.Next,
		Items: make([]B, len(p.Items))}
	for i, v := range p.Items {
		out.Items[i] = f(v)
	}
	return out
}
