package oracle_test

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"
)

// world is the service and the site as it should be.
type world struct {
	*service
	reader   *reader // who makes public reads
	site     *site
	number   int            // of the step
	random   *rand.Rand     // of the step
	reserved map[int64]bool // minutes at which something is planned
	planned  []*release
	notes    *notebook
	job      *job     // the last one, until it is taken back
	released *release // the last one that changed something, until it is taken back

	walk      *walk
	paths     map[string]string            // addresses of public entries by id, as the events say
	heard     string                       // the id of the last delivery to the listener
	polled    time.Time                    // when the listener was asked last
	tags      map[string]tagged            // by id of the entry
	synced    map[string]obj               // by id
	token     string                       // of the next page of changes
	addresses map[string]map[string]string // the ids of entries that were public there, and of those above them then
}

// words are titles, slugs and values: so few that they are often taken.
var words = strings.Fields("alpha bravo x yankee home")

func (w *world) chance(percent int) bool { return w.random.IntN(100) < percent }

func pick[T any](w *world, all ...T) T { return all[w.random.IntN(len(all))] }

// choose returns one of the entries for which all conditions hold, nil if there are none. It is the same one where some
// of the others are missing, so that a history from which steps are left out goes on as before.
func (w *world) choose(conditions ...func(*entry) bool) (chosen *entry) {
	salt, best := w.random.Uint64(), uint64(0)
	for _, e := range w.site.find(conditions...) {
		h := fnv.New64a()
		fmt.Fprint(h, salt, e.step)
		if sum := h.Sum64(); chosen == nil || sum < best {
			chosen, best = e, sum
		}
	}
	return chosen
}

// anyID is the id of an entry of a model, "" if there is none.
func (w *world) anyID(model string) string {
	if e := w.choose(live, func(e *entry) bool { return e.m.slug == model }); e != nil {
		return e.id
	}
	return ""
}

// data is random values: with the required one if all is set, else with some null.
func (w *world) data(all bool) obj {
	values := obj{"n": float64(w.random.IntN(4)), "kind": pick(w, "x", "y", "z"), "code": fmt.Sprint(w.random.IntN(12)),
		"body": pick(w, words...), "author": nil, "others": nil}
	if id := w.anyID("authors"); id != "" {
		values["author"] = id
	}
	var others list
	for _, model := range []string{"posts", "pages"} {
		if id := w.anyID(model); id != "" && w.chance(60) {
			others = append(others, obj{"model": model, "id": id})
			values["body"] = fmt.Sprintf("%s [it](cms://entry/%s)", values["body"], id)
			values["others"] = others
		}
	}
	data := obj{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch {
		case w.chance(30) && (values[name] != nil || !all):
			data[name] = values[name]
		case w.chance(7) && !all:
			data[name] = nil
		}
	}
	if all || w.chance(10) {
		data["need"] = pick(w, words...)
	} else if w.chance(5) {
		data["need"] = nil
	}
	return data
}

// body is a random body. It has title, slug and status with some chances.
func (w *world) body(data obj, title, slug, status int) obj {
	body := obj{"data": data}
	if w.chance(title) {
		body["title"] = pick(w, words...)
	}
	if w.chance(slug) {
		body["slug"] = pick(w, words...)
	}
	if w.chance(status) {
		body["status"] = pick(w, "published", "published", "draft", "archived")
	}
	return body
}

func (e *entry) path() string { return "/api/v1/" + e.m.slug + "/" + e.id }

func (e *entry) adminPath() string { return "/admin/models/" + e.m.slug + "/entries/" + e.id }

// step makes a random change on both sides.
func (w *world) step() {
	if w.chance(30) {
		w.as(pick(w, w.people...))
	}
	kind, e := w.random.IntN(125), w.choose(live)
	if byKey := kind < 21 || kind >= 23 && kind < 66 || kind >= 75 && kind < 82; byKey && w.chance(10) {
		w.as(w.asked)
	}
	switch {
	case kind < 21 || e == nil:
		w.create()
	case kind < 23:
		w.duplicate(e)
	case kind < 36:
		w.put(e)
	case kind < 46:
		w.saveDraft(e)
	case kind < 49:
		w.do("DELETE "+e.path()+"/draft", nil, w.site.discard(e)...)
	case kind < 57:
		force := w.chance(50)
		w.do("POST "+e.path()+"/publish", obj{"force": force}, w.site.publish(e, force)...)
	case kind < 61:
		w.leave(e, "POST "+e.path()+"/unpublish", unpublish)
	case kind < 64:
		w.leave(e, "DELETE "+e.path(), trash)
	case kind < 66:
		w.do("DELETE "+e.path()+"?if_unused=true", nil, w.site.deleteUnused(e)...)
	case kind < 71:
		w.fromTrash(w.choose(trashed))
	case kind < 75:
		w.restoreRevision(e)
	case kind < 82:
		w.plan(e)
	case kind < 84 && e.m.tree:
		w.move(e)
	case kind < 86 && e.m.tree:
		w.moveBeside(e)
	case kind < 90:
		switch kind := w.random.IntN(10); {
		case kind < 5:
			if w.runJob(); w.chance(30) {
				w.undoJob()
			}
		case kind < 7:
			w.replaceLinks()
		default:
			w.replaceText()
		}
	case kind < 91:
		if w.undoJob(); w.chance(50) {
			w.undoJob()
		}
	case kind < 92:
		w.undoRelease()
	case kind < 95:
		w.release()
		if e := w.choose(live, w.released.changed); e != nil && w.chance(20) {
			w.review(e)
		}
		if w.chance(40) {
			w.undoRelease()
		}
	case kind < 96:
		w.arrange()
	case kind < 97:
		w.redirect()
	case kind < 98:
		w.roundTrip()
	case kind < 107:
		w.review(e)
	case kind < 108:
		w.muzzle()
	case kind < 113:
		for range w.random.IntN(8) {
			w.as(pick(w, append(w.people, nil)...))
			switch kind := w.random.IntN(10); {
			case kind < 4:
				w.saveView()
			case kind < 7:
				w.saveNote()
			default:
				w.redefine()
			}
		}
	case kind < 119:
		w.wait(1 + w.random.IntN(6))
	case *races:
		w.together(e)
	}
}

func (w *world) create() {
	e := entry{step: w.number, m: pick(w, models[0], models[1], models[1], models[2], models[2], models[2]),
		locale: locales[0], status: "draft"}
	body := w.body(w.data(true), 100, 25, 100)
	if e.m.localized && w.chance(60) {
		e.locale = pick(w, locales...)
		body["locale"] = e.locale
	}
	e.take(body)
	var why refusals
	if original := w.choose(live, of(e.m, "")); original != nil && e.m.localized && w.chance(40) {
		body["translation_of"] = original.id
		why = w.site.join(&e, original, body)
		e.position = original.position
		if above := w.site.above(original); len(above) > 0 {
			if p := w.site.member(above[0], e.locale); p != nil {
				e.parent = p.id
			}
		}
	}
	if p := w.choose(live, of(e.m, e.locale)); p != nil && e.m.tree && w.chance(60) {
		e.parent, e.position = p.id, 0
		body["parent"] = p.id
	}
	if e.slug == "" {
		e.slug = w.site.free(e, e.title)
	}
	why = combined(why, w.site.judge(nil, &e))
	if a := w.do("POST /api/v1/"+e.m.slug, body, why...); len(why) == 0 {
		e.id = a.get("data.id").(string)
		w.site.save(e)
	}
}

// duplicate copies an entry without its draft.
func (w *world) duplicate(e *entry) {
	body, made := obj{}, *e
	made.step, made.id, made.status, made.version = w.number, "", "draft", 0
	made.group, made.draft, made.drafts, made.plan, made.publishedAt, made.review = 0, nil, 0, plan{}, "", nil
	made.content = e.content.with(obj{"data": obj{"code": nil}})
	of := e.slug
	if w.chance(40) {
		made.title = pick(w, words...)
		of, body["title"] = made.title, made.title
	}
	if e.m.localized && w.chance(40) {
		made.locale = pick(w, locales...)
		body["locale"] = made.locale
	}
	if made.parent != "" && !w.site.mayStand(&made, made.parent) {
		made.parent = ""
	}
	if w.site.missesIn(&entry{}, made.content) { // came back from the trash after what it refers to was deleted
		w.do("POST "+e.adminPath()+"/duplicate", body, "VALIDATION_FAILED")
		return
	}
	made.slug = w.site.free(made, of)
	made.id = w.do("POST "+e.adminPath()+"/duplicate", body).get("data.id").(string)
	w.site.save(made)
}

// take gives an entry the values of a body.
func (e *entry) take(body obj) {
	e.content = e.content.with(body)
	if status, ok := body["status"].(string); ok {
		e.status = status
	}
}

// combined returns the refusals of a change that may be refused for its group and for itself. Invalid values come
// first.
func combined(group, itself refusals) refusals {
	if len(group) == 0 || slices.Contains(itself, "VALIDATION_FAILED") {
		return itself
	}
	if slices.Contains(itself, "IN_USE") {
		return append(group, "IN_USE")
	}
	return group
}

// tagged is the entity tag of a version of an entry.
type tagged struct {
	tag     string
	version int
}

func (w *world) put(e *entry) {
	switch tag, ok := w.tags[e.id]; {
	case w.by != nil || w.chance(60):
	case !ok || w.chance(30):
		w.tags[e.id] = tagged{w.do("GET "+e.path(), nil).tag, e.version}
	case tag.version != e.version:
		w.match = tag.tag
		w.do("PUT "+e.path(), obj{"title": "alpha"}, "PRECONDITION_FAILED")
	default:
		w.match = tag.tag
	}
	body, next := w.body(w.data(false), 20, 25, 25), *e
	if e.m.localized && w.chance(5) {
		next.locale = pick(w, locales...)
		body["locale"] = next.locale
	}
	next.take(body)
	var why refusals
	if e.m.localized && w.chance(15) {
		original := w.choose(live, of(e.m, ""), func(o *entry) bool { return o.id != e.id })
		if body["translation_of"] = nil; original != nil && w.chance(70) {
			body["translation_of"] = original.id
		} else {
			original = nil
		}
		why = w.site.join(&next, original, body)
	} else if o := w.site.member(&next, next.locale); o != nil && o.id != e.id {
		why = refusals{"CONFLICT"}
	}
	if e.m.tree && w.chance(20) {
		body["parent"], next.parent = nil, ""
		if p := w.choose(live, of(e.m, "")); p != nil && w.chance(70) {
			body["parent"], next.parent = p.id, p.id
		}
	}
	children := ""
	if e.m.tree && w.chance(25) {
		children = "up"
	}
	if len(why) > 0 {
		why = combined(why, w.site.judge(e, &next))
	} else {
		why = w.site.change(e, children, func(e *entry) { *e = next })
	}
	w.do("PUT "+e.path()+asking(children), body, why...)
}

// asking is the query of a change with the fate of the entries below: "up", "down" or none.
func asking(children string) string {
	if children == "" {
		return ""
	}
	return "?children=" + children
}

func (w *world) saveDraft(e *entry) {
	body := w.body(w.data(false), 30, 30, 0)
	w.do("PUT "+e.path()+"/draft", body, w.site.saveDraft(e, body)...)
}

// restoreRevision gives an entry the content of a revision, or the draft of one.
func (w *world) restoreRevision(e *entry) {
	if w.chance(50) && e.drafts > 0 {
		number := 1 + w.random.IntN(e.drafts)
		d, now := e.draftRevisions[number], &entry{}
		if e.draft != nil {
			now.content = content{}.with(e.draft.changes)
		}
		if w.site.missesIn(now, content{}.with(d.changes)) {
			w.do(fmt.Sprintf("POST %s/revisions/d%d/restore", e.adminPath(), number), nil, "VALIDATION_FAILED")
			return
		}
		w.do(fmt.Sprintf("POST %s/revisions/d%d/restore", e.adminPath(), number), nil)
		w.site.setDraft(e, d)
		e.plan.failed = ""
		return
	}
	version := 1 + w.random.IntN(e.version)
	w.do(fmt.Sprintf("POST %s/revisions/%d/restore", e.adminPath(), version), nil,
		w.site.revert(e, e.revisions[version].content)...)
}

// leave takes an entry out of the public or deletes it.
func (w *world) leave(e *entry, call string, edit func(*entry)) {
	children := ""
	if e.m.tree {
		children = pick(w, "", "", "up", "down")
	}
	if a := w.do(call+asking(children), nil, w.site.change(e, children, edit)...); a.status == http.StatusAccepted {
		w.wait(1)
	}
}

// fromTrash restores an entry or deletes it for good.
func (w *world) fromTrash(e *entry) {
	switch {
	case e == nil:
	case w.chance(80):
		w.do("POST /admin/trash/"+e.id+"/restore", nil, w.site.restore(e)...)
	default:
		w.do("DELETE /admin/trash/"+e.id, nil)
		w.site.entries = slices.DeleteFunc(w.site.entries, func(o *entry) bool { return o == e })
		for _, had := range w.addresses { // those that led through it lead nowhere
			maps.DeleteFunc(had, func(_, above string) bool { return strings.Contains(above, e.id) })
		}
	}
}

// moveBeside puts an entry before or after another one.
func (w *world) moveBeside(e *entry) {
	o := w.choose(live, of(e.m, e.locale), func(o *entry) bool { return o.id != e.id })
	if o == nil {
		return
	}
	where, next, why := pick(w, "before", "after"), *e, refusals(nil)
	if next.parent = o.parent; o.parent != "" && o.parent != e.parent && !w.site.mayStand(e, o.parent) {
		why = refusals{"VALIDATION_FAILED"}
	}
	a := w.do("PUT /admin/models/"+e.m.slug+"/tree", obj{"id": e.id, "parent": orNil(o.parent), where: o.id}, why...)
	if len(why) > 0 {
		return
	}
	beside := w.site.find(live, of(e.m, e.locale), func(b *entry) bool { return b.parent == o.parent && b.id != e.id })
	slices.SortFunc(beside, inTree)
	at := slices.Index(beside, o)
	if where == "after" {
		at++
	}
	next.position = a.get("data.position").(float64)
	w.site.save(next)
	beside = slices.Insert(beside, at, e)
	path := "GET /admin/models/" + e.m.slug + "/entries?filter[status]=any&filter[locale]=any&per_page=100"
	for _, is := range w.do(path, nil).get("data").(list) { // others may have made room, which is no save
		if b := w.site.byID(dig(is, "id").(string)); slices.Contains(beside, b) {
			b.position = dig(is, "position").(float64)
		}
	}
	if !slices.IsSortedFunc(beside, inTree) {
		fail("%s does not stand %s %s", e, where, o)
	}
}

// move puts an entry below another one or at the root.
func (w *world) move(e *entry) {
	parent := ""
	if p := w.choose(live, of(e.m, e.locale)); p != nil && w.chance(70) {
		parent = p.id
	}
	w.do("PUT /admin/models/"+e.m.slug+"/tree", obj{"id": e.id, "parent": orNil(parent)}, w.site.move(e, parent)...)
}

// arrange saves a menu.
func (w *world) arrange() {
	items := obj{}
	w.site.menu = map[string][]string{}
	for _, locale := range locales {
		l := list{}
		for range w.random.IntN(4) {
			e := w.choose(live)
			l = append(l, obj{"entry": obj{"model": e.m.slug, "id": e.id}})
			w.site.menu[locale] = append(w.site.menu[locale], e.id)
		}
		items[locale] = l
	}
	w.do("PUT /admin/menus/main", obj{"items": items})
}
