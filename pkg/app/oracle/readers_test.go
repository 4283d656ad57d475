package oracle_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// reader reads what is public, by the API or by the delivery API.
type reader struct {
	as      http.Header
	root    string // the beginning of the paths
	limited bool   // sees some models and locales only
	models  []*contentModel
	locales []string
}

// limited sees a part of the site.
var limited = reader{limited: true, models: models[1:], locales: []string{"en", "fr"}}

func (r *reader) slugs() (all []string) {
	for _, m := range r.models {
		all = append(all, m.slug)
	}
	return all
}

// may reports whether a reader may see an entry.
func (r *reader) may(e *entry) bool {
	return slices.Contains(r.models, e.m) && slices.Contains(r.locales, e.locale)
}

// sees is the site as a reader sees it: what is hidden from it is not public.
func (r *reader) sees(s *site) *site {
	if !r.limited {
		return s
	}
	part := s.clone()
	for _, e := range part.entries {
		if !r.may(e) {
			e.status = "archived"
		}
	}
	return part
}

// checkNarrow compares what a user sees who may read a part of the site, in the admin area.
func (w *world) checkNarrow() {
	see := func(what, path string, should []*entry) {
		var all []*entry
		for _, e := range w.all(w.narrow.header, path, 7, false) {
			all = append(all, &entry{id: dig(e, "id").(string)})
		}
		want(what+" for who may read a part", ids(all), ids(should))
	}
	for _, m := range limited.models {
		see(m.slug, "/admin/models/"+m.slug+"/entries?filter[status]=any&filter[locale]=any",
			w.site.find(live, of(m, ""), limited.may))
	}
	see("the trash", "/admin/trash?", w.site.find(trashed, limited.may))
	e := w.choose(live, limited.may)
	if e == nil {
		return
	}
	var got, should []string
	for _, use := range w.all(w.narrow.header, e.adminPath()+"/usage?", 7, false) {
		if dig(use, "model") != "menus" {
			got = append(got, fmt.Sprint(dig(use, "id"), " ", dig(use, "path"), " ", dig(use, "draft") == true))
		}
	}
	for _, use := range w.site.uses(e.id) {
		if id, _, _ := strings.Cut(use, " "); limited.may(w.site.byID(id)) {
			should = append(should, use)
		}
	}
	slices.Sort(got)
	want("uses of "+e.String()+" that are seen in part", got, should)
}

// has reports whether the texts of an entry that are searched have a word.
func (e *entry) has(word string) bool {
	body, _ := e.data["body"].(string)
	return slices.Contains(strings.Fields(e.title+" "+body), word)
}

// checkSearch compares a search in all models.
func (w *world) checkSearch(s *site) {
	word, locale := pick(w, words...), pick(w, append([]string{"any"}, w.reader.locales...)...)
	q := "/search?q=" + word + "&filter[locale]=" + locale + "&models=" + strings.Join(w.reader.slugs(), ",")
	if locale == "any" {
		locale = ""
	}
	var got, should []string
	for _, e := range w.all(w.reader.as, w.reader.root+q, 1+w.random.IntN(6), w.chance(50)) {
		got = append(got, fmt.Sprint(dig(e, "id"), " ", dig(e, "model"), " ", dig(e, "slug"), " ", dig(e, "title")))
	}
	for _, e := range s.find(public, func(e *entry) bool { return e.has(word) && (locale == "" || e.locale == locale) }) {
		should = append(should, fmt.Sprint(e.id, " ", e.m.slug, " ", e.slug, " ", e.title))
	}
	slices.Sort(got)
	slices.Sort(should)
	want(q, got, should)
}

// walk is a list of the API that is read page by page while entries change.
type walk struct {
	path, cursor string
	is           func(*entry) bool // in the list
	sort         string
	stayed       map[string]string // the places in the order of entries that were in the list all the time, by id
	came         map[string]int
}

// place is a text that changes if an entry gets another place in a list.
func (k *walk) place(e *entry) string {
	return fmt.Sprint(e.publishedAt, map[string]any{"title": e.title, "data.n": e.data["n"], "slug": e.slug}[k.sort])
}

// walkOn reads the next page of the list, or the first one of another.
func (w *world) walkOn() {
	k := w.walk
	if k == nil {
		m, shows := pick(w, models...), public
		k = &walk{sort: pick(w, "", "title", "data.n", "slug"), stayed: map[string]string{}, came: map[string]int{}}
		k.path = "/api/v1/" + m.slug + "?locale=any&refs=raw&sort=" + pick(w, "", "-") + k.sort
		if k.sort == "" {
			k.path = "/api/v1/" + m.slug + "?locale=any&refs=raw"
		}
		if w.chance(50) {
			k.path, shows = k.path+"&filter[status]=any", live
		}
		k.path += fmt.Sprint("&per_page=", 1+w.random.IntN(4))
		k.is = func(e *entry) bool { return e.m == m && shows(e) }
		for _, e := range w.site.find(k.is) {
			k.stayed[e.id] = k.place(e)
		}
		w.walk = k
	}
	for id, place := range k.stayed {
		if e := w.site.byID(id); e == nil || !k.is(e) || k.place(e) != place {
			delete(k.stayed, id)
		}
	}
	a := w.ask(w.key, "GET "+k.path+k.cursor, nil)
	if a.status != http.StatusOK {
		fail("%s%s: %d %v", k.path, k.cursor, a.status, a.json)
	}
	for _, e := range a.get("data").(list) {
		k.came[dig(e, "id").(string)]++
	}
	next, more := a.get("meta.next_cursor").(string)
	if k.cursor = "&cursor=" + next; more {
		return
	}
	for id := range k.stayed {
		want(fmt.Sprintf("how often %s came in %s while entries changed", w.site.byID(id), k.path), k.came[id], 1)
	}
	w.walk = nil
}

// checkPlanned compares the list of all that is planned.
func (w *world) checkPlanned() {
	var got, should []string
	add := func(at time.Time, action, id string) {
		if at.After(time.Now()) {
			should = append(should, fmt.Sprint(stamp(at), " ", action, " ", id))
		}
	}
	for _, p := range w.do("GET /admin/planned", nil).get("data").(list) {
		got = append(got, fmt.Sprint(dig(p, "at"), " ", dig(p, "action"), " ", dig(p, "id")))
	}
	for _, e := range w.site.find(live) {
		add(e.plan.publish, "publish", e.id)
		add(e.plan.unpublish, "unpublish", e.id)
	}
	for _, r := range w.planned {
		add(r.at, "release", r.id)
	}
	slices.Sort(should)
	slices.Sort(got)
	want("what is planned", got, should)
}
