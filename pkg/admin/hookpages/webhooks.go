package hookpages

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks"
	"headless/pkg/hooks/webhook"
	"headless/pkg/input"
	"headless/pkg/slice"
)

// webhookView is a subscription in responses. Secret is set only after it was created or rotated,
// Deliveries only in the response about one subscription.
type webhookView struct {
	cms.Webhook
	Secret     string          `json:"secret,omitempty"`
	Deliveries *[]cms.Delivery `json:"deliveries,omitempty"`
	last       *cms.Delivery   // latest delivery, for the list page
}

func shownWebhook(w cms.Webhook) webhookView { return webhookView{Webhook: w} }

// maskedWebhook returns a subscription without the parts that the user may not read. Extra headers
// and the path of the URL may be credentials of the receiver. Users who may not edit them see only
// the names of the headers and the origin of the URL.
func maskedWebhook(c *frame.Call, w cms.Webhook) cms.Webhook {
	if c.May(cms.RoleUserAdmin) {
		return w
	}
	masked := make(map[string]string, len(w.Headers))
	for name := range w.Headers {
		masked[name] = webhook.Masked
	}
	w.Headers, w.URL = masked, frame.OriginOf(w.URL)
	return w
}

// maskedDeliveries removes from deliveries what the user may not read: it reduces the URLs of their
// attempts to the origin. It changes list.
func maskedDeliveries(c *frame.Call, list []cms.Delivery) []cms.Delivery {
	if c.May(cms.RoleUserAdmin) {
		return list
	}
	for i := range list {
		for j := range list[i].Attempts {
			attempt := &list[i].Attempts[j]
			attempt.TargetURL = frame.OriginOf(attempt.TargetURL)
		}
	}
	return list
}

// WebhookRoutes returns the routes of specification §4.4, rotation of the secret and redelivery.
func WebhookRoutes(hooks hooks.Webhooks) []frame.Route {
	h := webhookHandlers{hooks}
	r := resource.Kind[webhookView]{
		Path: "/webhooks", Title: "Webhooks", One: "webhook", Event: "webhook.updated", Confirm: true, Param: "webhook",
		List: h.list, Decode: formHeaders,
		Get: func(c *frame.Call, id string) (webhookView, error) {
			w, err := hooks.Get(c.R.Context(), id)
			return shownWebhook(maskedWebhook(c, w)), err
		},
		Create: func(c *frame.Call, body map[string]any) (webhookView, error) {
			w, err := hooks.Create(c.R.Context(), c.Actor(), body)
			return webhookView{Webhook: w.Webhook, Secret: w.Secret}, err
		},
		Update: func(c *frame.Call, id string, body map[string]any,
			ok input.Precondition[webhookView]) (webhookView, error) {
			w, err := hooks.Update(c.R.Context(), c.Actor(), id, body, resource.Through(ok, shownWebhook))
			return shownWebhook(w), err
		},
		Delete:  func(c *frame.Call, id string) error { return hooks.Delete(c.R.Context(), c.Actor(), id) },
		New:     func(*frame.Call) (webhookView, error) { return shownWebhook(cms.NewWebhook()), nil },
		Show:    h.detail,
		ID:      func(w webhookView) string { return w.ID },
		Name:    func(w webhookView) say.Text { return say.Data(webhookName(w.Webhook)) },
		Columns: []say.Text{"Name", "Address", "Events", "State", "Last delivery", "At"},
		Row: func(w webhookView) []ui.Cell {
			state, at := lastDelivery(w.last)
			return []ui.Cell{ui.Text(webhookName(w.Webhook)), ui.Code(w.URL),
				ui.Word(say.Join(slice.Map(w.Events, eventName), say.Comma)), webhookState(w.Webhook), state, at}
		},
		Fields: h.fields, Secret: func(w webhookView) string { return w.Secret },
	}
	return append(append(r.Routes(), replayRoutes(hooks)...),
		frame.Route{Method: "PATCH", Pattern: "/webhooks/{webhook}/toggle-active",
			Role: cms.RoleUserAdmin, Handle: h.toggle},
		frame.Route{Method: "GET", Pattern: "/webhooks/{webhook}/poll", Role: cms.RoleUserAdmin, Handle: h.poll},
		frame.Route{Method: "POST", Pattern: "/webhooks/{webhook}/test", Role: cms.RoleUserAdmin,
			Handle: h.test},
		frame.Route{Method: "POST", Pattern: "/webhooks/{webhook}/rotate-secret", Role: cms.RoleUserAdmin,
			Handle: frame.WithBody(h.rotate), Confirm: true},
		frame.Route{Method: "POST", Pattern: "/webhooks/{webhook}/deliveries/{id}/redeliver",
			Role: cms.RoleUserAdmin, Handle: h.redeliver},
	)
}

type webhookHandlers struct{ hooks hooks.Webhooks }

// poll returns the deliveries to a listener. Since it waits for them, the user is looked up again at the end.
func (h webhookHandlers) poll(c *frame.Call) (frame.Result, error) {
	c.JSON = true
	list, err := h.hooks.Poll(c.R.Context(), c.R.PathValue("webhook"), c.R.URL.Query().Get("after"))
	if err == nil {
		err = c.AskAgain()
	}
	return frame.Result{Data: list}, err
}

// list lists subscriptions; a page shows the latest delivery of each.
func (h webhookHandlers) list(c *frame.Call, p db.Paging) (db.Page[webhookView], error) {
	list, err := h.hooks.List(c.R.Context())
	page := frame.MapPage(db.PageOf(list, p),
		func(w cms.Webhook) webhookView { return shownWebhook(maskedWebhook(c, w)) })
	if c.JSON || err != nil {
		return page, err
	}
	g, ctx := errgroup.WithContext(c.R.Context())
	g.SetLimit(10)
	for i := range page.Items {
		g.Go(func() error {
			latest, err := h.hooks.Latest(ctx, page.Items[i].ID)
			page.Items[i].last = latest
			return err
		})
	}
	return page, g.Wait()
}

// detail shows a subscription with its delivery log.
func (h webhookHandlers) detail(c *frame.Call, id string) (frame.Result, error) {
	if !c.JSON {
		page, err := h.page(c, id)
		if err != nil {
			return frame.Result{}, err
		}
		return c.ShowOnce(frame.Result{Page: page}), nil
	}
	detail, next, err := h.hooks.Detail(c.R.Context(), id, c.R.URL.Query().Get("cursor"))
	if err != nil {
		return frame.Result{}, err
	}
	detail.Deliveries = maskedDeliveries(c, detail.Deliveries)
	result := frame.Result{Data: webhookView{Webhook: maskedWebhook(c, detail.Webhook),
		Deliveries: &detail.Deliveries}}
	if next != "" {
		result.Meta = map[string]string{"next_cursor": next}
	}
	return result, nil
}

func webhookPath(c *frame.Call) string { return "/webhooks/" + c.R.PathValue("webhook") }

func (h webhookHandlers) toggle(c *frame.Call) (frame.Result, error) {
	w, err := h.hooks.ToggleActive(c.R.Context(), c.Actor(), c.R.PathValue("webhook"))
	return frame.Result{Data: w, Redirect: webhookPath(c) + "?ok=saved"}, err
}

func (h webhookHandlers) test(c *frame.Call) (frame.Result, error) {
	r, err := h.hooks.Test(c.R.Context(), c.Actor(), c.R.PathValue("webhook"))
	return frame.Result{Data: r, Redirect: webhookPath(c) + "?test=" + r.DeliveryID}, err
}

func (h webhookHandlers) rotate(c *frame.Call, body map[string]any) (frame.Result, error) {
	w, err := h.hooks.RotateSecret(c.R.Context(), c.Actor(), c.R.PathValue("webhook"), body)
	if err != nil {
		return frame.Result{}, err
	}
	at := "/webhooks/" + w.ID
	return frame.Result{Data: webhookView{Webhook: w.Webhook, Secret: w.Secret}, Redirect: at +
		"?ok=done", Cookie: c.Once(at, w.Secret)}, nil
}

func (h webhookHandlers) redeliver(c *frame.Call) (frame.Result, error) {
	d, err := h.hooks.Redeliver(c.R.Context(), c.Actor(), c.R.PathValue("webhook"), c.R.PathValue("id"))
	return frame.Result{Data: d, Redirect: webhookPath(c) + "?ok=sent"}, err
}

func webhookName(w cms.Webhook) string {
	return cmp.Or(w.Name, w.URL)
}

// eventName says a kind of event, or several kinds that a subscription names together, in words.
func eventName(kind string) say.Text {
	several := map[string]say.Text{webhook.AllEvents: "Every event", "entry.*": "Every event of an entry",
		"media.*": "Every event of a file", "release.*": "Every event of a release"}
	return cmp.Or(several[kind], say.Known(ui.Words(kind)))
}

// keyedEvent says a kind of event in words, with the key that programs know it by.
func keyedEvent(kind string) say.Text { return say.F("{1} ({2})", eventName(kind), kind) }

func lastDelivery(d *cms.Delivery) (state, at ui.Cell) {
	if d == nil {
		return ui.Cell{Text: "none yet", Kind: "muted"}, ui.Cell{}
	}
	return deliveryState(d.Status), ui.When(d.CreatedAt)
}

// formHeaders turns the lines of a browser's field into an object.
func formHeaders(_ *frame.Call, body map[string]any) error {
	posted, ok := body["headers"].(input.FormValue)
	if !ok || strings.HasPrefix(strings.TrimSpace(posted.Last()), "{") {
		return nil
	}
	headers, p := map[string]any{}, cms.Problems{}
	for line := range strings.Lines(posted.Last()) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			p.Add("headers", "%q must be a name, a colon and a value", line)
		}
		headers[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	body["headers"] = headers
	return p.Err()
}

// fields returns the fields of the form of a subscription.
func (h webhookHandlers) fields(c *frame.Call, w *webhookView) ([]ui.Field, error) {
	v := cms.Webhook{Events: []string{webhook.AllEvents}, IsActive: true}
	secret := ui.Field{Name: "secret", Label: "Secret", Kind: "text",
		Help: "Signs every request. Leave empty to have one made; one of your own has at least 24 characters."}
	if w != nil {
		v = w.Webhook
		secret.Help = "Leave empty to keep the secret."
	}
	events := slice.Map(slices.Concat([]string{webhook.AllEvents}, webhook.Patterns, cms.EventKinds),
		func(kind string) ui.Option { return ui.Option{Value: kind, Label: keyedEvent(kind)} })
	models := ui.ModelOptions(frame.SortedModels(c.Site))
	for _, slug := range v.Models {
		if c.Site.Models[slug] == nil {
			models = append(models, ui.Option{Value: slug, Label: say.F("{1} (deleted)", slug)})
		}
	}
	return []ui.Field{
		{Name: "name", Label: "Name", Kind: "text", Value: v.Name,
			Help: "What receives the events, such as “Search index”."},
		{Name: "url", Label: "Address", Kind: "url", Value: v.URL, Required: true,
			Help: "An https address on port 443 or 8443 that takes POST."},
		{Name: "events", Label: "Events", Kind: "checks", Values: v.Events, Options: events,
			Help: "Select at least one event: without one, only tests are sent."},
		{Name: "models", Label: "Only entries of", Kind: "checks", Values: v.Models,
			Options: models,
			Help:    "None checked: entries of every model. Other events are not limited by this."},
		{Name: "headers", Label: "Extra headers", Kind: "lines", Value: headerLines(v.Headers),
			Help: "One a line, such as “X-Team: web”."},
		{Name: "body", Label: "Body", Kind: "textarea", Value: v.Body,
			Help: "JSON to send instead of the event, with {{event}}, {{delivery}} and {{time}} in its strings. " +
				"Put no credentials here."},
		{Name: "bundle_seconds", Label: "Bundle for seconds", Kind: "number",
			Value: strconv.Itoa(v.BundleSeconds),
			Help:  "0: each event is sent alone. Up to 300: the events of entries in that time are sent together."},
		{Name: "requests_per_second", Label: "Requests a second", Kind: "number",
			Value: strconv.Itoa(v.RequestsPerSecond),
			Help:  "0: no limit. Up to 1,000: what exceeds it waits."},
		{Name: "description", Label: "Description", Kind: "textarea", Value: v.Description},
		secret,
		{Name: "ed25519", Label: "Sign with Ed25519 too", Kind: "checkbox",
			Value: strconv.FormatBool(v.Ed25519),
			Help:  "The receiver verifies with a public key, which the page of the webhook shows, and needs no secret."},
		{Name: "is_active", Label: "Active", Kind: "checkbox",
			Value: strconv.FormatBool(v.IsActive),
			Help:  "A webhook that is not active gets no events; tests work all the same."},
	}, nil
}
