package oracle_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// failure is a difference between the service and the site as it should be.
type failure string

func fail(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

func want(what string, got, want any) {
	if g, w := text(got), text(want); g != w {
		fail("%s:\n got %s\nwant %s", what, g, w)
	}
}

// shown is an entry as lists show it.
func shown(e *entry, c content) obj {
	return obj{"id": e.id, "title": c.title, "slug": c.slug, "status": e.status, "locale": e.locale, "data": c.data}
}

// read is an entry of an answer in the shape of shown, with more keys.
func read(v any, more ...string) obj {
	e, out := v.(obj), obj{}
	for _, key := range append([]string{"id", "title", "slug", "status", "locale", "data"}, more...) {
		out[key] = e[key]
	}
	data := maps.Clone(e["data"].(obj))
	maps.DeleteFunc(data, func(_ string, v any) bool { return v == nil })
	out["data"] = data
	return out
}

// see reads as the public does.
func (w *world) see(path string) answer {
	return w.ask(w.reader.as, "GET "+w.reader.root+path, nil)
}

// all reads a list to its end, by pages of a size, and checks its total.
func (w *world) all(as http.Header, path string, size int, byCursor bool) (all list) {
	next, page := "", 1
	for {
		q := fmt.Sprintf("GET %s&per_page=%d", path, size)
		switch {
		case byCursor && next != "":
			q += "&cursor=" + url.QueryEscape(next)
		case !byCursor:
			q += fmt.Sprint("&page=", page)
		}
		a := w.ask(as, q, nil)
		if a.status != http.StatusOK {
			fail("%s: %d %v", q, a.status, a.json)
		}
		items := a.get("data").(list)
		all = append(all, items...)
		next, _ = a.get("meta.next_cursor").(string)
		page++
		if byCursor && next == "" || !byCursor && len(items) < size {
			want(q+": the total", a.get("meta.total"), len(all))
			return all
		}
	}
}

// checkStored compares all entries, drafts and plans as an administrator reads them, and the trash.
func (w *world) checkStored() {
	for _, m := range models {
		got, drafts := map[string]obj{}, map[string]obj{}
		entries := w.do("GET /admin/models/"+m.slug+"/entries?filter[status]=any&filter[locale]=any&per_page=100", nil)
		for _, e := range entries.get("data").(list) {
			got[dig(e, "id").(string)] = e.(obj)
		}
		path := "/api/v1/" + m.slug + "?filter[status]=any&locale=any&refs=raw&version=draft"
		for _, e := range w.all(w.key, path, 100, true) {
			drafts[dig(e, "id").(string)] = read(e)
		}
		stored := w.site.find(live, of(m, ""))
		want("entries of "+m.slug, []int{len(got), len(drafts)}, []int{len(stored), len(stored)})
		for _, e := range stored {
			if got[e.id] == nil {
				fail("%s is not listed", e)
			}
			w.checkEntry(e, got[e.id])
			want(e.String()+" with its draft", drafts[e.id], shown(e, e.laid()))
			if e.review != nil || w.chance(10) {
				w.checkReview(e)
			}
		}
	}
	var inTrash []string
	for _, item := range w.do("GET /admin/trash?per_page=100", nil).get("data").(list) {
		inTrash = append(inTrash, dig(item, "id").(string))
	}
	slices.Sort(inTrash)
	want("the trash", inTrash, ids(w.site.find(trashed)))
}

func (e *entry) String() string { return fmt.Sprintf("entry %d of %s", e.step, e.m.slug) }

// checkEntry compares an entry as an administrator reads it.
func (w *world) checkEntry(e *entry, got obj) {
	if at, _ := got["published_at"].(string); e.publishedAt == "?" && e.public() {
		if t, err := time.Parse(time.RFC3339, at); err != nil || e.publishedBy.Sub(t) > 4*tick() {
			fail("%s was published at %q", e, at)
		}
		e.publishedAt = at
	}
	if code, _ := dig(got, "schedule.error.code").(string); isOneOf(code, strings.Fields(e.plan.failed)) {
		e.plan.failed = code
	}
	is, should := read(got, "version", "has_draft"), shown(e, e.content)
	maps.Copy(should, obj{"version": e.version, "has_draft": e.draft != nil, "failed": orNil(e.plan.failed),
		"publish": stamp(e.plan.publish), "unpublish": stamp(e.plan.unpublish)})
	is["failed"] = dig(got, "schedule.error.code")
	is["publish"], is["unpublish"] = dig(got, "schedule.publish_at"), dig(got, "schedule.unpublish_at")
	if e.m.tree {
		is["parent"], is["position"] = got["parent"], got["position"]
		should["parent"], should["position"] = orNil(e.parent), e.position
	}
	if e.publishedAt != "?" {
		is["published_at"], should["published_at"] = got["published_at"], orNil(e.publishedAt)
	}
	want(e.String(), is, should)
}

// checkUsage compares the places that use an entry.
func (w *world) checkUsage() {
	e := w.choose(live)
	if e == nil {
		return
	}
	var got []string
	for _, use := range w.do("GET "+e.adminPath()+"/usage?per_page=100", nil).get("data").(list) {
		if dig(use, "model") != "menus" {
			got = append(got, fmt.Sprint(dig(use, "id"), " ", dig(use, "path"), " ", dig(use, "draft") == true))
		}
	}
	slices.Sort(got)
	want("uses of "+e.String(), got, w.site.uses(e.id))
}

// uses lists where other entries and their drafts refer to an entry.
func (s *site) uses(id string) (all []string) {
	for _, e := range s.find(live, func(e *entry) bool { return e.id != id }) {
		stored := e.content.uses(id)
		for _, path := range stored {
			all = append(all, fmt.Sprint(e.id, " ", path, " false"))
		}
		if e.draft != nil {
			for _, path := range (content{}).with(e.draft.changes).uses(id) {
				if !slices.Contains(stored, path) {
					all = append(all, fmt.Sprint(e.id, " ", path, " true"))
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

// uses lists the places of content that refer to an entry.
func (c content) uses(id string) (paths []string) {
	for _, p := range c.places() {
		if p.id == id && !slices.Contains(paths, p.path) { // a text refers in one place
			paths = append(paths, p.path)
		}
	}
	return paths
}

// place is where content refers to an entry.
type place struct{ path, id string }

func (c content) places() (all []place) {
	for _, id := range targets(c.data["author"]) {
		all = append(all, place{"data.author", id})
	}
	for i, id := range targets(c.data["others"]) {
		all = append(all, place{fmt.Sprint("data.others.", i), id})
	}
	body, _ := c.data["body"].(string)
	for _, link := range strings.Split(body, "cms://entry/")[1:] {
		id, _, _ := strings.Cut(link, ")")
		all = append(all, place{"data.body", id})
	}
	return all
}

// checkHealth compares what is found wrong with published entries.
func (w *world) checkHealth() {
	var got, should []string
	for _, f := range w.all(w.admin, "/admin/health?kind=link.gone,link.unpublished,orphan,seo.title", 20, true) {
		got = append(got, fmt.Sprint(dig(f, "kind"), " ", dig(f, "id"), " ", dig(f, "field")))
	}
	led := map[string]bool{} // entries to which something leads
	for _, menu := range w.site.menu {
		for _, id := range menu {
			led[id] = true
		}
	}
	for _, e := range w.site.find(public) {
		for _, p := range e.places() {
			target := w.site.byID(p.id)
			led[p.id] = led[p.id] || p.id != e.id
			switch {
			case target == nil:
				should = append(should, fmt.Sprint("link.gone ", e.id, " ", p.path))
			case !target.public():
				should = append(should, fmt.Sprint("link.unpublished ", e.id, " ", p.path))
			}
		}
	}
	for _, e := range w.site.find(public, func(e *entry) bool { return e.m.url != "" }) {
		same := func(o *entry) bool {
			return o.id != e.id && o.m.url != "" && o.locale == e.locale && o.title == e.title
		}
		if len(w.site.find(public, same)) > 0 {
			should = append(should, fmt.Sprint("seo.title ", e.id, " seo.title"))
		}
		if !led[e.id] && (e.m.home == "" || e.slug != e.m.home) {
			should = append(should, fmt.Sprint("orphan ", e.id, " "))
		}
	}
	slices.Sort(got)
	slices.Sort(should)
	want("what is wrong", got, slices.Compact(should)) // a text may have several such links
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// ids are the sorted ids of entries.
func ids(entries []*entry) (all []string) {
	for _, e := range entries {
		all = append(all, e.id)
	}
	slices.Sort(all)
	return all
}

// checkPublic compares the public answers with the entries of s: in a preview, unless its token is "".
func (w *world) checkPublic(s *site, preview string) {
	more := ""
	if preview != "" {
		more = "&preview=" + preview
	}
	s = w.reader.sees(s)
	for _, m := range models {
		if !slices.Contains(w.reader.models, m) {
			a := w.see("/" + m.slug + "?x" + more)
			want("a model that this key may not read", a.get("error.code"), "MODEL_NOT_FOUND")
			continue
		}
		w.checkList(s, m, more)
		for _, e := range s.find(of(m, "")) {
			w.checkOne(s, e, more)
		}
		if m.localized {
			w.checkFallback(s, m, more)
		}
		if m.tree {
			for _, locale := range w.reader.locales {
				a := w.see("/" + m.slug + "/tree?locale=" + locale + more)
				want("the tree in "+locale, nodes(a.get("data")), s.nodes(m, locale, ""))
			}
		}
	}
	w.checkIncludes(s, more)
	w.checkRedirects(s, more)
	if preview == "" {
		w.checkSearch(s)
	}
	for _, locale := range w.reader.locales {
		var got, should []any
		for _, item := range w.see("/menus/main?locale=" + locale + more).get("data").(list) {
			got = append(got, dig(item, "label"), dig(item, "url"))
		}
		for _, id := range s.menu[locale] {
			if e := s.byID(id); e != nil && e.public() {
				should = append(should, e.title, orNil(s.address(e)))
			}
		}
		want("the menu in "+locale, got, should)
	}
}

// checkDelivered compares the answers of the delivery API, many of them from its cache, and its feed of changes.
func (w *world) checkDelivered() {
	w.wait(1) // until the purges have left
	for _, w.reader = range w.readers[1:] {
		w.checkPublic(w.site, "")
	}
	w.reader = w.readers[0]
	w.sync(w.site)
	w.checkAddresses(w.site)
}

// sync reads the changes since its last call, and compares the result with a list.
func (w *world) sync(s *site) {
	for complete := false; !complete; {
		parameters := "models=authors,posts,pages&per_page=7"
		if w.token != "" {
			parameters = "token=" + url.QueryEscape(w.token)
		}
		a := w.ask(nil, "GET "+w.readers[1].root+"/sync?"+parameters, nil)
		for _, change := range a.get("data").(list) {
			if dig(change, "op") == "delete" {
				delete(w.synced, dig(change, "id").(string))
			} else {
				w.synced[dig(change, "entry.id").(string)] = read(dig(change, "entry"))
			}
		}
		w.token, complete = a.get("meta.next_token").(string), a.get("meta.complete").(bool)
	}
	should := map[string]obj{}
	for _, e := range s.find(public) {
		should[e.id] = shown(e, e.content)
	}
	want("what was synchronised", w.synced, should)
}

// sharesSlugs reports whether several entries have or had a slug of an address.
func (s *site) sharesSlugs(address string) bool {
	for slug := range strings.SplitSeq(address, "/") {
		for _, m := range models {
			if slices.ContainsFunc(locales, func(locale string) bool { return len(s.held[m.slug+locale+slug]) > 1 }) {
				return true
			}
		}
	}
	return false
}

// checkAddresses resolves all addresses that entries ever had.
func (w *world) checkAddresses(s *site) {
	now, held := map[string]string{}, map[string]bool{"": true}
	for _, e := range s.find(live) {
		address := s.address(e)
		if held[address] = true; address == "" || !e.public() {
			continue
		}
		now[address] = e.id
		// Slugs of entries that are not public are not kept, nor is the way through the home, which is not in the path.
		lost := func(a *entry) bool { return !a.public() || a.slug == home }
		if !lost(e) && !slices.ContainsFunc(s.above(e), lost) {
			if w.addresses[address] == nil {
				w.addresses[address] = map[string]string{}
			}
			w.addresses[address][e.id] = text(ids(s.above(e)))
		}
	}
	for _, address := range slices.Sorted(maps.Keys(w.addresses)) {
		if _, ok := s.redirects[address]; ok || held[address] || s.sharesSlugs(address) {
			continue // see checkOne; one that is not public hides those that had the address
		}
		var lead []string // where the address may lead
		for id := range w.addresses[address] {
			if e := s.byID(id); e != nil && e.public() {
				lead = append(lead, s.follow(address, s.address(e)))
			}
		}
		a := w.see("/resolve?path=" + address)
		to, _ := a.get("meta.redirect.to").(string)
		known := now[to] != "" || s.leadsTo(to) || to == "" && (len(lead) == 0 || slices.Contains(lead, ""))
		if !known || len(lead) == 1 && to != lead[0] {
			fail("%s leads to %q, want one of %v", address, to, lead)
		}
	}
	listed := 0
	for _, r := range w.all(nil, w.readers[1].root+"/redirects?", 100+w.number, true) {
		from, _ := dig(r, "from").(string)
		to, _ := dig(r, "to").(string)
		if own, ok := s.redirects[from]; ok {
			want("a listed redirect from "+from, []any{to, dig(r, "status")}, []any{own.to, own.status})
			listed++
		} else if now[from] != "" || now[to] == "" && !s.leadsTo(to) {
			fail("a redirect leads from %s to %s", from, to)
		}
	}
	want("how many redirects are listed", listed, len(s.redirects))
}

// checkOne reads an entry by id, slug and address.
func (w *world) checkOne(s *site, e *entry, more string) {
	of := "/" + e.m.slug + "/"
	a := w.see(of + e.id + "?refs=raw&urls=true&translations=true" + more)
	if !e.public() {
		want(e.String()+" that is not public", a.get("error.code"), "ENTRY_NOT_FOUND")
		return
	}
	if a.status != http.StatusOK {
		fail("%s is not public: %v", e, a.json)
	}
	want(e.String(), read(a.get("data")), shown(e, e.content))
	var group []string
	for _, locale := range locales {
		if o := s.member(e, locale); o != nil && o.public() {
			group = append(group, o.id)
		}
	}
	var members []string
	for _, t := range a.get("data.translations").(list) {
		members = append(members, t.(obj)["id"].(string))
	}
	want("translations of "+e.String(), members, group)
	a = w.see(of + e.slug + "?refs=raw&locale=" + e.locale + more)
	want(e.String()+" by slug", a.get("data.id"), e.id)
	address := s.address(e)
	at := s.find(live, func(o *entry) bool { return s.address(o) == address })
	_, redirected := s.redirects[address]
	if address != "" && len(at) == 1 && !redirected { // the home below another page has the address of that
		a = w.see("/resolve?urls=true&path=" + address + more)
		want(e.String()+" at "+address, []any{a.get("data.id"), a.get("data.url")}, []any{e.id, address})
	}
}

// nodes are the ids of a tree, each followed by those below it.
func nodes(v any) list {
	out := list{}
	l, _ := v.(list)
	for _, n := range l {
		out = append(out, n.(obj)["id"], nodes(n.(obj)["children"]))
	}
	return out
}

func (s *site) nodes(m *contentModel, locale, parent string) list {
	out := list{}
	found := s.find(public, of(m, locale), func(e *entry) bool { return e.parent == parent })
	slices.SortFunc(found, inTree)
	for _, e := range found {
		out = append(out, e.id, s.nodes(m, locale, e.id))
	}
	return out
}

// checkList compares a list with a random filter, order and size of pages.
func (w *world) checkList(s *site, m *contentModel, more string) {
	locale := pick(w, append([]string{"any"}, w.reader.locales...)...)
	kind, n := pick(w, "x", "y"), float64(w.random.IntN(4))
	if !m.localized {
		locale = "any"
	}
	q := "/" + m.slug + "?refs=raw&locale=" + locale + more
	if locale == "any" {
		locale = ""
	}
	value := func(e *entry) (float64, bool) { v, ok := e.data["n"].(float64); return v, ok }
	filters := map[string]func(*entry) bool{
		"filter[status]=published":             live,
		"filter[data.kind]=" + kind:            func(e *entry) bool { return e.data["kind"] == kind },
		"filter[data.kind][ne]=" + kind:        func(e *entry) bool { return e.data["kind"] != kind },
		"filter[data.code][null]=true":         func(e *entry) bool { return e.data["code"] == nil },
		"filter[title][starts_with]=" + kind:   func(e *entry) bool { return strings.HasPrefix(e.title, kind) },
		fmt.Sprint("filter[data.n]=", n):       func(e *entry) bool { return e.data["n"] == n },
		fmt.Sprint("filter[data.n][gt]=", n):   func(e *entry) bool { v, ok := value(e); return ok && v > n },
		fmt.Sprint("filter[data.n][in]=0,", n): func(e *entry) bool { v, ok := value(e); return ok && (v == 0 || v == n) },
	}
	for _, name := range []string{"author", "others"} {
		for _, id := range []string{w.anyID("authors"), w.anyID("pages")} {
			filters["filter[data."+name+"]="+id] = func(e *entry) bool { return slices.Contains(targets(e.data[name]), id) }
		}
	}
	if word := pick(w, words...); more == "" {
		filters["q="+word] = func(e *entry) bool { return e.has(word) }
	}
	if m.tree {
		filters["filter[parent]=null"] = func(e *entry) bool { return e.parent == "" }
		if p := w.anyID(m.slug); p != "" {
			filters["filter[parent]="+p] = func(e *entry) bool { return e.parent == p }
			filters["filter[ancestor]="+p] = func(e *entry) bool {
				return slices.ContainsFunc(s.above(e), func(a *entry) bool { return a.id == p })
			}
		}
	}
	ok := []func(*entry) bool{public, of(m, locale)}
	for range w.random.IntN(3) {
		name := pick(w, slices.Sorted(maps.Keys(filters))...)
		if key, _, _ := strings.Cut(name, "="); !strings.Contains(q, url.PathEscape(key)) && !strings.Contains(q, key+"=") {
			q, ok = q+"&"+name, append(ok, filters[name])
		}
	}
	order := pick(w, "", "title", "-title", "data.n", "-data.n", "slug")
	if order != "" {
		q += "&sort=" + order
	}
	got := w.all(w.reader.as, w.reader.root+q, 1+w.random.IntN(6), w.chance(50))
	w.sameEntries(q, got, s.find(ok...))
	key := strings.TrimPrefix(order, "-")
	for i := 1; i < len(got) && key != ""; i++ {
		a, b := rank(dig(got[i-1], key)), rank(dig(got[i], key))
		if key != order {
			a, b = b, a
		}
		if a > b {
			fail("%s: %q before %q", q, a, b)
		}
	}
}

// rank is a value as a text that sorts like it.
func rank(v any) string {
	switch v := v.(type) {
	case nil:
		return "\xff"
	case float64:
		return fmt.Sprintf("%08.2f", v)
	default:
		return strings.ReplaceAll(fmt.Sprint(v), "-", "")
	}
}

// sameEntries compares a list with entries in any order.
func (w *world) sameEntries(q string, got list, should []*entry) {
	is := map[string]obj{}
	for _, item := range got {
		is[item.(obj)["id"].(string)] = read(item)
	}
	if len(got) != len(is) {
		fail("%s: %d entries, but %d different ones", q, len(got), len(is))
	}
	be := map[string]obj{}
	for _, e := range should {
		be[e.id] = shown(e, e.content)
	}
	want(q, is, be)
}

// checkFallback compares a list that shows translations where there are some.
func (w *world) checkFallback(s *site, m *contentModel, more string) {
	locale := pick(w, w.reader.locales...)
	q := "/" + m.slug + "?refs=raw&fallback=true&locale=" + locale + more
	var should []*entry
	for _, e := range s.find(public, of(m, locales[0])) {
		should = append(should, s.best(e, locale))
	}
	w.sameEntries(q, w.all(w.reader.as, w.reader.root+q, 4, true), should)
	for _, e := range s.find(public, of(m, "")) {
		a := w.see("/" + m.slug + "/" + e.id + "?fallback=true&locale=" + locale + more)
		var id any
		if best := s.best(e, locale); best != nil {
			id = best.id
		}
		want(e.String()+" in "+locale, a.get("data.id"), id)
	}
}

// best is the public member of a group in a locale or the next one that it falls back to.
func (s *site) best(e *entry, locale string) *entry {
	for i := slices.Index(locales, locale); i >= 0; i-- {
		if o := s.member(e, locales[i]); o != nil && o.public() {
			return o
		}
	}
	return nil
}

// checkIncludes compares included entries.
func (w *world) checkIncludes(s *site, more string) {
	include := func(id string) any {
		e := s.byID(id)
		if e == nil || !e.public() {
			return nil
		}
		return []any{id, e.title, e.slug}
	}
	for _, m := range w.reader.models {
		q := "/" + m.slug + "?locale=any&include=author,others" + more
		for _, item := range w.all(w.reader.as, w.reader.root+q, 100, true) {
			e := s.byID(item.(obj)["id"].(string))
			var got, should list
			for _, name := range []string{"author", "others"} {
				v := dig(item, "data."+name)
				l, many := v.(list)
				if !many {
					l = list{v}
				}
				for _, o := range l {
					if o != nil {
						got = append(got, []any{dig(o, "id"), dig(o, "title"), dig(o, "slug")})
					}
				}
				for _, id := range targets(e.data[name]) {
					if o := include(id); o != nil {
						should = append(should, o)
					}
				}
			}
			want(fmt.Sprintf("%s: entry %d", q, e.step), got, should)
		}
	}
}
