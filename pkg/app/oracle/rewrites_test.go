package oracle_test

import (
	"maps"
	"slices"
	"strings"
)

// edit returns the keys of a body with other content, and whether they differ.
type edit func(body obj) (next obj, differs bool)

// rewritten is what a job saved of an entry: its version, 0 if it stayed, and the number of its draft.
type rewritten struct {
	id             string
	version, draft int
}

// replaceLinks replaces the references to an entry, which may be in the trash, by references to another one.
func (w *world) replaceLinks() {
	from := w.choose()
	to := w.choose(live, func(e *entry) bool {
		return e.id != from.id && (e.m == from.m || e.m.url != "" && from.m.url != "")
	})
	if to == nil {
		return
	}
	others := w.site.find(live, func(e *entry) bool { return e.id != from.id })
	_, problems := w.site.rewriteAll(others, func(body obj) (obj, bool) { return retargeted(body, from.id, to) })
	w.work(w.do("POST /admin/health/links", obj{"from": from.id, "with": to.id}), problems)
}

// retargeted is the edit that replaces references to an entry.
func retargeted(body obj, from string, to *entry) (next obj, differs bool) {
	next = maps.Clone(body)
	data := maps.Clone(body["data"].(obj))
	next["data"] = data
	if differs = data["author"] == from; differs {
		data["author"] = to.id
	}
	if text, _ := data["body"].(string); strings.Contains(text, from) {
		data["body"], differs = strings.ReplaceAll(text, from, to.id), true
	}
	others := targets(data["others"])
	if !slices.Contains(others, from) {
		return next, differs
	}
	var kept list
	for _, item := range data["others"].(list) {
		switch {
		case dig(item, "id") != from:
			kept = append(kept, item)
		case !slices.Contains(others, to.id):
			kept = append(kept, obj{"model": to.m.slug, "id": to.id})
		}
	}
	data["others"] = kept
	return next, true
}

// replaceText replaces a word in the titles and texts of some entries, and may take that back.
func (w *world) replaceText() {
	m, find, put := pick(w, models...), pick(w, words...), pick(w, words...)
	var chosen []*entry
	var ids list
	for range 1 + w.random.IntN(4) {
		if e := w.choose(live, of(m, "")); e != nil && !slices.Contains(chosen, e) {
			chosen, ids = append(chosen, e), append(ids, e.id)
		}
	}
	if len(chosen) == 0 || find == put {
		return
	}
	saved, problems := w.site.rewriteAll(chosen, func(body obj) (obj, bool) { return reworded(body, find, put) })
	id := w.work(w.do("POST /admin/jobs", obj{"action": "replace_text", "model": m.slug, "ids": ids, "find": find,
		"replace": put}), problems)
	if w.chance(50) {
		w.undoText(id, m, saved)
	}
}

// reworded is the edit that replaces a word.
func reworded(body obj, find, put string) (next obj, differs bool) {
	next = maps.Clone(body)
	data := maps.Clone(body["data"].(obj))
	next["data"] = data
	for in, name := range map[*obj]string{&next: "title", &data: "need"} {
		if text, _ := (*in)[name].(string); text == find {
			(*in)[name], differs = put, true
		}
	}
	if text, _ := data["body"].(string); strings.Contains(text, find) { // no id has such words
		data["body"], differs = strings.ReplaceAll(text, find, put), true
	}
	return next, differs
}

// undoText takes back what a job saved, unless its entries were saved since.
func (w *world) undoText(id string, m *contentModel, saved []rewritten) {
	problems := map[string]refusals{}
	for _, r := range saved {
		e := w.site.byID(r.id)
		if e == nil || r.version > 0 && e.version != r.version || r.draft > 0 && (e.draft == nil || e.drafts != r.draft) {
			return
		}
	}
	for _, r := range saved {
		e := w.site.byID(r.id)
		var to, changes obj
		if r.version > 0 {
			was := e.revisions[r.version-1]
			to = obj{"title": was.title, "data": was.data}
		}
		if r.draft > 0 {
			changes = e.draftRevisions[r.draft-1].changes
		}
		if why := w.site.rewrite(e, to, changes); len(why) > 0 {
			problems[e.id] = why
		}
	}
	if len(saved) > 0 {
		w.work(w.do("POST /admin/jobs", obj{"action": "revert", "model": m.slug, "of": id}), problems)
	}
}

// rewriteAll makes an edit in entries and their drafts. It returns what was saved, and the refusals by id.
func (s *site) rewriteAll(entries []*entry, edit edit) (saved []rewritten, problems map[string]refusals) {
	problems = map[string]refusals{}
	for _, e := range entries {
		r := rewritten{id: e.id}
		to, differs := edit(obj{"title": e.title, "data": e.data})
		if !differs {
			to = nil
		}
		var changes obj
		if e.draft != nil {
			var drafted bool
			if changes, drafted = edit(e.draft.changes); !drafted {
				changes = e.draft.changes
			}
			differs = differs || drafted
		}
		if !differs {
			continue
		}
		if why := s.rewrite(e, to, changes); len(why) > 0 {
			problems[e.id] = why
			continue
		}
		if to != nil {
			r.version = e.version
		}
		if e.draft != nil {
			r.draft = e.drafts
		}
		saved = append(saved, r)
	}
	return saved, problems
}

// rewrite saves other content of an entry, unless it is nil, together with its draft, which it does not outdate.
func (s *site) rewrite(e *entry, to, changes obj) refusals {
	if to != nil {
		next, follows := *e, e.draft != nil && !e.outdated()
		next.title, next.data = to["title"].(string), to["data"].(obj)
		if why := s.judge(e, &next); len(why) > 0 {
			return why
		}
		if s.save(next); follows {
			e.draft = &draft{e.draft.changes, e.content}
		}
	}
	if e.draft != nil {
		s.setDraft(e, &draft{changes, e.draft.base})
	}
	return nil
}
