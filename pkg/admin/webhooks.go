package admin

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/service"
	"headless/pkg/store"
	"headless/pkg/webhook"
)

// webhookView is a subscription as its routes show it: the secret and the log only where they belong.
type webhookView struct {
	cms.Webhook
	Secret     string          `json:"secret,omitempty"`
	Deliveries *[]cms.Delivery `json:"deliveries,omitempty"`
}

// WebhookRoutes are the routes of specification §4.4, rotation of the secret and redelivery.
func WebhookRoutes(hooks service.Webhooks) []Route {
	r := Resource[webhookView]{
		Path: "/webhooks", Title: "Webhooks", One: "webhook", Param: "webhook",
		List: func(c *Call, p store.Paging) (store.Page[webhookView], error) {
			list, err := hooks.List(c.R.Context())
			return mapPage(store.PageOf(list, p), func(w cms.Webhook) webhookView { return webhookView{Webhook: w} }), err
		},
		Get: func(c *Call, id string) (webhookView, error) {
			w, err := hooks.Get(c.R.Context(), id)
			return webhookView{Webhook: w}, err
		},
		Create: func(c *Call, body map[string]any) (webhookView, error) {
			w, err := hooks.Create(c.R.Context(), c.Actor(), body)
			return webhookView{Webhook: w.Webhook, Secret: w.Secret}, err
		},
		Update: func(c *Call, id string, body map[string]any) (webhookView, error) {
			w, err := hooks.Update(c.R.Context(), c.Actor(), id, body)
			return webhookView{Webhook: w}, err
		},
		Delete:  func(c *Call, id string) error { return hooks.Delete(c.R.Context(), c.Actor(), id) },
		ID:      func(w webhookView) string { return w.ID },
		Name:    func(w webhookView) string { return webhookName(w.Webhook) },
		Columns: []string{"Name", "Address", "Events", "State"},
		Row: func(w webhookView) []Cell {
			return []Cell{Text(webhookName(w.Webhook)), Code(w.URL), Text(strings.Join(w.Events, ", ")), YesNo(w.IsActive, "active", "paused")}
		},
		Detail: webhookDetail, Fields: webhookFields, Created: webhookSecretPage,
	}
	routes := r.Routes()
	for i := range routes {
		if routes[i].Method == http.MethodGet && routes[i].Pattern == "/webhooks/{webhook}" {
			routes[i].Handle = withLog(hooks, routes[i].Handle)
		}
	}
	h := webhookHandlers{hooks}
	return append(routes,
		Route{Method: "PATCH", Pattern: "/webhooks/{webhook}/toggle-active", Role: cms.RoleUserAdmin, Handle: h.toggle},
		Route{Method: "POST", Pattern: "/webhooks/{webhook}/test", Role: cms.RoleUserAdmin, Handle: h.test},
		Route{Method: "POST", Pattern: "/webhooks/{webhook}/rotate-secret", Role: cms.RoleUserAdmin, Handle: h.rotate},
		Route{Method: "POST", Pattern: "/webhooks/{webhook}/deliveries/{id}/redeliver", Role: cms.RoleUserAdmin, Handle: h.redeliver},
	)
}

// withLog adds the delivery log to the JSON of a subscription.
func withLog(hooks service.Webhooks, page func(*Call) (Result, error)) func(*Call) (Result, error) {
	return func(c *Call) (Result, error) {
		if !c.JSON {
			return page(c)
		}
		detail, next, err := hooks.Detail(c.R.Context(), c.R.PathValue("webhook"), c.R.URL.Query().Get("cursor"))
		if err != nil {
			return Result{}, err
		}
		result := Result{Data: webhookView{Webhook: detail.Webhook, Deliveries: &detail.Deliveries}}
		if next != "" {
			result.Meta = map[string]string{"next_cursor": next}
		}
		return result, nil
	}
}

type webhookHandlers struct{ hooks service.Webhooks }

func webhookPath(c *Call) string { return "/webhooks/" + c.R.PathValue("webhook") }

func (h webhookHandlers) toggle(c *Call) (Result, error) {
	w, err := h.hooks.ToggleActive(c.R.Context(), c.Actor(), c.R.PathValue("webhook"))
	return Result{Data: w, Redirect: webhookPath(c) + "?ok=saved"}, err
}

func (h webhookHandlers) test(c *Call) (Result, error) {
	r, err := h.hooks.Test(c.R.Context(), c.Actor(), c.R.PathValue("webhook"))
	return Result{Data: r, Page: webhookTestPage(c, r)}, err
}

func (h webhookHandlers) rotate(c *Call) (Result, error) {
	w, err := h.hooks.RotateSecret(c.R.Context(), c.Actor(), c.R.PathValue("webhook"))
	view := webhookView{Webhook: w.Webhook, Secret: w.Secret}
	return Result{Data: view, Page: webhookSecretPage(c, view)}, err
}

func (h webhookHandlers) redeliver(c *Call) (Result, error) {
	d, err := h.hooks.Redeliver(c.R.Context(), c.Actor(), c.R.PathValue("webhook"), c.R.PathValue("id"))
	return Result{Data: d, Redirect: webhookPath(c) + "?ok=saved"}, err
}

func webhookName(w cms.Webhook) string {
	if w.Name != "" {
		return w.Name
	}
	return w.URL
}

func webhookDetail(_ *Call, w webhookView) (*Detail, error) {
	state := []Cell{YesNo(w.IsActive, "active", "paused")}
	toggle := "Pause"
	if !w.IsActive {
		toggle = "Resume"
	}
	if w.PausedReason != nil {
		state = append(state, Text(*w.PausedReason))
	}
	at := Base + "/webhooks/" + w.ID
	return &Detail{
		Facts: []Fact{
			{Label: "Address", Cells: []Cell{Code(w.URL)}}, {Label: "State", Cells: state},
			{Label: "Events", Cells: []Cell{Text(strings.Join(w.Events, ", "))}}, {Label: "Models", Cells: []Cell{Text(strings.Join(w.Models, ", "))}},
			{Label: "Description", Pre: w.Description}, {Label: "Created", Cells: []Cell{When(w.CreatedAt)}}, {Label: "Changed", Cells: []Cell{When(w.UpdatedAt)}},
		},
		Actions: []Action{
			{Label: "Send a test", Href: at + "/test", Method: "POST"}, {Label: toggle, Href: at + "/toggle-active", Method: "PATCH"},
			{Label: "New secret", Href: at + "/rotate-secret", Method: "POST", Confirm: "Make a new secret? The old one signs too for 24 hours."},
		},
	}, nil
}

func webhookFields(_ *Call, w *webhookView) ([]Field, error) {
	v := cms.Webhook{Events: []string{webhook.AllEvents}, IsActive: true}
	secret := Field{Name: "secret", Label: "Secret", Kind: "text", Help: "Empty: one is made."}
	if w != nil {
		v = w.Webhook
		secret.Help = "Empty: it stays as it is."
	}
	events := []Option{{webhook.AllEvents, "everything"}, {webhook.AllEntryEvents, "everything about entries"}}
	for _, kind := range cms.EventKinds {
		events = append(events, Option{kind, kind})
	}
	headers := ""
	if len(v.Headers) > 0 {
		raw, err := json.MarshalIndent(v.Headers, "", "  ")
		if err != nil {
			return nil, err
		}
		headers = string(raw)
	}
	return []Field{
		{Name: "name", Label: "Name", Kind: "text", Value: v.Name},
		{Name: "url", Label: "Address", Kind: "url", Value: v.URL, Required: true, Help: "https, on port 443 or 8443."},
		{Name: "events", Label: "Events", Kind: "checks", Values: v.Events, Options: events},
		{Name: "models", Label: "Models", Kind: "lines", Values: v.Models, Help: "Slugs, one a line. Empty: entries of every model."},
		{Name: "headers", Label: "Extra headers", Kind: "json", Value: headers},
		{Name: "description", Label: "Description", Kind: "textarea", Value: v.Description},
		secret,
		{Name: "is_active", Label: "Active", Kind: "checkbox", Value: strconv.FormatBool(v.IsActive)},
	}, nil
}

func webhookSecretPage(_ *Call, w webhookView) *Page {
	return &Page{
		Title: webhookName(w.Webhook), Crumbs: []Link{{"Webhooks", Base + "/webhooks"}}, Notice: "Copy the secret now: it is not shown again.",
		Secret: []Fact{{Label: "Secret", Pre: w.Secret}},
		Detail: &Detail{Actions: []Action{{Label: "Go on to the webhook", Href: Base + "/webhooks/" + w.ID}}},
	}
}

func webhookTestPage(c *Call, r service.TestResult) *Page {
	answer := Text("no answer")
	if r.ResponseCode != nil {
		answer = Code(strconv.Itoa(*r.ResponseCode))
	}
	facts := []Fact{
		{Label: "Answer", Cells: []Cell{answer}}, {Label: "Took", Cells: []Cell{Text(strconv.FormatInt(r.LatencyMS, 10) + " ms")}},
		{Label: "Body", Pre: r.ResponseBody}, {Label: "Delivery", Cells: []Cell{Code(r.DeliveryID)}},
	}
	if r.Error != nil {
		facts = append(facts, Fact{Label: "Error", Cells: []Cell{Text(*r.Error)}})
	}
	return &Page{
		Title: "Test", Crumbs: []Link{{"Webhooks", Base + "/webhooks"}, {"Webhook", Base + webhookPath(c)}},
		Detail: &Detail{Facts: facts, Actions: []Action{{Label: "Back to the webhook", Href: Base + webhookPath(c)}}},
	}
}
