package oracle_test

import (
	"slices"
	"time"
)

// release publishes and unpublishes entries together.
type release struct {
	id      string
	at      time.Time
	by      *person // who made it
	items   []item
	done    map[string]bool // by id of the entry
	changes []change        // that can be taken back
}

// changed reports whether a release changed an entry; r may be nil.
func (r *release) changed(e *entry) bool {
	return r != nil && slices.ContainsFunc(r.changes, func(c change) bool { return c.after.id == e.id })
}

type item struct{ id, action, children string }

// outcome has the reasons why items of a release are refused or, if none is, their changes.
type outcome struct {
	problems map[string]refusals
	changes  []change
}

// release publishes and unpublishes entries one after another, unless there are problems.
func (s *site) release(r *release) outcome {
	after, o := s.clone(), outcome{problems: map[string]refusals{}}
	items := slices.DeleteFunc(slices.Clone(r.items), func(it item) bool { return r.done[it.id] })
	for i, it := range items {
		var why refusals
		leaves := func(e *entry, children string) bool {
			return slices.ContainsFunc(items[i:], func(o item) bool {
				return o.id == e.id && o.action == "unpublish" && (children == "" || o.children == children)
			})
		}
		switch e := after.byID(it.id); {
		case e == nil:
			why = refusals{"ENTRY_NOT_FOUND"}
		case it.action == "publish":
			why = after.publish(e, false)
		default:
			children := it.children
			if children == "" && !slices.ContainsFunc(after.below(e, false), func(b *entry) bool {
				return b.public() && !leaves(b, "") && !slices.ContainsFunc(after.above(b), func(a *entry) bool {
					return a != e && a.public() && leaves(a, "down")
				})
			}) {
				children = "down" // they leave too
			}
			why = after.takeOut(e, children)
		}
		if len(why) > 0 {
			o.problems[it.id] = why
		}
	}
	if len(o.problems) == 0 {
		o.changes = after.made[len(s.made):]
		*s = *after
	}
	return o
}

func (w *world) release() {
	r, items := &release{by: w.by}, list{}
	e, action := w.choose(live), pick(w, "publish", "unpublish")
	for range 1 + w.random.IntN(4) {
		if near := w.choose(live, w.site.near(e)); near != nil && w.chance(60) {
			e = near
		} else {
			e = w.choose(live)
		}
		it := item{action: action}
		if w.chance(30) {
			it.action = pick(w, "publish", "unpublish")
		}
		if slices.ContainsFunc(r.items, func(o item) bool { return o.id == e.id }) {
			continue
		}
		sent := obj{"model": e.m.slug, "id": e.id, "action": it.action}
		if e.m.tree && it.action == "unpublish" && w.chance(50) {
			it.children = pick(w, "up", "down")
			sent["children"] = it.children
		}
		it.id = e.id
		r.items, items = append(r.items, it), append(items, sent)
	}
	if w.chance(50) {
		r.at = w.minute(1)
	}
	r.id = w.do("POST /admin/releases", obj{"name": "Release", "items": items, "publish_at": stamp(r.at)}).
		get("data.id").(string)
	ahead := w.site.clone()
	o := ahead.release(r)
	w.compareProblems("the check", w.do("POST /admin/releases/"+r.id+"/check", nil).get("data"), o.problems)
	if len(o.problems) == 0 {
		w.preview(ahead, obj{"release": r.id})
	}
	if !r.at.IsZero() {
		w.planned = append(w.planned, r)
		return
	}
	w.publishRelease(r)
}

// near returns which entries stand above or below one or are its translations.
func (s *site) near(e *entry) func(*entry) bool {
	return func(o *entry) bool {
		return o != e && (o.parent == e.id || e.parent == o.id || o.group == e.group && e.group != 0)
	}
}

func (w *world) publishRelease(r *release) {
	w.do("POST /admin/releases/"+r.id+"/publish", nil)
	w.site.by = []*person{r.by, w.by}
	o := w.site.release(r)
	w.as(w.by)
	w.wait(1)
	w.checkRelease(r, o)
}

// checkRelease compares a release that was published.
func (w *world) checkRelease(r *release, o outcome) {
	a, status := w.do("GET /admin/releases/"+r.id, nil), "published"
	if len(o.problems) > 0 {
		status = "failed"
		w.compareProblems("the release", a.get("data.problems"), o.problems)
	}
	want("the status of a release", a.get("data.status"), status)
	if r.changes = o.changes; len(r.changes) > 0 {
		w.released = r
	}
}

// compareProblems compares the entries that a release or a job cannot change.
func (w *world) compareProblems(what string, got any, problems map[string]refusals) {
	found := map[string]bool{}
	for _, p := range got.(list) {
		id, code := dig(p, "id").(string), dig(p, "code").(string)
		switch {
		case problems[id] == nil && code == "IN_USE" && len(problems) > 0: // were it not for the other problems
		case problems[id] == nil || !isOneOf(code, problems[id]):
			fail("%s: %s for %s, want %v", what, code, id, problems[id])
		default:
			found[id] = true
		}
	}
	want(what+": how many problems", len(found), len(problems))
}
