package oracle_test

import (
	"fmt"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
)

// op is a change that is made at the same time as others.
type op struct {
	call  string
	body  any
	apply func(s *site, id string) refusals // id is that of the entry in the answer
}

// together makes changes at the same time. The answers, and what is stored then, must be those of the changes one after
// another, in any order.
func (w *world) together(e *entry) {
	var ops []op
	for i := range 2 + w.random.IntN(2) {
		on := e
		if near := w.choose(live, w.site.near(e)); near != nil && w.chance(30) {
			on = near
		} else if w.chance(20) {
			on = w.choose(live)
		}
		ops = append(ops, w.op(on, i))
	}
	answers := make([]*httptest.ResponseRecorder, len(ops))
	var all sync.WaitGroup
	for i, o := range ops {
		as, call := w.route(o.call)
		r := request(as, call, "application/json", sent(o.body))
		answers[i] = httptest.NewRecorder()
		all.Go(func() { w.handler.ServeHTTP(answers[i], r) })
	}
	all.Wait()
	var codes, ids []string
	for i, o := range ops {
		w.note("at once: "+o.call, sent(o.body), answers[i])
		a := answered(o.call, answers[i])
		code, _ := a.get("error.code").(string)
		id, _ := a.get("data.id").(string)
		codes, ids = append(codes, code), append(ids, id)
	}
	before, heard, paths, problems := w.site, w.heard, w.paths, []string(nil)
	ways := orders(len(ops))
	for i, order := range append(ways, ways...) {
		w.site, w.heard, w.paths = before.clone(), heard, maps.Clone(paths)
		if i >= len(ways) {
			w.site.leaving = map[string]bool{}
		}
		fits := true
		for _, i := range order {
			fits = fits && isOneOf(codes[i], ops[i].apply(w.site, ids[i]))
		}
		w.site.leaving = nil
		if !fits {
			problems = append(problems, fmt.Sprint(order, " has other refusals"))
			continue
		}
		problem := attempt(func() {
			w.checkStored()
			w.hear() // which of two changes without a trace was first
			for _, e := range w.site.find(live) {
				if e.version != e.checked {
					w.checkHistory(e)
				}
			}
		})
		if problem == "" {
			return
		}
		problems = append(problems, fmt.Sprint(order, " ", problem))
	}
	w.site = before
	fail("no order of these changes explains the answers %q:\n%s", codes, strings.Join(problems, "\n"))
}

// orders lists the orders of the first n numbers.
func orders(n int) (all [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, order := range orders(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(order), at, n-1))
		}
	}
	return all
}

// attempt returns the difference that a check finds, "" if it finds none.
func attempt(check func()) (problem string) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case failure:
			problem = string(p)
		default:
			panic(p)
		}
	}()
	check()
	return ""
}

// op is a random change of an entry.
func (w *world) op(e *entry, number int) op {
	id, force := e.id, w.chance(50)
	on := func(call string, body any, change func(s *site, e *entry) refusals) op {
		return op{call, body, func(s *site, _ string) refusals {
			if e := s.byID(id); e != nil {
				return change(s, e)
			}
			// The third one by moves, the last one by a deletion that meets a draft saved since the other deletion.
			return refusals{"ENTRY_NOT_FOUND", "NOT_FOUND", "VALIDATION_FAILED", "IN_USE"}
		}}
	}
	switch kind := w.random.IntN(14); {
	case kind < 3:
		body := w.body(w.data(false), 20, 30, 30)
		return on("PUT "+e.path(), body, func(s *site, e *entry) refusals {
			return s.change(e, "", func(e *entry) { e.take(body) })
		})
	case kind < 4:
		body := w.body(w.data(false), 30, 30, 0)
		return on("PUT "+e.path()+"/draft", body, func(s *site, e *entry) refusals {
			return s.saveDraft(e, body)
		})
	case kind < 5:
		return on("DELETE "+e.path()+"/draft", nil, (*site).discard)
	case kind < 6:
		return on("POST "+e.path()+"/publish", obj{"force": force}, func(s *site, e *entry) refusals {
			return s.publish(e, force)
		})
	case kind < 7:
		return on("POST "+e.path()+"/unpublish", nil, func(s *site, e *entry) refusals {
			return s.change(e, "", unpublish)
		})
	case kind < 8:
		return on("DELETE "+e.path(), nil, func(s *site, e *entry) refusals {
			if s.leaving != nil { // only a deletion with if_unused waits for those who refer to the entry
				s.leaving[id] = true
			}
			return s.change(e, "", trash)
		})
	case kind < 9:
		return on("DELETE "+e.path()+"?if_unused=true", nil, (*site).deleteUnused)
	case kind < 10:
		version := 1 + w.random.IntN(e.version)
		return on(fmt.Sprintf("POST %s/revisions/%d/restore", e.adminPath(), version), nil,
			func(s *site, e *entry) refusals { return s.revert(e, e.revisions[version].content) })
	case kind < 12 && e.m.tree:
		parent := ""
		if p := w.choose(live, of(e.m, e.locale)); p != nil && w.chance(80) {
			parent = p.id
		}
		return on("PUT /admin/models/"+e.m.slug+"/tree", obj{"id": id, "parent": orNil(parent)},
			func(s *site, e *entry) refusals { return s.move(e, parent) })
	default:
		made := entry{step: 1000*(w.number+1) + number, m: e.m, locale: e.locale, status: "draft"}
		body := w.body(w.data(true), 100, 50, 100)
		if e.m.localized {
			made.locale = pick(w, locales...)
			body["locale"] = made.locale
		}
		if translates := e.m.localized && !e.m.tree && w.chance(60); translates {
			body["translation_of"] = id
		} else if e.m.tree {
			body["parent"] = id
		}
		return op{"POST /api/v1/" + e.m.slug, body, func(s *site, newID string) (why refusals) {
			made := made
			made.id = newID
			made.take(body)
			if original := s.byID(id); body["translation_of"] != nil && original == nil {
				return refusals{"VALIDATION_FAILED"}
			} else if body["translation_of"] != nil {
				why = s.join(&made, original, body)
			} else if body["parent"] != nil {
				made.parent = id
			}
			if made.slug == "" {
				made.slug = s.free(made, made.title)
			}
			judged := s.judge(nil, &made)
			if why = combined(why, judged); len(why) == 0 {
				s.save(made)
			} else if isOneOf("SLUG_CONFLICT", judged) { // which a commit can find first
				why = append(why, "SLUG_CONFLICT")
			}
			return why
		}}
	}
}

// checkHistory compares the revisions of an entry, and what its draft is based on.
func (w *world) checkHistory(e *entry) {
	got, should := obj{}, obj{}
	for _, r := range w.do("GET "+e.adminPath()+"/revisions?per_page=100", nil).get("data").(list) {
		if r := r.(obj); r["draft"] == nil {
			data := maps.Clone(r["data"].(obj))
			maps.DeleteFunc(data, func(_ string, v any) bool { return v == nil })
			got[fmt.Sprint(r["version"])] = []any{r["title"], r["slug"], r["status"], data}
		}
	}
	for version, c := range e.revisions {
		should[fmt.Sprint(version)] = []any{c.title, c.slug, c.status, c.data}
	}
	want("the revisions of "+e.String(), got, should)
	if e.draft != nil {
		base, _ := w.do("GET "+e.path()+"/draft", nil).get("meta.draft.base_version").(float64)
		// A draft that is saved beside a save of shared values does not follow it; publication compares the other values.
		shared := obj{"data": obj{"kind": e.draft.base.data["kind"]}}
		if !e.revisions[int(base)].with(shared).equal(e.draft.base.with(shared)) {
			fail("the draft of %s is based on version %v, which differs from what it should be based on", e, base)
		}
	}
	e.checked = e.version
}
