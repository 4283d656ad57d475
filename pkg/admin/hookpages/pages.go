package hookpages

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/hooks"
	"headless/pkg/hooks/webhook"
	"headless/pkg/input"
	"headless/pkg/slice"
)

// webhookPage is a subscription with its delivery log, as a browser sees it.
type webhookPage struct {
	Hook       cms.Webhook
	Paused     say.Text // why the service paused it, "" if it did not
	State      ui.Cell
	Facts      []ui.Fact
	Actions    []ui.Action
	Test       []ui.Fact // response to the test named by the query parameter test
	Deliveries []deliveryView
	Kept       say.Text // for how long deliveries are kept
	Later      bool     // whether the page shows an older part of the log
	First      string   // URL of the newest part
	Next       string   // URL of the next older part, "" at the end
}

// deliveryView is a line of the log; it unfolds to its attempts.
type deliveryView struct {
	cms.Delivery
	Name      say.Text // of the event
	State     ui.Cell
	Summary   say.Text
	Waits     bool // whether it waits for the subscription to be resumed
	Open      bool
	Redeliver *ui.Action
	Attempts  []attemptView
}

// attemptView is one request. Signatures are not shown: with the body they would let a reader of
// the log forge requests.
type attemptView struct {
	cms.DeliveryAttempt
	Answer  ui.Cell
	Error   say.Text
	Headers string
	Body    string
}

// page shows a subscription, the part of its log at the query parameter cursor, and the response to
// the test that the query parameter test names.
func (h webhookHandlers) page(c *frame.Call, id string) (*ui.Page, error) {
	query := c.R.URL.Query()
	cursor := query.Get("cursor")
	detail, next, err := h.hooks.Detail(c.R.Context(), id, cursor)
	if err != nil {
		return nil, err
	}
	detail.Webhook, detail.Deliveries = maskedWebhook(c, detail.Webhook),
		maskedDeliveries(c, detail.Deliveries)
	at := ui.Base + "/webhooks/" + detail.ID
	v := webhookPage{
		Hook: detail.Webhook, Paused: say.Known(input.Given(detail.PausedReason, "")), State: webhookState(detail.Webhook),
		Facts: webhookFacts(c, detail.Webhook), Actions: webhookActions(c, detail.Webhook),
		Later: cursor != "", First: at + "#log", Kept: ui.KeptFor(hooks.DeliveryDays),
	}
	if next != "" {
		v.Next = at + "?cursor=" + url.QueryEscape(next) + "#log"
	}
	for _, d := range detail.Deliveries {
		line := newDeliveryView(detail.Webhook, d)
		if d.ID == query.Get("test") && len(d.Attempts) > 0 {
			v.Test, line.Open = testFacts(d), true
		}
		if c.May(cms.RoleUserAdmin) {
			line.Redeliver = new(ui.Action{Label: "Redeliver", Method: "POST", Href: at + "/deliveries/" + d.ID +
				"/redeliver"}.Of(eventName(string(d.Event))))
		}
		v.Deliveries = append(v.Deliveries, line)
	}
	return &ui.Page{Title: say.Data(webhookName(detail.Webhook)),
		Crumbs: []ui.Link{{Text: "Webhooks", Href: ui.Base + "/webhooks"}}, Template: "webhook", Custom: v,
		Assets: []string{"webhook"}}, nil
}

func webhookState(w cms.Webhook) ui.Cell {
	switch {
	case w.IsActive:
		return ui.Cell{Text: "active", Kind: "good"}
	case w.PausedReason != nil:
		return ui.Cell{Text: "paused by the service", Kind: "bad"}
	}
	return ui.Cell{Text: "paused", Kind: "grey"}
}

func webhookFacts(c *frame.Call, w cms.Webhook) []ui.Fact {
	events := slice.Map(w.Events, func(kind string) ui.Cell { return ui.Badge(keyedEvent(kind)) })
	if len(w.Events) == 0 {
		events = []ui.Cell{{Text: "none: nothing is sent but tests", Kind: "warn"}}
	}
	facts := []ui.Fact{ui.NewFact("Events", events...)}
	models := []ui.Cell{{Text: "every model", Kind: "muted"}}
	if len(w.Models) > 0 {
		models = ui.Badges(slice.Map(w.Models, c.Site.ModelName))
	}
	facts = append(facts, ui.NewFact("Entries of", models...))
	if len(w.Headers) > 0 {
		facts = append(facts, ui.Fact{Label: "Extra headers", Pre: headerLines(w.Headers)})
	}
	if w.Body != "" {
		facts = append(facts, ui.Fact{Label: "Body", Pre: w.Body, Code: true})
	}
	if w.RequestsPerSecond > 0 {
		facts = append(facts,
			ui.NewFact("Requests a second", ui.Word(say.F("{1} at most", w.RequestsPerSecond))))
	}
	if w.PublicKey != nil {
		facts = append(facts, ui.Fact{Label: "Public key (Ed25519)", Pre: *w.PublicKey})
	}
	if w.Description != "" {
		facts = append(facts, ui.Fact{Label: "Description", Pre: w.Description})
	}
	return append(facts, ui.NewFact("Created", ui.When(w.CreatedAt)),
		ui.NewFact("Changed", ui.When(w.UpdatedAt)))
}

// headerLines returns headers in the format of the form, one per line.
func headerLines(headers map[string]string) string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		lines = append(lines, name+": "+headers[name])
	}
	return strings.Join(lines, "\n")
}

func webhookActions(c *frame.Call, w cms.Webhook) []ui.Action {
	if !c.May(cms.RoleUserAdmin) {
		return nil
	}
	at := ui.Base + "/webhooks/" + w.ID
	toggle := say.Text("Pause")
	if !w.IsActive {
		toggle = "Resume"
	}
	return []ui.Action{
		{Label: "Edit", Href: at + "/edit"},
		{Label: "Send a test", Href: at + "/test", Method: "POST", Primary: w.IsActive},
		{Label: toggle, Href: at + "/toggle-active", Method: "PATCH", Primary: !w.IsActive},
		{Label: "Send again", Href: at + "/replay"},
		{Label: "New secret", Href: at + "/rotate-secret", Method: "POST",
			Confirm: "Make a new secret? For 24 hours requests are signed with the old one too."},
		{Label: "Delete", Href: at, Method: "DELETE", Danger: true,
			Confirm: "Delete this webhook and its log? Nothing more is sent to it. This cannot be undone."},
	}
}

func newDeliveryView(w cms.Webhook, d cms.Delivery) deliveryView {
	line := deliveryView{Delivery: d, Name: eventName(string(d.Event)), State: deliveryState(d.Status),
		Summary: "not sent yet", Waits: d.Status == cms.DeliveryPending && !w.IsActive}
	for _, a := range d.Attempts {
		line.Attempts = append(line.Attempts, attemptView{
			DeliveryAttempt: a, Answer: answerCell(a.ResponseCode), Error: say.Known(input.Given(a.Error, "")),
			Headers: attemptHeaders(d, a), Body: indentJSON(a.Payload),
		})
	}
	if n := len(d.Attempts); n > 0 {
		line.Summary = say.N(n, "{1} attempt, last {2}", "{1} attempts, last {2}",
			answerCell(d.Attempts[n-1].ResponseCode).Text)
	}
	return line
}

func deliveryState(s cms.DeliveryStatus) ui.Cell {
	kind := cmp.Or(map[cms.DeliveryStatus]string{cms.DeliveryDelivered: "good", cms.DeliveryFailed: "bad"}[s], "warn")
	return ui.Cell{Text: say.Known(string(s)), Kind: kind}
}

func answerCell(code *int) ui.Cell {
	if code == nil {
		return ui.Cell{Text: "no answer", Kind: "bad"}
	}
	kind := "bad"
	if *code >= 200 && *code < 300 {
		kind = "good"
	}
	return ui.Cell{Text: say.Number(*code), Kind: kind}
}

// attemptHeaders returns the request headers that can be computed from an attempt. Signatures are
// not stored, nor are the extra headers, which may be credentials.
func attemptHeaders(d cms.Delivery, a cms.DeliveryAttempt) string {
	sent := webhook.Message{Event: d.Event, Delivery: d.ID, Attempt: a.Attempt}.Headers(a.Time.Time)
	shown := map[string]string{}
	for name := range sent {
		if shown[name] = sent.Get(name); strings.HasSuffix(name, "Signature") {
			shown[name] = "…" // the page says why
		}
	}
	return headerLines(shown)
}

// indentJSON returns JSON with indentation. Other text is returned unchanged.
func indentJSON(body json.RawMessage) string {
	var out bytes.Buffer
	if json.Indent(&out, body, "", "  ") != nil {
		return string(body)
	}
	return out.String()
}

// testFacts describes the response to the first attempt of a delivery. A test has only one attempt,
// unless it is redelivered.
func testFacts(d cms.Delivery) []ui.Fact {
	a := d.Attempts[0]
	facts := []ui.Fact{ui.NewFact("Answer", answerCell(a.ResponseCode)),
		ui.NewFact("Took", ui.Text(strconv.FormatInt(a.LatencyMS, 10)+" ms"))}
	if a.Error != nil {
		facts = append(facts, ui.NewFact("Error", ui.Word(say.Known(*a.Error))))
	}
	return append(facts, ui.Fact{Label: "Body", Pre: a.ResponseBody},
		ui.NewFact("Delivery", ui.Code(d.ID)))
}
