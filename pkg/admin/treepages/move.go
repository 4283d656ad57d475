package treepages

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content/tree"
	"headless/pkg/editing/moving"
	"headless/pkg/input"
	"headless/pkg/site"
)

// move moves an entry. A form names the place as one value, see places.
func (h handlers) move(c *frame.Call, body map[string]any) (frame.Result, error) {
	if c.IsForm {
		body = formBody(body)
	}
	model := c.R.PathValue("slug")
	e, err := moving.Trees{Entries: h.entries.Entries}.Move(c.R.Context(), c.Actor(), model, body,
		resource.Matching(c, entrydata.ShownEntry))
	if err != nil {
		return frame.Result{}, err
	}
	return frame.Result{Data: entrydata.ShownEntry(e),
		Redirect: ui.ModelPath(model) + "/tree?ok=saved&locale=" + url.QueryEscape(e.Locale) + "&at=" + e.ID}, nil
}

// formBody returns the body of a move from the values of a form: the texts, with "to" as parent and the entry
// beside.
func formBody(form map[string]any) map[string]any {
	body := map[string]any{}
	for key, v := range form {
		text := ""
		if values, ok := v.(input.FormValue); ok {
			text = values.Last()
		}
		switch key {
		case "locale", "ids", "level": // of the page
		case "translations":
			body[key] = v
		case "to":
			part := strings.Split(text, " ") // where, parent, beside
			if len(part) != 3 {
				continue
			}
			if body["parent"] = part[1]; part[2] != "" {
				body[part[0]] = part[2]
			}
		default:
			body[key] = text
		}
	}
	return body
}

// moveSeveral moves entries to one place, with their translations if asked. The answer lists those that were
// refused; the others are moved all the same. A form without a place asks for it.
func (h handlers) moveSeveral(c *frame.Call, m *site.Model) (frame.Result, error) {
	if c.IsForm && !c.Form.Has("to") {
		if len(c.Form["ids"]) == 0 {
			return frame.Result{Redirect: ui.ModelPath(m.Slug) + "/tree?ok=none"}, nil
		}
		return h.moveForm(c, m)
	}
	if c.IsForm && c.Form.Has("was") {
		return h.putBack(c)
	}
	body, err := c.Body()
	if err != nil {
		return frame.Result{}, err
	}
	p := cms.Problems{}
	ids := c.BulkIDs(body, p)
	if len(ids) == 0 && len(p) == 0 {
		p.Add("ids", "is required")
	}
	if err := p.Err(); err != nil {
		return frame.Result{}, err
	}
	if c.IsForm {
		body = formBody(body)
	}
	together, err := moving.Trees{Entries: h.entries.Entries}.Together(c.R.Context(), c.Actor(), m.Slug, ids, body)
	if err != nil {
		return frame.Result{}, err
	}
	var spots []moving.Spot
	if c.IsForm { // only browsers are offered to undo it
		if spots, err = together.Spots(c.R.Context()); err != nil {
			return frame.Result{}, err
		}
	}
	result, err := frame.Bulk(together.IDs, ui.ModelPath(m.Slug)+"/tree", func(id string) error {
		return together.Move(c.R.Context(), id)
	})
	if done, ok := result.Data.(frame.Changed); ok && c.IsForm {
		result.Redirect += openedFrom(c)
		result.Undo = undoMoves(c, together.Moved(spots))
		p := cms.Problems{}
		for _, f := range done.Failed {
			p.Add("to", "%s: %s", together.Name(c.R.Context(), f.ID), f.Message)
		}
		if e := frame.AsError(p.Err()); e != nil && result.Undo != nil {
			return h.partOfMove(c, m, e, result.Undo)
		}
		err = cmp.Or(err, p.Err())
	}
	return result, err
}

// partOfMove shows the form again with those that were refused, and offers to take the moves of the others back.
func (h handlers) partOfMove(c *frame.Call, m *site.Model, refused *cms.Error, undo *ui.Undo) (frame.Result, error) {
	page, err := h.movePage(c, m)
	if err != nil {
		return frame.Result{}, err
	}
	page.Form.Refill(c.Form, refused)
	page.Next = []ui.Action{undo.Action()}
	c.R = c.R.Clone(c.R.Context())
	c.R.URL.RawQuery = "ok=some" // the message beside which it stands
	return c.Refused(refused, page), nil
}

// undoMoves puts the entries that were moved back, in the order of spots.
func undoMoves(c *frame.Call, spots []moving.Spot) *ui.Undo {
	if len(spots) == 0 {
		return nil
	}
	raw, _ := cms.Marshal(spots) // texts: this cannot fail
	return &ui.Undo{Href: ui.Base + ui.ModelPath(c.R.PathValue("slug")) + "/tree/move",
		Fields: url.Values{"to": {""}, "was": {string(raw)}, "locale": c.Form["locale"]}}
}

func (h handlers) putBack(c *frame.Call) (frame.Result, error) {
	var was []moving.Spot
	if json.Unmarshal([]byte(c.Form.Get("was")), &was) != nil {
		return frame.Result{}, cms.Problems{"was": {"must be places of entries"}}.Err()
	}
	model, spots := c.R.PathValue("slug"), map[string]moving.Spot{}
	for _, s := range was {
		c.Form.Add("ids", s.ID)
		spots[s.ID] = s
	}
	p := cms.Problems{}
	ids := c.BulkIDs(nil, p)
	if err := p.Err(); err != nil {
		return frame.Result{}, err
	}
	result, err := frame.Bulk(ids, ui.ModelPath(model)+"/tree", func(id string) error {
		return moving.Trees{Entries: h.entries.Entries}.PutBack(c.R.Context(), c.Actor(), model, spots[id],
			func(now *cms.Entry) error {
				if ui.Digest(now.Spot) != ui.Digest(spots[id].Now) {
					return ui.ErrChangedSince
				}
				return nil
			})
	})
	result.Redirect += openedFrom(c)
	return result, err
}

// openedFrom returns the parameters of the page of the tree that shows the entries of a form where they are now.
func openedFrom(c *frame.Call) (params string) {
	if locale := c.Form.Get("locale"); locale != "" {
		params = "&locale=" + url.QueryEscape(locale)
	}
	return params + "&at=" + url.QueryEscape(c.Form.Get("ids"))
}

// moveForm answers with the form that moves the entries of the parameters id or ids.
func (h handlers) moveForm(c *frame.Call, m *site.Model) (frame.Result, error) {
	page, err := h.movePage(c, m)
	if err != nil {
		return frame.Result{}, err
	}
	return frame.Result{Data: page.Form.Fields[0].Options, Page: page}, nil
}

func (h handlers) movePage(c *frame.Call, m *site.Model) (*ui.Page, error) {
	ids := c.R.URL.Query()["id"]
	if c.IsForm {
		ids = append(c.Form["ids"], c.Form["id"]...) // PUT moves one
	}
	if len(ids) == 0 {
		ids = []string{""}
	}
	e, err := h.entries.Get(c, ids[0])
	if err != nil {
		return nil, err
	}
	n := h.nodes(m)
	n.Locale, n.Parent = e.Locale, e.ParentID()
	if params := c.R.URL.Query(); params.Has("parent") {
		n.Parent = params.Get("parent")
	} else if c.Form.Has("level") {
		n.Parent = c.Form.Get("level")
	}
	title := say.F("Move {1}", e.Title)
	if len(ids) > 1 {
		title = say.N(len(ids), "Move {1} entry", "Move {1} entries")
	}
	back := treePath(m) + "?locale=" + url.QueryEscape(e.Locale)
	page := &ui.Page{Title: title, Crumbs: []ui.Link{{Text: say.F("Site: {1}", m.Name), Href: back}}}
	t, nodes, err := opened(c, n)
	to := ui.Field{Name: "to", Label: "To", Kind: "select", Focus: true}
	fields := []ui.Field{ui.Kept("locale", e.Locale)}
	switch {
	case err == nil && t.Whole:
		page.Notice, to.Options = whatMoves(m, t, ids), places(t, ids)
	case err == nil || errors.Is(err, tree.ErrLargeTree):
		fields = append(fields, ui.Kept("level", n.Parent))
		to.Options, err = h.choosePlace(page, c, n, nodes, ids)
	}
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		fields = append(fields, ui.Kept("ids", id))
	}
	if m.Localized && len(c.Site.ActiveCodes()) > 1 {
		fields = append(fields, ui.Field{Name: "translations", Label: "Their translations too", Kind: "checkbox",
			Value: "true",
			Help:  "They move to the same place in their languages, if the entry above has a translation there."})
	}
	page.Form = &ui.Form{Action: treePath(m) + "/move", Method: "POST", Submit: "Move", Cancel: back,
		Fields: append([]ui.Field{to}, fields...)}
	return page, nil
}

// place returns a place beside or below the entry with a title, as formBody reads it.
func place(where, parent, beside, title string, level int) ui.Option {
	words := map[string]say.Text{"before": "{1}Before “{2}”", "below": "{1}Below “{2}”", "after": "{1}After “{2}”"}
	return ui.Option{Value: where + " " + parent + " " + beside,
		Label: say.F(words[where], strings.Repeat("— ", level), title)}
}

// places lists where an entry can go, from the first place to the last: before or after each other entry, or
// below one that has none below it.
func places(t *tree.Tree, moved []string) (list []ui.Option) {
	add := func(where, parent, beside, title string, level int) {
		list = append(list, place(where, parent, beside, title, level))
	}
	var walk func(parent string, level int)
	walk = func(parent string, level int) {
		first := true
		for _, n := range t.Below(parent) {
			if slices.Contains(moved, n.ID) || level > cms.MaxLevels {
				continue
			}
			if first {
				add("before", parent, n.ID, n.Title, level)
				first = false
			}
			was := len(list)
			if walk(n.ID, level+1); len(list) == was && level+1 < cms.MaxLevels {
				add("below", n.ID, "", n.Title, level+1)
			}
			add("after", parent, n.ID, n.Title, level)
		}
	}
	walk("", 0)
	return list
}

// maxNamed is how many addresses the form names.
const maxNamed = 10

// whatMoves says which addresses change if entries get another parent.
func whatMoves(m *site.Model, t *tree.Tree, ids []string) say.Text {
	above := map[string][]string{"": nil} // slugs, by id of the entry above
	var paths []string
	inside := map[string]bool{}
	t.Walk("", func(n *tree.Node, _ int) bool {
		place := n.Place(n.ID)
		place.Above = above[n.Parent]
		above[n.ID] = append(place.Above[:len(place.Above):len(place.Above)], n.Slug)
		inside[n.ID] = slices.Contains(ids, n.ID) || inside[n.Parent]
		if path := m.PathOf(place); inside[n.ID] && n.Status == cms.StatusPublished && path != "" && m.HasPath() {
			paths = append(paths, path)
		}
		return true
	})
	switch n := len(paths); {
	case n == 0:
		return "No published address changes."
	case n > maxNamed:
		return say.F("Below another entry, {1} addresses change. The former ones will lead to them: {2} and {3} more",
			n, strings.Join(paths[:maxNamed], ", "), n-maxNamed)
	default:
		return say.N(n, "Below another entry, one address changes. The former one will lead to it: {2}",
			"Below another entry, {1} addresses change. The former ones will lead to them: {2}", strings.Join(paths,
				", "))
	}
}
