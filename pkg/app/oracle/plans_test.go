package oracle_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
)

// job is a job that changed entries.
type job struct {
	id, action, model string
	changes           []change
}

// minute reserves a whole minute in the future at which nothing else is planned.
func (w *world) minute(from int) time.Time {
	at := time.Now().Truncate(tick()).Add(time.Duration(from+w.random.IntN(20)) * tick())
	for w.reserved[at.Unix()] {
		at = at.Add(tick())
	}
	w.reserved[at.Unix()] = true
	return at
}

func (w *world) plan(e *entry) {
	p, body := plan{by: w.by}, obj{}
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
		at := time.Now().Truncate(tick()).Add(tick())
		if time.Since(w.polled) > time.Minute { // repeats took long; the listener shall not end meanwhile
			w.poll()
		}
		w.faults.pass(at)
		time.Sleep(time.Until(at.Add(tick() / 2)))
		w.fire(w.site, at, w.checkRelease)
		w.hear()
		w.checkPaths()
	}
}

// fire carries out the plans for a time, and reports whether all succeeded. It calls ended with the outcome of a
// release.
func (w *world) fire(s *site, at time.Time, ended func(*release, outcome)) bool {
	ok, by := true, s.by
	defer func() { s.by = by }()
	for _, e := range s.find(live) {
		var why refusals
		s.by = []*person{e.plan.by}
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
			s.raise("entry.schedule_failed", e)
		}
	}
	for _, r := range w.planned {
		if r.at.Equal(at) {
			s.by = []*person{r.by, r.by}
			o := s.release(r)
			ended(r, o)
			ok = ok && len(o.problems) == 0
		}
	}
	return ok
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
	made := len(w.site.made)
	var ids list
	for range 1 + w.random.IntN(3) {
		e := w.choose(live, of(m, ""))
		if e == nil || slices.Contains(ids, any(e.id)) {
			continue
		}
		ids = append(ids, e.id)
		if why := actions[j.action](w.site, e, children); len(why) > 0 {
			problems[e.id] = why
		}
	}
	if len(ids) == 0 {
		return
	}
	body["ids"] = ids
	if j.action == "set" {
		body["set"] = setting
	}
	for _, c := range w.site.made[made:] {
		if !c.moves() { // those that moved up stay where they are
			j.changes = append(j.changes, c)
		}
	}
	j.id = w.work(w.do("POST /admin/jobs", body), problems)
	w.job = j
}

// work waits for a job to end.
func (w *world) work(started answer, problems map[string]refusals) (id string) {
	id = started.get("data.id").(string)
	w.wait(1)
	a := w.do("GET /admin/jobs/"+id, nil)
	want("the status of a job", a.get("data.status"), "done")
	w.compareProblems("the job", a.get("data.failed"), problems)
	return id
}

// preview compares the answers of a preview with the site as it should be then.
func (w *world) preview(ahead *site, of obj) {
	a := w.do("POST /admin/previews", of)
	if of["drafts"] == nil {
		want("problems of a preview", a.get("data.problems"), list{})
	}
	w.reader = pick(w, w.readers...)
	w.checkPublic(ahead, url.QueryEscape(a.get("data.token").(string)))
	w.reader = w.readers[0]
}

// previewTime previews the site at a time.
func (w *world) previewTime() {
	ahead, at := w.site.clone(), time.Now().Truncate(tick())
	for range 1 + w.random.IntN(15) {
		at = at.Add(tick())
		if !w.fire(ahead, at, func(*release, outcome) {}) {
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
