package oracle_test

import (
	"net/url"
	"slices"
	"strings"
)

// notebook is a model whose definition changes, its entries, and the views of its list that users saved.
type notebook struct {
	slug    string
	fields  []string
	unique  map[string]bool // the fields whose values are
	entries []*note
	views   []*view
}

// unused are the names that no field has now.
func (n *notebook) unused() []string {
	return slices.DeleteFunc([]string{"one", "two", "three", "four"},
		func(name string) bool { return slices.Contains(n.fields, name) })
}

// other is the slug that the model does not have now.
func (n *notebook) other() string {
	return map[string]string{"notes": "memos", "memos": "notes"}[n.slug]
}

// view is a saved view of a list by a field.
type view struct {
	id, name, field string
	shared          bool
	by              *person
}

// query is the parameters of the list that a view shows. Those of a field that was removed are left out.
func (v *view) query() obj {
	if v.field == "" {
		return obj{"columns": ":status"}
	}
	return obj{"columns": ":status," + v.field, "sort": "-data." + v.field, "filter[data." + v.field + "][ne]": "x"}
}

// name gives a field of the notebook another name, "" if it is removed.
func (n *notebook) name(field, name string) {
	for _, v := range n.views {
		if v.field == field {
			v.field = name
		}
	}
	n.unique[name] = n.unique[field]
	delete(n.unique, field)
	for _, e := range n.entries {
		if v, ok := e.data[field]; ok && name != "" {
			e.data[name] = v
		}
		delete(e.data, field)
	}
}

// apply makes the site as a schema says. A deletion that fails after it has closed its model changes the configuration,
// so that it is planned again.
func (s *service) apply(schema obj, why ...string) {
	const outdated = "PRECONDITION_FAILED"
	if s.faults.on && schema["deletes"] != nil {
		why = append(slices.Clone(why), outdated)
		if len(why) == 1 {
			why = append(why, "")
		}
	}
	for code := any(outdated); code == outdated; {
		plan := s.do("POST /admin/schema/plan", obj{"schema": schema}).get("data.plan_id")
		body := obj{"schema": schema, "plan_id": plan, "allow": list{"loses_data"}}
		code = s.do("POST /admin/schema/apply", body, why...).get("error.code")
	}
}

// define makes the notebook as it should be.
func (w *world) define(renames ...any) {
	fields := list{}
	for _, name := range w.notes.fields {
		fields = append(fields, obj{"name": name, "label": name, "type": "text", "searchable": true,
			"unique": w.notes.unique[name]})
	}
	w.apply(obj{"models": list{obj{"slug": w.notes.slug, "name": "Notes", "fields": fields}},
		"renames": append(list{}, renames...)})
	w.wait(1) // until the index is made
}

// redefine changes the definition of the notebook.
func (w *world) redefine() {
	w.as(nil)
	unused := w.notes.unused()
	name, at := pick(w, unused...), w.random.IntN(len(w.notes.fields))
	was := w.notes.fields[at]
	switch kind := w.random.IntN(20); {
	case kind < 11:
		w.notes.fields[at] = name
		w.notes.name(was, name)
		w.define(obj{"model": w.notes.slug, "from": was, "to": name})
	case kind < 17 && len(unused) > 1:
		w.notes.fields, w.notes.unique[name] = append(w.notes.fields, name), w.chance(30)
		w.define()
	case kind < 17:
		w.notes.fields = slices.Delete(w.notes.fields, at, at+1)
		w.notes.name(was, "")
		w.define()
	case kind < 19:
		from := w.notes.slug
		w.notes.slug = w.notes.other()
		w.define(obj{"from": from, "to": w.notes.slug})
	case len(w.notes.entries) > 0:
		w.apply(obj{"deletes": obj{"models": list{w.notes.slug}}}, "CONFLICT")
	default:
		w.apply(obj{"deletes": obj{"models": list{w.notes.slug}}})
		w.notes.views = nil
		w.define()
	}
}

// saveView saves a view, changes one or deletes it.
func (w *world) saveView() {
	path := "/admin/models/" + w.notes.slug + "/views"
	var why refusals
	next := view{name: pick(w, words...), field: pick(w, w.notes.fields...), shared: w.chance(50), by: w.by}
	taken := func(v *view) bool { return v.by == next.by && v.name == next.name && v.id != next.id }
	body := obj{"name": next.name, "shared": next.shared, "query": next.query()}
	if len(w.notes.views) == 0 || w.chance(40) {
		if slices.ContainsFunc(w.notes.views, taken) {
			why = refusals{"CONFLICT"}
		}
		if a := w.do("POST "+path, body, why...); len(why) == 0 {
			next.id = a.get("data.id").(string)
			w.notes.views = append(w.notes.views, &next)
		}
		return
	}
	at := w.random.IntN(len(w.notes.views))
	v := w.notes.views[at]
	next.id, next.by = v.id, v.by
	if w.chance(40) {
		delete(body, "query")
		next.field = v.field
	}
	deletes := w.chance(30)
	switch {
	case v.by != w.by && !v.shared:
		why = refusals{"NOT_FOUND"}
	case v.by != w.by && w.by != nil:
		why = refusals{"FORBIDDEN"}
	case !deletes && slices.ContainsFunc(w.notes.views, taken):
		why = refusals{"CONFLICT"}
	}
	if deletes {
		if w.do("DELETE "+path+"/"+v.id, nil, why...); len(why) == 0 {
			w.notes.views = slices.Delete(w.notes.views, at, at+1)
		}
	} else if w.do("PUT "+path+"/"+v.id, body, why...); len(why) == 0 {
		*v = next
	}
}

// checkSavedViews compares the views that each person sees, one's own first, and shows the lists.
func (w *world) checkSavedViews() {
	path := "/admin/models/" + w.notes.slug
	for _, p := range append([]*person{nil}, w.people...) {
		as := w.admin
		if p != nil {
			as = p.header
		}
		var got, should list
		for _, v := range w.all(as, path+"/views?", 3, false) {
			got = append(got, []any{dig(v, "id"), dig(v, "name"), dig(v, "shared"), dig(v, "query")})
		}
		seen := slices.DeleteFunc(slices.Clone(w.notes.views), func(v *view) bool { return v.by != p && !v.shared })
		slices.SortStableFunc(seen, func(a, b *view) int {
			if own := a.by == p; own != (b.by == p) {
				return map[bool]int{true: -1, false: 1}[own]
			}
			return strings.Compare(a.name, b.name)
		})
		for _, v := range seen {
			should = append(should, []any{v.id, v.name, v.shared, v.query()})
			q := url.Values{}
			for name, value := range v.query() {
				q.Set(name, value.(string))
			}
			w.all(as, path+"/entries?"+q.Encode(), 7, false)
		}
		want("saved views", got, should)
	}
}
