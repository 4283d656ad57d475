package oracle_test

import (
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"
)

// release publishes and unpublishes entries together.
type release struct {
	id    string
	at    time.Time
	items []item
}

type item struct{ id, action string }

// job is a job that changed entries.
type job struct {
	id, action, model string
	before, after     []entry
}

// minute reserves a whole minute in the future at which nothing else is planned.
func (w *world) minute(from int) time.Time {
	at := time.Now().Truncate(time.Minute).Add(time.Duration(from+w.random.IntN(20)) * time.Minute)
	for w.reserved[at.Unix()] {
		at = at.Add(time.Minute)
	}
	w.reserved[at.Unix()] = true
	return at
}

func (w *world) plan(e *entry) {
	p, body := plan{}, obj{}
	if w.chance(70) {
		p.publish = w.minute(1)
		body["publish_at"] = stamp(p.publish)
	}
	if p.publish.IsZero() || w.chance(40) {
		for p.unpublish = w.minute(1); !p.unpublish.After(p.publish); {
			p.unpublish = w.minute(20)
		}
		body["unpublish_at"] = stamp(p.unpublish)
		if e.m.tree && w.chance(50) {
			p.children = pick(w, "up", "down")
			body["children"] = p.children
		}
	}
	w.do("PUT "+e.path()+"/schedule", body)
	e.plan = p
}

// stamp is a time as the service writes it, nil if it is zero.
func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// wait waits some minutes, at each of which plans are carried out.
func (w *world) wait(minutes int) {
	w.history = append(w.history, fmt.Sprint("wait ", minutes))
	for range minutes {
		at := time.Now().Truncate(time.Minute).Add(time.Minute)
		time.Sleep(time.Until(at.Add(30 * time.Second)))
		w.fire(w.site, at, w.checkRelease)
	}
}

// fire carries out the plans for a time, and reports whether all succeeded. It calls ended with the problems of
// a release.
func (w *world) fire(s *site, at time.Time, ended func(release, map[string]refusals)) bool {
	ok := true
	for _, e := range s.find(live) {
		var why refusals
		switch {
		case e.plan.publish.Equal(at):
			e.plan.publish = time.Time{}
			why = s.publish(e, false)
		case e.plan.unpublish.Equal(at):
			e.plan.unpublish = time.Time{}
			why = s.takeOut(e, e.plan.children)
		}
		if len(why) > 0 {
			e.plan.failed, ok = strings.Join(why, " "), false
		}
	}
	for _, r := range w.planned {
		if r.at.Equal(at) {
			problems := s.release(r.items)
			ended(r, problems)
			ok = ok && len(problems) == 0
		}
	}
	return ok
}

// release publishes and unpublishes entries one after another, unless there are problems.
func (s *site) release(items []item) (problems map[string]refusals) {
	after := s.clone()
	problems = map[string]refusals{}
	for i, it := range items {
		var why refusals
		stays := func(b *entry) bool { return b.public() && !slices.Contains(items[i:], item{b.id, "unpublish"}) }
		switch e := after.byID(it.id); {
		case e == nil:
			why = refusals{"ENTRY_NOT_FOUND"}
		case it.action == "publish":
			why = after.publish(e, false)
		case e.public() && !slices.ContainsFunc(after.below(e, false), stays):
			next := *e // those below leave too
			unpublish(&next)
			after.save(next)
		default:
			why = after.takeOut(e, "")
		}
		if len(why) > 0 {
			problems[it.id] = why
		}
	}
	if len(problems) == 0 {
		*s = *after
	}
	return problems
}

func (w *world) release() {
	r, items := release{}, list{}
	for range 1 + w.random.IntN(4) {
		e, action := w.choose(live), pick(w, "publish", "unpublish")
		if !slices.ContainsFunc(r.items, func(o item) bool { return o.id == e.id }) {
			r.items = append(r.items, item{e.id, action})
			items = append(items, obj{"model": e.m.slug, "id": e.id, "action": action})
		}
	}
	if w.chance(50) {
		r.at = w.minute(1)
	}
	r.id = w.do("POST /admin/releases", obj{"name": "Release", "items": items, "publish_at": stamp(r.at)}).
		get("data.id").(string)
	ahead := w.site.clone()
	problems := ahead.release(r.items)
	w.compareProblems("the check", w.do("POST /admin/releases/"+r.id+"/check", nil).get("data"), problems)
	if len(problems) == 0 {
		w.preview(ahead, obj{"release": r.id})
	}
	if !r.at.IsZero() {
		w.planned = append(w.planned, r)
		return
	}
	w.do("POST /admin/releases/"+r.id+"/publish", nil)
	w.site.release(r.items)
	w.wait(1)
	w.checkRelease(r, problems)
}

// checkRelease compares a release that was published.
func (w *world) checkRelease(r release, problems map[string]refusals) {
	a, status := w.do("GET /admin/releases/"+r.id, nil), "published"
	if len(problems) > 0 {
		status = "failed"
		w.compareProblems("the release", a.get("data.problems"), problems)
	}
	want("the status of a release", a.get("data.status"), status)
}

// compareProblems compares the entries that a release or a job cannot change.
func (w *world) compareProblems(what string, got any, problems map[string]refusals) {
	found := 0
	for _, p := range got.(list) {
		id, code := dig(p, "id").(string), dig(p, "code").(string)
		switch {
		case problems[id] == nil && code == "IN_USE" && len(problems) > 0: // were it not for the other problems
		case problems[id] == nil || !isOneOf(code, problems[id]):
			fail("%s: %s for %s, want %v", what, code, id, problems[id])
		default:
			found++
		}
	}
	want(what+": how many problems", found, len(problems))
}

var actions = map[string]func(s *site, e *entry, children string) refusals{
	"publish":   func(s *site, e *entry, _ string) refusals { return s.publish(e, false) },
	"unpublish": func(s *site, e *entry, children string) refusals { return s.takeOut(e, children) },
	"archive": func(s *site, e *entry, children string) refusals {
		if e.status == "archived" {
			return nil
		}
		return s.change(e, children, func(e *entry) { e.status = "archived" })
	},
	"delete": func(s *site, e *entry, children string) refusals { return s.change(e, children, trash) },
	"set": func(s *site, e *entry, _ string) refusals {
		return s.change(e, "", func(e *entry) { e.take(setting) })
	},
}

var setting = obj{"data": obj{"n": 3.0}}

func (w *world) runJob() {
	m := pick(w, models...)
	j := &job{action: pick(w, slices.Sorted(maps.Keys(actions))...), model: m.slug}
	body, problems := obj{"action": j.action, "model": m.slug}, map[string]refusals{}
	children := ""
	if m.tree && j.action != "publish" && j.action != "set" && w.chance(50) {
		children = pick(w, "up", "down")
		body["children"] = children
	}
	var ids list
	for range 1 + w.random.IntN(3) {
		e := w.choose(live, of(m, ""))
		if e == nil || slices.Contains(ids, any(e.id)) {
			continue
		}
		ids = append(ids, e.id)
		before := *e
		if why := actions[j.action](w.site, e, children); len(why) > 0 {
			problems[e.id] = why
		} else if e.version != before.version {
			j.before, j.after = append(j.before, before), append(j.after, *e)
		}
	}
	if len(ids) == 0 {
		return
	}
	body["ids"] = ids
	if j.action == "set" {
		body["set"] = setting
	}
	if j.id = w.work(body, problems); children == "" {
		w.job = j
	}
}

// work runs a job.
func (w *world) work(body obj, problems map[string]refusals) (id string) {
	id = w.do("POST /admin/jobs", body).get("data.id").(string)
	w.wait(1)
	a := w.do("GET /admin/jobs/"+id, nil)
	want("the status of a job", a.get("data.status"), "done")
	w.compareProblems("the job", a.get("data.failed"), problems)
	return id
}

// undo takes the last job back if nobody has changed its entries since.
func (w *world) undo() {
	j := w.job
	if w.job = nil; j == nil || len(j.before) == 0 {
		return
	}
	stored := map[string]*entry{}
	for _, e := range w.site.entries {
		stored[e.id] = e
	}
	for _, was := range j.after {
		if e := stored[was.id]; e == nil || e.version != was.version || e.drafts != was.drafts {
			return
		}
	}
	problems := map[string]refusals{}
	for _, before := range slices.Backward(j.before) {
		e := stored[before.id]
		back := func(e *entry) { e.content, e.status = before.content, before.status }
		var why refusals
		switch j.action {
		case "delete":
			why = w.site.restore(e)
		case "publish":
			for _, name := range relations { // the references stood there before
				e.content = e.content.with(obj{"data": obj{name: before.data[name]}})
			}
			if why = w.site.change(e, "", back); len(why) == 0 {
				if e.publishedAt = before.publishedAt; e.publishedAt == "" { // as if it was never public
					for _, had := range w.addresses {
						delete(had, e.id)
					}
				}
				if changes := before.content.changes(before.laid()); changes != nil {
					e.draft = &draft{changes, e.content}
				}
			}
		default:
			why = w.site.change(e, "", back)
		}
		if len(why) > 0 {
			problems[e.id] = why
		}
	}
	w.work(obj{"action": "revert", "model": j.model, "of": j.id}, problems)
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

// preview compares the answers of a preview with the site as it should be then.
func (w *world) preview(ahead *site, of obj) {
	a := w.do("POST /admin/previews", of)
	if of["drafts"] == nil {
		want("problems of a preview", a.get("data.problems"), list{})
	}
	w.checkPublic(ahead, url.QueryEscape(a.get("data.token").(string)))
}

// previewTime previews the site at a time.
func (w *world) previewTime() {
	ahead, at := w.site.clone(), time.Now().Truncate(time.Minute)
	for range 1 + w.random.IntN(15) {
		at = at.Add(time.Minute)
		if !w.fire(ahead, at, func(release, map[string]refusals) {}) {
			return // a preview shows a failing plan as if it went through
		}
	}
	w.preview(ahead, obj{"at": stamp(at)})
}

// previewDrafts previews the site with all drafts published.
func (w *world) previewDrafts() {
	ahead := w.site.clone()
	for _, e := range ahead.find(live, func(e *entry) bool { return e.status != "archived" }) {
		if e.draft != nil && e.draft.sets("kind") {
			return // which other entries would get
		}
		e.content, e.status = e.laid(), "published"
	}
	for _, e := range ahead.find(live) {
		if len(ahead.taken(e)) > 0 {
			return // not all can be published
		}
	}
	w.preview(ahead, obj{"drafts": true})
}
