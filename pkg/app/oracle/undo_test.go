package oracle_test

import (
	"maps"
	"reflect"
	"slices"
)

// undoJob takes the last job back, which may have taken another one back, if nobody has changed its entries since.
func (w *world) undoJob() {
	j := w.job
	if w.job = nil; j == nil || len(j.changes) == 0 {
		return
	}
	stored := map[string]*entry{}
	for _, e := range w.site.entries {
		stored[e.id] = e
	}
	for _, c := range j.changes {
		if e := stored[c.after.id]; e == nil || e.version != c.after.version || e.drafts != c.after.drafts {
			return
		}
	}
	problems, made, action := map[string]refusals{}, len(w.site.made), "revert"
	for _, c := range slices.Backward(j.changes) {
		e := stored[c.after.id]
		var why refusals
		switch ofStatus := c.before.status != c.after.status && c.before.content.equal(c.after.content); {
		case j.action == "delete":
			why, action = w.site.restore(e), "restore"
		case j.action == "restore":
			why, action = w.site.change(e, "", trash), "delete"
		case j.action == "publish", ofStatus:
			why = w.takeBack(c)
		default:
			why = w.site.change(e, "", func(e *entry) { e.content, e.status = c.before.content, c.before.status })
		}
		if len(why) > 0 {
			problems[e.id] = why
		}
	}
	undo := &job{action: action, model: j.model, changes: w.site.made[made:]}
	undo.id = w.work(w.do("POST /admin/jobs", obj{"action": "revert", "model": j.model, "of": j.id}), problems)
	w.job = undo
}

// undoRelease takes the last release back, and may publish it again.
func (w *world) undoRelease() {
	r := w.released
	if w.released = nil; r == nil {
		return
	}
	problems := map[string]refusals{}
	left := slices.Clone(r.changes)
	slices.Reverse(left)
	for n := -1; n != len(left); { // an entry may have to wait for others below it
		n = len(left)
		clear(problems)
		left = slices.DeleteFunc(left, func(c change) bool {
			if problems[c.after.id] != nil { // its later change is left
				return false
			}
			why := w.takeBack(c)
			if len(why) > 0 {
				problems[c.after.id] = why
			}
			return len(why) == 0
		})
	}
	w.work(w.do("POST /admin/releases/"+r.id+"/undo", nil), problems)
	a := w.do("GET /admin/releases/"+r.id, nil)
	want("a release that was taken back", []any{a.get("data.status"), a.get("data.published_at")}, []any{"open", nil})
	r.done = map[string]bool{}
	for id := range problems {
		r.done[id] = true
	}
	if r.changes = nil; w.chance(50) {
		w.publishRelease(r)
	}
}

// takeBack gives an entry back what it had before a change, unless it was changed since. What the change published is a
// draft again.
func (w *world) takeBack(c change) refusals {
	e := w.site.byID(c.after.id)
	if e == nil {
		return refusals{"ENTRY_NOT_FOUND"}
	}
	if !e.content.equal(c.after.content) || e.status != c.after.status || e.locale != c.after.locale ||
		e.draft != nil && e.drafts != c.after.drafts {
		return refusals{"CONFLICT"}
	}
	next := *e
	next.content, next.status = c.before.content, c.before.status
	if c.moves() {
		if !e.standsAs(&c.after) {
			return refusals{"CONFLICT"}
		}
		next.parent, next.position = c.before.parent, c.before.position
	}
	known := *e // the references stood there before
	known.content = known.content.with(obj{"data": obj{}})
	for _, name := range relations {
		known.data[name] = c.before.data[name]
	}
	if w.site.missesIn(e, next.content) {
		return refusals{"VALIDATION_FAILED"}
	}
	if why := w.site.check(&known, &next); len(why) > 0 {
		return why
	}
	w.site.save(next)
	if e.publishedAt = c.before.publishedAt; e.publishedAt == "" { // as if it was never public
		for _, had := range w.addresses {
			delete(had, e.id)
		}
	}
	if changes := e.content.changes(c.after.content); changes != nil {
		w.site.setDraft(e, &draft{changes, e.content})
	}
	return nil
}

// changes is the body that changes content to another one, nil if they are the same.
func (c content) changes(to content) obj {
	if c.equal(to) {
		return nil
	}
	data := obj{}
	for name := range c.data {
		data[name] = nil
	}
	maps.Copy(data, to.data)
	maps.DeleteFunc(data, func(name string, v any) bool { return reflect.DeepEqual(v, c.data[name]) })
	body := obj{"data": data}
	if to.title != c.title {
		body["title"] = to.title
	}
	if to.slug != c.slug {
		body["slug"] = to.slug
	}
	return body
}
