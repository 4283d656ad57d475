package reviewpages

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/input"
	"headless/pkg/review"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// The actions on the reviews of several entries.
const (
	actionAsk     = "ask"
	actionApprove = "approve"
	actionReturn  = "return"
	// From pages only:
	actionEnd      = "withdraw"  // undoes ask
	actionTakeBack = "take_back" // undoes approve and return
)

// changeSeveral asks for reviews of the entries of a model, approves them or sends them back, each as its
// own route does. The answer lists those that were refused; the others are changed all the same.
// Browsers are first shown the versions that they decide on.
func (h Handlers) changeSeveral(c *frame.Call) (frame.Result, error) {
	if c.IsForm {
		c.Form["ids"] = slice.Filled(c.Form["ids"])
		if len(c.Form["ids"]) == 0 {
			return frame.Result{Redirect: ui.EntriesPath(c.Form.Get("model")) + "?ok=none"}, nil
		}
		if !c.Form.Has("_sure") {
			return frame.ShowPage(h.severalForm)(c)
		}
	}
	body, err := c.Body()
	if err != nil {
		return frame.Result{}, err
	}
	if c.IsForm {
		delete(body, "was") // of an Undo
	}
	p := cms.Problems{}
	ids, in := c.BulkIDs(body, p), h.decodeSeveral(c, body, p)
	if err := p.Err(); err != nil {
		return frame.Result{}, err
	}
	m, err := c.Site.ActiveModel(in.Model)
	if err != nil {
		return frame.Result{}, err
	}
	changed := map[string]ui.Former[bool]{} // with what was asked for, or the time of the decision
	back := ui.EntriesPath(m.Slug)
	if c.Form.Has("_one") {
		back += "/" + url.PathEscape(ids[0]) + "/review"
	}
	result, err := frame.Bulk(ids, back, func(id string) error {
		var before review.Review
		if c.IsForm && in.Action == actionAsk { // only browsers are offered to undo it
			if before, err = h.Reviews.Get(c.R.Context(), m.Slug, id); err != nil {
				return err
			}
		}
		one := maps.Clone(in.each)
		if version, ok := in.Versions[id]; ok {
			one["version"] = version
		}
		now, err := in.use(c.R.Context(), c.Actor(), m.Slug, id, one)
		switch {
		case err != nil:
		case now.Decided != nil:
			changed[id] = decidedAt(now)
		case before.State == approval.None:
			changed[id] = ui.Replaced(true, askedFor(*now.RequestedAt,
				slice.Map(now.Reviewers, func(by cms.Person) string { return by.ID }), now.Due, now.Note))
		}
		return err
	})
	result.Undo = undoOf(in.Action, m.Slug, changed)
	if done, ok := result.Data.(frame.Changed); ok && c.IsForm && len(done.Failed) > 0 {
		result.Redirect = ""
		if result.Page, err = h.refusedPage(c, m, in.Action, done); err == nil && result.Undo != nil {
			result.Page.Detail.Actions = append(result.Page.Detail.Actions, result.Undo.Action())
		}
	}
	return result, err
}

// decidedAt is what an Undo of a decision on a review takes back.
func decidedAt(now review.Review) ui.Former[bool] { return ui.Replaced(true, now.Decided.At) }

// undoOf returns what undoes an action on the reviews of entries of a model.
func undoOf(action, model string, changed map[string]ui.Former[bool]) *ui.Undo {
	back := actionTakeBack
	if action == actionAsk {
		back = actionEnd
	}
	return ui.UndoWith(ui.Base+"/reviews", changed, url.Values{"action": {back}, "model": {model}, "_sure": {"true"}})
}

// severalInput is the body of an action on the reviews of several entries.
type severalInput struct {
	Action    string            `json:"action"`
	Model     string            `json:"model"`
	Versions  map[string]string `json:"versions"` // by id of the entry
	Reviewers []string          `json:"reviewers"`
	Due       *string           `json:"due"`
	Note      string            `json:"note"`

	each map[string]any // the body for each entry, without its version
	use  func(ctx context.Context, actor cms.Actor, model, id string, body map[string]any) (review.Review, error)
}

func (h Handlers) decodeSeveral(c *frame.Call, body map[string]any, p cms.Problems) (in severalInput) {
	in, problems := input.Decode[severalInput](body, "ids")
	p.Merge(problems)
	in.use = map[string]func(context.Context, cms.Actor, string, string, map[string]any) (review.Review, error){
		actionAsk: h.Reviews.Ask, actionApprove: h.Reviews.Approve, actionReturn: h.Reviews.Return}[in.Action]
	if c.IsForm && (in.Action == actionEnd || in.Action == actionTakeBack) {
		was := ui.Was[bool](c.Form, p)
		in.use = func(ctx context.Context, actor cms.Actor, model, id string, _ map[string]any) (review.Review, error) {
			if in.Action == actionTakeBack {
				return review.Review{}, h.Reviews.TakeBack(ctx, actor, model, id, func(now *approval.Review) error {
					if now.Decided == nil {
						return ui.ErrChangedSince
					}
					return was[id].Still(now.Decided.At)
				})
			}
			return review.Review{}, h.Reviews.Withdraw(ctx, actor, model, id, func(now *approval.Review) error {
				if now.State != approval.Requested || len(now.Approvals) > 0 {
					return ui.ErrChangedSince
				}
				return was[id].Still(askedFor(now.RequestedAt, now.Reviewers, now.Due, now.Note))
			})
		}
	}
	if in.use == nil && p["action"] == nil {
		p.Add("action", "must be ask, approve or return")
	}
	if in.Action == actionReturn {
		p.Require("note", in.Note)
	}
	review.Due(p, in.Due)
	in.each = map[string]any{}
	for _, key := range []string{"reviewers", "due", "note"} {
		if value, ok := body[key]; ok {
			in.each[key] = value
		}
	}
	return in
}

// askedFor is what a request for a review says.
func askedFor(at cms.Time, reviewers []string, due, note *string) any {
	return []any{at, strings.Join(reviewers, " "), due, note}
}

// severalWords name the actions.
var severalWords = map[string]say.Text{actionAsk: "Ask for review", actionApprove: "Approve", actionReturn: "Send back"}

// severalForm shows the selected entries with their present versions and the inputs of an action.
func (h Handlers) severalForm(c *frame.Call) (*ui.Page, error) {
	action, p := c.Form.Get("action"), cms.Problems{}
	ids := c.BulkIDs(nil, p)
	if severalWords[action] == "" {
		p.Add("action", "must be ask, approve or return")
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	m, err := c.Site.ActiveModel(c.Form.Get("model"))
	if err != nil {
		return nil, err
	}
	fields, err := h.versionFields(c, m, ids)
	if err != nil {
		return nil, err
	}
	note := ui.Field{Name: "note", Label: "Note", Kind: "textarea"}
	switch action {
	case actionAsk:
		people, err := c.People()
		if err != nil {
			return nil, err
		}
		approvers, err := people.Who(c.R.Context(), cms.ActionApprove, m.Slug, "")
		if err != nil {
			return nil, err
		}
		reviewers := ui.Field{Name: "reviewers", Label: "Reviewers", Kind: "checks",
			Help: "Without one, nobody is notified, and everybody who may approve can."}
		for _, by := range approvers {
			reviewers.Options = append(reviewers.Options, ui.Option{Value: by.ID, Label: say.Data(by.Name)})
		}
		fields = append(fields, reviewers, ui.Field{Name: "due", Label: "Due", Kind: "date"}, note)
	case actionReturn:
		note.Label, note.Required = "What should change?", true
		fields = append(fields, note)
	}
	fields = append(fields, ui.Kept("action", action), ui.Kept("model", m.Slug), ui.Kept("_sure", "true"))
	return &ui.Page{Title: severalWords[action], Crumbs: []ui.Link{entrydata.ListLink(m)},
		Form: &ui.Form{Action: ui.Base + "/reviews", Method: http.MethodPost, Submit: severalWords[action],
			Cancel: ui.Base + ui.EntriesPath(m.Slug), Fields: fields}}, nil
}

// versionFields returns the boxes of entries, and hidden inputs with the versions that they show.
func (h Handlers) versionFields(c *frame.Call, m *site.Model, ids []string) ([]ui.Field, error) {
	entries, err := h.readNamed(c, m, ids)
	boxes := ui.Field{Name: "ids", Label: "Entries", Kind: "checks"}
	fields := []ui.Field{}
	for _, e := range entries {
		r, err := h.Reviews.Get(c.R.Context(), m.Slug, e.ID)
		if err != nil {
			return nil, err
		}
		name := "versions." + e.ID
		version := cmp.Or(c.Form.Get(name), r.Version)
		boxes.Values = append(boxes.Values, e.ID)
		boxes.Options = append(boxes.Options, ui.Option{Value: e.ID,
			Href: entrydata.EntryAddress(m.Slug, e.ID) + "/review",
			Label: say.F("{1} ({2}, version {3}, {4})", e.Title, c.LocaleName(e.Locale), version,
				StateBadges[r.State].Text)})
		fields = append(fields, ui.Kept(name, version))
	}
	return append([]ui.Field{boxes}, fields...), err
}

// readNamed returns the entries with some ids that exist and that the user may read.
func (h Handlers) readNamed(c *frame.Call, m *site.Model, ids []string) ([]*cms.Entry, error) {
	var refs []content.Reference
	for _, id := range ids {
		if id, ok := input.CanonicalID(id); ok {
			refs = append(refs, content.Reference{Model: m, ID: id})
		}
	}
	entries, err := h.Entries.Entries.Store.EntriesByID(c.R.Context(), refs)
	return slices.DeleteFunc(entries, func(e *cms.Entry) bool { return e == nil }), err
}

// refusedPage lists the entries that were refused, and why.
func (h Handlers) refusedPage(c *frame.Call, m *site.Model, action string, done frame.Changed) (*ui.Page, error) {
	ids := slice.Map(done.Failed, func(f frame.Refused) string { return f.ID })
	entries, err := h.readNamed(c, m, ids)
	titles := map[string]string{}
	for _, e := range entries {
		titles[e.ID] = e.Title
	}
	list := &ui.List{Columns: []say.Text{"Entry", "Reason"}}
	for _, f := range done.Failed {
		row := ui.Row{Cells: []ui.Cell{ui.Text(cmp.Or(titles[f.ID], f.ID)), ui.Word(say.Known(f.Message))}}
		if titles[f.ID] != "" {
			row.Href = entrydata.EntryAddress(m.Slug, f.ID) + "/review"
		}
		list.Rows = append(list.Rows, row)
	}
	of := done.Done + len(done.Failed)
	return &ui.Page{Title: say.F("{1}: {2} of {3}", cmp.Or(severalWords[action], "Undo"), done.Done, of),
		Crumbs: []ui.Link{entrydata.ListLink(m)},
		Detail: &ui.Detail{Actions: []ui.Action{{Label: "Back to the list", Href: ui.Base + ui.EntriesPath(m.Slug)}},
			Sections: []ui.Section{{Title: "Refused", List: list}}}}, err
}
