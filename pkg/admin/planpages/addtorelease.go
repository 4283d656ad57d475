package planpages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/reviewpages"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/planning"
	"headless/pkg/slice"
)

// withChoice shows the form that asks for a release, if a list or the page of an entry sent entries to
// be added to one.
func (h releaseHandlers) withChoice(create frame.Handler) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		switch {
		case c.IsForm && c.Form.Has("out"):
			return h.takeOut(c)
		case !c.IsForm:
			return create(c)
		case !c.Form.Has("model") || c.Form.Has("name"):
			if c.Form.Get("name") != "" { // of a new release, whatever is chosen
				c.Form.Del("to")
			}
			return h.withUndo(c, create)
		}
		if len(c.Form["ids"]) == 0 {
			return frame.Result{Redirect: backOf(c) + "?ok=none"}, nil
		}
		return frame.ShowPage(h.addPage)(c)
	}
}

// withUndo adds entries to a release, and offers to take out again those that were not in it.
func (h releaseHandlers) withUndo(c *frame.Call, create frame.Handler) (frame.Result, error) {
	var before planning.Release
	var err error
	if to := c.Form.Get("to"); to != "" {
		if before, err = h.releases.Get(c.R.Context(), to); err != nil {
			return frame.Result{}, err
		}
	}
	result, err := create(c)
	after, ok := result.Data.(planning.Release)
	if !ok || err != nil {
		return result, err
	}
	if before.ID != "" {
		result.Redirect = "/releases/" + after.ID + "?ok=saved"
	}
	was := map[string]bool{}
	for _, item := range before.Items {
		was[item.ID] = true
	}
	undo := &ui.Undo{Href: ui.Base + "/releases", Fields: url.Values{"from": {after.ID}}}
	for _, item := range after.Items {
		if !was[item.ID] {
			undo.Fields.Add("out", outOf(item))
		}
	}
	if undo.Fields.Has("out") {
		result.Undo = undo
	}
	return result, nil
}

// outOf names an item as it is now, for takeOut.
func outOf(item planning.ShownItem) string {
	return item.ID + " " + ui.Digest(sameItem(item.ReleaseItem))
}

// takeOut takes entries out of a release, except those that somebody has changed there since they were added.
func (h releaseHandlers) takeOut(c *frame.Call) (frame.Result, error) {
	r, err := h.releases.Get(c.R.Context(), c.Form.Get("from"))
	if err != nil {
		return frame.Result{}, err
	}
	items, kept := []any{}, 0
	for _, item := range r.Items {
		if !slices.Contains(c.Form["out"], outOf(item)) {
			if slices.ContainsFunc(c.Form["out"], func(out string) bool { return strings.HasPrefix(out, item.ID+" ") }) {
				kept++
			}
			items = append(items, sameItem(item.ReleaseItem))
		}
	}
	if len(items) < len(r.Items) {
		r, err = h.putItems(c, r, items)
	}
	ok := "saved"
	if of := len(c.Form["out"]); kept > 0 {
		ok = ui.Undone(of-kept, of)
	}
	return frame.Result{Data: r, Redirect: "/releases/" + r.ID + "?ok=" + ok}, err
}

// sameItem is the body of an item that stays as it is.
func sameItem(item planning.ReleaseItem) map[string]any {
	same := map[string]any{"model": item.Model, "id": item.ID, "action": item.Action}
	if item.Children != "" {
		same["children"] = item.Children
	}
	return same
}

// putItems replaces the items of a release unless somebody has changed it since it was read.
func (h releaseHandlers) putItems(c *frame.Call, r planning.Release, items []any) (planning.Release, error) {
	return h.releases.Update(c.R.Context(), c.Actor(), r.ID, map[string]any{"items": items},
		func(now planning.Release) error {
			if now.UpdatedAt != r.UpdatedAt {
				return cms.Errorf(cms.CodePreconditionFailed,
					"Somebody changes this release at the same time. Add the entries again.")
			}
			return nil
		})
}

// addPage asks to which release the entries of the form are added.
func (h releaseHandlers) addPage(c *frame.Call) (*ui.Page, error) {
	open, err := h.openReleases(c)
	if err != nil {
		return nil, err
	}
	to := ui.Field{Name: "to", Label: "Release", Kind: "select", Focus: true}
	for _, r := range open {
		to.Options = append(to.Options, ui.Option{Value: r.ID, Label: say.Data(r.Name)})
	}
	to.Options = append(to.Options, ui.Option{Label: "A new release"})
	to.Value = to.Options[0].Value
	model := c.Form.Get("model")
	items := ui.Field{Name: "items", Label: "Entries", Kind: "checks", Values: itemLines(c.Form["ids"], model)}
	if items.Options, err = h.itemOptions(c, items.Values); err != nil {
		return nil, err
	}
	return &ui.Page{Title: "Add to a release", Crumbs: []ui.Link{{Text: "Releases", Href: ui.Base + "/releases"}},
		Form: &ui.Form{Action: ui.Base + "/releases", Method: http.MethodPost, Submit: "Add",
			Cancel: ui.Base + backOf(c), Fields: []ui.Field{to,
				{Name: "name", Label: "Name of a new release", Kind: "text"}, items}}}, nil
}

// openReleases returns those of the newest releases that entries can be added to: those with a date first, in its
// order, then the newest, and then those that failed.
func (h releaseHandlers) openReleases(c *frame.Call) (open []planning.Release, err error) {
	for page, most := 1, 4; page <= most; page++ {
		releases, err := h.releases.List(c.R.Context(), db.Paging{Page: page, PerPage: 100})
		if err != nil {
			return nil, err
		}
		open = append(open, slices.DeleteFunc(releases.Items, func(r planning.Release) bool { return !awaited(r) })...)
		if releases.Total <= page*releases.PerPage {
			break
		}
	}
	last := time.Unix(1<<40, 0)
	due := func(r planning.Release) time.Time {
		switch {
		case r.Status == planning.ReleaseFailed:
			return last.Add(1)
		case r.PublishAt.IsZero():
			return last
		}
		return r.PublishAt.Time
	}
	slices.SortStableFunc(open, func(a, b planning.Release) int { return due(a).Compare(due(b)) })
	return open, nil
}

func itemLines(ids []string, model string) []string {
	return slice.Map(ids, func(id string) string { return model + " " + id + " " + planning.ActionPublish })
}

// addTo adds the items of a form to a release that exists.
func (h releaseHandlers) addTo(c *frame.Call, id string) (planning.Release, error) {
	r, err := h.releases.Get(c.R.Context(), id)
	if err != nil {
		return r, err
	}
	items := []any{}
	known := map[string]bool{}
	for _, added := range formItems(c) {
		items = append(items, added)
		known[added["id"].(string)] = true
	}
	for _, item := range r.Items {
		if !known[item.ID] {
			items = append(items, sameItem(item.ReleaseItem))
		}
	}
	return h.putItems(c, r, items)
}

// itemOptions names the lines of items by the titles of their entries.
func (h releaseHandlers) itemOptions(c *frame.Call, lines []string) ([]ui.Option, error) {
	items := itemsOf(lines)
	ids := make([]planning.ReleaseItem, len(items))
	for i, item := range items {
		ids[i].Model, _ = item["model"].(string)
		ids[i].ID, _ = item["id"].(string)
	}
	titles, err := h.titles(c, ids)
	if err != nil {
		return nil, err
	}
	options := make([]ui.Option, len(items))
	for i, item := range items {
		label := titles[ids[i].ID].Text
		if item["action"] != planning.ActionPublish {
			label = say.F("{1} (unpublish)", label)
		}
		options[i] = ui.Option{Value: lines[i], Label: label}
	}
	return options, nil
}

func (h releaseHandlers) titles(c *frame.Call, items []planning.ReleaseItem) (map[string]entrydata.Title, error) {
	return entrydata.Titles(c, h.releases.Store, items,
		func(i planning.ReleaseItem) (string, string) { return i.Model, i.ID })
}

// reviewBadges returns a badge with the state of the review of each item that needs approval, by the id of
// the entry, and how many of them are not approved. There are none once the release has begun.
func (h releaseHandlers) reviewBadges(c *frame.Call, r planning.Release) (badges map[string]ui.Cell,
	missing int, err error) {
	if !awaited(r) {
		return nil, 0, nil
	}
	ctx := c.R.Context()
	var refs []content.Reference
	for _, item := range r.Items {
		if m := c.Site.Models[item.Model]; m != nil && m.Review > 0 && item.Action == planning.ActionPublish {
			refs = append(refs, content.Reference{Model: m, ID: item.ID})
		}
	}
	rows, err := h.releases.Store.Each(ctx, refs, approval.Key)
	badges = map[string]ui.Cell{}
	judge := approval.Judge(h.releases.Store.DB)
	for i, row := range rows {
		asked, err := approval.Decode(row)
		if err != nil {
			return nil, 0, err
		}
		if asked == nil {
			asked = &approval.Review{State: approval.None}
		}
		state, valid, err := judge(ctx, refs[i].Model, asked.State, asked.Approvals)
		if err != nil {
			return nil, 0, err
		}
		badges[refs[i].ID] = reviewpages.StateBadges[state]
		if state != approval.Approved {
			missing++
			if valid < len(asked.Approvals) {
				badges[refs[i].ID] = ui.Cell{Text: "an approval no longer counts", Kind: "bad"}
			}
		}
	}
	return badges, missing, err
}
