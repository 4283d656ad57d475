package hookpages

import (
	"net/http"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/hooks"
	"headless/pkg/hooks/replay"
)

// replayRoutes returns the routes by which many deliveries of a webhook are sent again.
func replayRoutes(hooks hooks.Webhooks) []frame.Route {
	h := replayHandlers{&replay.Replays{Webhooks: hooks}}
	const at = "/webhooks/{webhook}/replay"
	return []frame.Route{
		{Method: "GET", Pattern: at, Role: cms.RoleUserAdmin, Handle: h.get},
		{Method: "POST", Pattern: at, Role: cms.RoleUserAdmin, Handle: frame.WithBody(h.start), Form: h.page},
		{Method: "DELETE", Pattern: at, Role: cms.RoleUserAdmin, Handle: h.stop},
	}
}

type replayHandlers struct{ replays *replay.Replays }

// get returns the latest replay as JSON. Browsers get a page with the running replay or with the
// form for a new one.
func (h replayHandlers) get(c *frame.Call) (frame.Result, error) {
	if !c.JSON {
		return frame.ShowPage(h.page)(c)
	}
	latest, err := h.replays.Latest(c.R.Context(), c.R.PathValue("webhook"))
	return frame.Result{Data: latest}, err
}

func (h replayHandlers) start(c *frame.Call, body map[string]any) (frame.Result, error) {
	frame.FormTimes(body, "from", "to")
	r, err := h.replays.Start(c.R.Context(), c.Actor(), c.R.PathValue("webhook"), body)
	return frame.Result{Status: http.StatusAccepted, Data: r, Redirect: webhookPath(c) + "/replay"}, err
}

func (h replayHandlers) stop(c *frame.Call) (frame.Result, error) {
	err := h.replays.Stop(c.R.Context(), c.Actor(), c.R.PathValue("webhook"))
	return frame.Result{Status: http.StatusNoContent, Redirect: webhookPath(c) + "/replay"}, err
}

// page shows the running replay, or the form for a new one.
func (h replayHandlers) page(c *frame.Call) (*ui.Page, error) {
	ctx := c.R.Context()
	hook, err := h.replays.Get(ctx, c.R.PathValue("webhook"))
	if err != nil {
		return nil, err
	}
	at := ui.Base + webhookPath(c)
	page := &ui.Page{Title: "Send deliveries again",
		Crumbs: []ui.Link{{Text: "Webhooks", Href: ui.Base + "/webhooks"},
			{Text: say.Data(webhookName(hook)), Href: at}}}
	latest, err := h.replays.Latest(ctx, hook.ID)
	if cms.CodeOf(err) == cms.CodeNotFound {
		err = nil
	}
	switch {
	case err != nil:
		return nil, err
	case latest.Status == replay.Running:
		page.Detail = runningReplay(latest, at)
		return page, nil
	case latest.ID != "":
		page.Notice = say.F("The last time: {1}, {2}.", say.Known(string(latest.Status)), replayProgress(latest))
	}
	page.Form = &ui.Form{Action: at + "/replay", Method: http.MethodPost, Submit: "Send again",
		Cancel: at, Fields: []ui.Field{
			{Name: "only_failed", Label: "Only those that failed", Kind: "checkbox", Value: "true"},
			{Name: "from", Label: "Made from", Kind: "datetime",
				Help: "Empty, for those that failed: all of the last 30 days."},
			{Name: "to", Label: "Made before", Kind: "datetime", Help: "Empty: until now."},
		}}
	return page, nil
}

func runningReplay(r replay.Replay, at string) *ui.Detail {
	what := say.Text("all deliveries")
	if r.OnlyFailed {
		what = "failed deliveries"
	}
	return &ui.Detail{Poll: true, Facts: []ui.Fact{
		ui.NewFact("Done", ui.Word(replayProgress(r))),
		ui.NewFact("Sends again", ui.Word(what)),
		ui.NewFact("Made from", ui.When(r.From)),
		ui.NewFact("Made before", ui.When(r.To)),
	},
		Actions: []ui.Action{{Label: "Refresh", Href: at + "/replay"},
			{Label: "Stop", Method: http.MethodDelete, Href: at + "/replay", Danger: true}},
	}
}

// replayProgress describes the progress of a replay in words.
func replayProgress(r replay.Replay) say.Text {
	return say.F("{1} sent again of {2} looked at", r.SentAgain, r.LookedAt)
}
