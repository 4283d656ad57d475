package oracle_test

import (
	"maps"
	"slices"
)

// note is an entry of the notebook. It is public.
type note struct {
	id, title string
	data      obj
}

// saveNote makes a note, changes one or deletes it for good.
func (w *world) saveNote() {
	w.as(nil)
	n, path := &note{title: pick(w, words...), data: obj{}}, "/api/v1/"+w.notes.slug
	call, at := "POST "+path, len(w.notes.entries)
	if at > 0 && w.chance(60) {
		at = w.random.IntN(at)
		old := w.notes.entries[at]
		n.id, n.data, call = old.id, maps.Clone(old.data), "PUT "+path+"/"+old.id
	}
	if n.id != "" && w.chance(20) {
		w.do("DELETE "+path+"/"+n.id, nil)
		w.do("DELETE /admin/trash/"+n.id, nil)
		w.notes.entries = slices.Delete(w.notes.entries, at, at+1)
		return
	}
	sent, why := obj{}, refusals(nil)
	for _, name := range w.notes.fields {
		if w.chance(60) {
			sent[name] = pick(w, words...)
		} else if n.id != "" && w.chance(20) {
			sent[name] = nil
		}
	}
	maps.Copy(n.data, sent)
	maps.DeleteFunc(n.data, func(_ string, v any) bool { return v == nil })
	for name, v := range n.data {
		if w.notes.unique[name] && slices.ContainsFunc(w.notes.entries, func(o *note) bool {
			return o.id != n.id && o.data[name] == v
		}) {
			why = refusals{"CONFLICT"}
		}
	}
	a := w.do(call, obj{"title": n.title, "status": "published", "data": sent}, why...)
	if len(why) > 0 {
		return
	}
	n.id = a.get("data.id").(string)
	w.notes.entries = append(slices.Delete(w.notes.entries, at, min(at+1, len(w.notes.entries))), n)
}

// checkNotes compares lists of notes by the names that the fields have now, also from the cache.
func (w *world) checkNotes() {
	for _, r := range w.readers[:2] {
		list := func(parameters string, is func(n *note) bool) {
			got, should := obj{}, obj{}
			for _, e := range w.all(r.as, r.root+"/"+w.notes.slug+"?"+parameters, 3, w.chance(50)) {
				e := read(e)
				got[e["id"].(string)] = []any{e["title"], e["data"]}
			}
			for _, n := range w.notes.entries {
				if is(n) {
					should[n.id] = []any{n.title, n.data}
				}
			}
			want("notes by "+parameters, got, should)
		}
		list("", func(*note) bool { return true })
		for _, name := range w.notes.fields {
			word := pick(w, words...)
			list("sort=data."+name, func(*note) bool { return true })
			list("filter[data."+name+"]="+word, func(n *note) bool { return n.data[name] == word })
			list("sort=title&filter[data."+name+"][null]=true", func(n *note) bool { return n.data[name] == nil })
			list("q="+word, func(n *note) bool { return n.title == word || n.finds(word) })
		}
		for _, name := range w.notes.unused() {
			a := w.ask(r.as, "GET "+r.root+"/"+w.notes.slug+"?filter[data."+name+"]=x", nil)
			want("a filter by a field that was removed", a.get("error.code"), "BAD_REQUEST")
		}
		a := w.ask(r.as, "GET "+r.root+"/"+w.notes.other(), nil)
		want("a model under a former name", a.get("error.code"), "MODEL_NOT_FOUND")
	}
}

// finds reports whether a field of a note, all of which are searched, has a word.
func (n *note) finds(word string) bool {
	return slices.Contains(slices.Collect(maps.Values(n.data)), any(word))
}
