package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// matrixSite has entries, plans and releases of others, in groups of a given size.
type matrixSite struct {
	s                  *suite
	model, hidden      string
	entries            map[string]matrixEntry // by name
	other, mixed, file string                 // releases and a file
	setting            string
}

// matrixEntry is an entry that roles are tried on. mark stands in its title and nowhere else.
type matrixEntry struct {
	model, id, locale, mark string
	tag                     string // of this entry only
	published               bool
}

// matrixRole is a caller. may reports whether it has an action on an entry.
type matrixRole struct {
	name string
	c    *client
	may  func(action string, e matrixEntry) bool
}

func newMatrixSite(t *testing.T, s *suite, size int) *matrixSite {
	t.Helper()
	k, admin := s.key(t, nil), s.admin(t)
	s.useLocale(t, "de", "Deutsch")
	m := &matrixSite{s: s, entries: map[string]matrixEntry{}}
	m.hidden = s.model(t, obj{"fields": list{field("tag", "text", nil), field("cover", "media", nil)}})
	m.model = s.model(t, obj{"localized": true, "fields": list{shared("price", "number"), field("tag", "text", nil),
		field("cover", "media", nil), field("rel", "relation", obj{"model": m.hidden})}})
	m.file = k.upload(t, "old.png", pngFile(1, 1), nil).str(t, "data.id")
	add := func(name, model, locale string, published bool, more obj) string {
		t.Helper()
		mark := "CANARY" + strings.ReplaceAll(unique("x"), "-", "")
		tag := unique("tag")
		body := obj{"title": mark, "data": obj{"tag": tag, "cover": m.file}}
		if model == m.model {
			body["locale"] = locale
		}
		if published {
			body["status"] = "published"
		}
		maps.Copy(body, more)
		id := k.create(t, model, body).str(t, "data.id")
		m.entries[name] = matrixEntry{model, id, locale, mark, tag, published}
		return id
	}
	en := add("en", m.model, "en", true, nil)
	add("de", m.model, "de", false, obj{"translation_of": en})
	for i := range size - 2 {
		code := fmt.Sprintf("x%c", 'a'+i)
		s.useLocale(t, code, code)
		add(code, m.model, code, i%2 == 0, obj{"translation_of": en})
	}
	lone := add("lone", m.model, "en", false, nil)
	add("german", m.model, "de", true, nil)
	secret := add("secret", m.hidden, "en", true, nil)
	gone := add("gone", m.model, "en", false, nil)
	k.ok(t, 200, "PUT /"+m.model+"/"+en+"/draft", obj{"seo": obj{"title": "draft"}})
	k.ok(t, 200, "PUT /"+m.hidden+"/"+secret+"/draft", obj{"seo": obj{"title": "draft"}})
	k.ok(t, 200, "PUT /"+m.model+"/"+lone+"/schedule", obj{"publish_at": fromNow(time.Hour)})
	k.ok(t, 204, "DELETE /"+m.model+"/"+gone, nil)
	m.other = admin.ok(t, 201, "POST /releases", obj{"name": "other", "publish_at": fromNow(time.Hour),
		"items": list{item(m.model, lone, "publish"), item(m.model, en, "unpublish")}}).str(t, "data.id")
	m.mixed = admin.ok(t, 201, "POST /releases", obj{"name": "mixed", "publish_at": fromNow(time.Hour),
		"items": list{item(m.model, m.entries["de"].id, "publish"), item(m.model, lone, "publish")}}).str(t, "data.id")
	m.setting = strings.ReplaceAll(unique("matrix"), "-", "_")
	admin.ok(t, 200, "PUT /settings", list{obj{"group": "site", "key": m.setting, "value": m.file}})
	return m
}

// state is everything that a role could change without being allowed to.
func (m *matrixSite) state(t *testing.T, protected []string) map[string]string {
	t.Helper()
	admin, all := m.s.admin(t), map[string]string{}
	for _, name := range protected {
		e := m.entries[name]
		for _, page := range []string{"", "/draft", "/schedule", "/revisions"} {
			all[name+page] = string(admin.do(t, "GET /models/"+e.model+"/entries/"+e.id+page, nil).Raw)
		}
	}
	for name, path := range map[string]string{"other": "/releases/" + m.other, "mixed": "/releases/" + m.mixed} {
		all[name] = string(admin.ok(t, 200, "GET "+path, nil).Raw)
	}
	found := find(admin.ok(t, 200, "GET /settings", nil).get("data"), "key", m.setting)
	all["setting"] = fmt.Sprint(found["value"])
	return all
}

// change is a request that needs some actions on an entry.
type change struct {
	call  string
	body  any
	needs []string
}

// changes lists the requests that change an entry, now or later.
func (m *matrixSite) changes(t *testing.T, e matrixEntry) []change {
	t.Helper()
	at := "/models/" + e.model + "/entries/" + e.id
	write, publish, remove := []string{"write"}, []string{"write", "publish"}, []string{"delete"}
	if e == m.entries["gone"] {
		return []change{{"POST /trash/" + e.id + "/restore", nil, write},
			{"POST /jobs", obj{"action": "restore", "model": e.model, "ids": list{e.id}}, write}}
	}
	if e.published {
		remove = []string{"delete", "publish"}
	}
	save := write
	if e.published {
		save = publish
	}
	ids, filter := list{e.id}, obj{"locale": "any", "data.tag": e.tag}
	return []change{
		{"PUT " + at, obj{"title": "x"}, save},
		{"PUT " + at, obj{"status": "published", "title": "x"}, publish},
		{"PUT " + at, obj{"translation_of": nil}, save},
		{"PUT " + at + "/draft", obj{"title": "x"}, write},
		{"DELETE " + at + "/draft", nil, write},
		{"POST " + at + "/draft/merge", obj{"title": "x", "base_version": 1}, write},
		{"POST " + at + "/preview", nil, []string{"read"}},
		{"POST " + at + "/publish", nil, publish},
		{"POST " + at + "/unpublish", nil, save},
		{"PUT " + at + "/schedule", obj{"publish_at": fromNow(2 * time.Hour)}, publish},
		{"DELETE " + at + "/schedule", nil, publish},
		{"POST " + at + "/duplicate", nil, write},
		{"POST " + at + "/revisions/1/restore", nil, save},
		{"POST /releases", obj{"name": "own", "items": list{item(e.model, e.id, "publish")}}, publish},
		{"POST /jobs", obj{"action": "publish", "model": e.model, "ids": ids}, publish},
		{"POST /jobs", obj{"action": "archive", "model": e.model, "ids": ids}, save},
		{"POST /jobs", obj{"action": "set", "model": e.model, "ids": ids, "set": obj{"data": obj{"tag": "x"}}}, save},
		{"POST /jobs", obj{"action": "set", "model": e.model, "filter": filter, "set": obj{"data": obj{"tag": "x"}}}, save},
		{"POST /jobs", obj{"action": "unpublish", "model": e.model, "filter": filter}, save},
		{"POST /jobs", obj{"action": "delete", "model": e.model, "filter": filter}, remove},
		{"POST /jobs", obj{"action": "set", "model": e.model, "ids": ids, "set": obj{"status": "published"}}, publish},
		{"POST /jobs", obj{"action": "set", "model": e.model, "ids": ids, "set": obj{"translation_of": nil}}, save},
		{"POST /jobs", obj{"action": "delete", "model": e.model, "ids": ids}, remove},
		{"DELETE " + at, nil, remove},
	}
}

// ofOthers lists the requests that change releases, the trash, files, settings and content as a
// whole. No role with rules may do any of them.
func (m *matrixSite) ofOthers() []change {
	gone, lone := m.entries["gone"].id, m.entries["lone"]
	var all []change
	for _, release := range []string{m.other, m.mixed} {
		at := "/releases/" + release
		all = append(all, change{"PUT " + at, obj{"name": "x"}, nil}, change{"PUT " + at, obj{"publish_at": nil}, nil},
			change{"PUT " + at, obj{"publish_at": fromNow(3 * time.Hour)}, nil}, change{"PUT " + at, obj{"items": list{}}, nil},
			change{"PUT " + at, obj{"items": list{item(lone.model, lone.id, "unpublish")}}, nil},
			change{"POST " + at + "/publish", nil, nil}, change{"DELETE " + at, nil, nil})
	}
	return append(all,
		change{"DELETE /trash/" + gone, nil, nil},
		change{"POST /import", text("application/x-ndjson", `{"model":"`+m.model+`","id":"`+lone.id+`","title":"x"}`+"\n"), nil},
		change{"PUT /settings", list{obj{"group": "site", "key": m.setting, "value": "x"}}, nil},
		change{"PUT /models/" + m.model, obj{"name": "x"}, nil})
}

// roles are callers of whom none may change everything.
func (m *matrixSite) roles(t *testing.T) []matrixRole {
	t.Helper()
	made := func(name string, may func(action string, e matrixEntry) bool, rules ...any) matrixRole {
		_, c := m.s.role(t, rules...)
		return matrixRole{name, c, func(action string, e matrixEntry) bool { return e.model == m.model && may(action, e) }}
	}
	model := list{m.model}
	return []matrixRole{
		made("translator", func(action string, e matrixEntry) bool {
			return action == "read" || action == "write" && e.locale == "de"
		}, obj{"models": model, "actions": list{"read"}},
			obj{"models": model, "locales": list{"de"}, "actions": list{"read", "write"}}),
		made("german", func(_ string, e matrixEntry) bool { return e.locale == "de" },
			obj{"models": model, "locales": list{"de"}}),
		made("writer", func(action string, _ matrixEntry) bool { return action == "read" || action == "write" },
			obj{"models": model, "actions": list{"read", "write"}}),
		made("reader", func(action string, _ matrixEntry) bool { return action == "read" },
			obj{"models": model, "actions": list{"read"}}),
		made("files", func(string, matrixEntry) bool { return false }, obj{"models": list{"media"}}),
		made("nobody", func(string, matrixEntry) bool { return false }),
	}
}

// rightsMatrix has each role try each change that it may not make, and compares the state before
// and after. Jobs may be taken; they fail item by item.
func rightsMatrix(t *testing.T, s *suite) {
	m := newMatrixSite(t, s, 3)
	for _, role := range m.roles(t) {
		t.Run(role.name, func(t *testing.T) { m.try(t, role) })
	}
	t.Run("key", m.tryKey)
}

// tryKey sends the changes of entries with a key that is limited to a model and a locale.
func (m *matrixSite) tryKey(t *testing.T) {
	key := matrixRole{"key", m.s.key(t, obj{"models": list{m.model}, "locales": list{"de"}}),
		func(_ string, e matrixEntry) bool { return e.model == m.model && e.locale == "de" }}
	protected := slices.DeleteFunc(slices.Sorted(maps.Keys(m.entries)),
		func(name string) bool { return key.may("read", m.entries[name]) })
	before := m.state(t, protected)
	for _, name := range protected {
		e := m.entries[name]
		for _, c := range m.changes(t, e) {
			call := strings.Replace(c.call, "/models/"+e.model+"/entries/", "/"+e.model+"/", 1)
			if call == c.call || strings.HasSuffix(call, "/duplicate") || strings.HasSuffix(call, "/restore") {
				continue // not in the API
			}
			a := key.c.do(t, call, c.body)
			if a.Status < 400 || a.Status >= 500 {
				t.Errorf("%s %v: %d %.300s", call, c.body, a.Status, a.Raw)
			}
			m.leaks(t, key, call, a)
		}
		for _, call := range []string{"GET /" + e.model + "/" + e.id, "GET /" + e.model + "?filter[locale]=any", "GET /search?q=CANARY*"} {
			m.leaks(t, key, call, key.c.do(t, call, nil))
		}
	}
	m.same(t, "a key", before, protected)
}

// same compares the state with a former one.
func (m *matrixSite) same(t *testing.T, by string, before map[string]string, protected []string) {
	t.Helper()
	after := m.state(t, protected)
	for name, was := range before {
		if after[name] != was {
			t.Errorf("%s has changed %s\nfrom %.600s\nto   %.600s", by, name, was, after[name])
		}
	}
}

func (m *matrixSite) try(t *testing.T, role matrixRole) {
	all := m.ofOthers()
	var protected []string
	for _, name := range slices.Sorted(maps.Keys(m.entries)) {
		e, open := m.entries[name], 0
		changes := m.changes(t, e)
		for _, c := range changes {
			if slices.ContainsFunc(c.needs, func(action string) bool { return !role.may(action, e) }) {
				all = append(all, c)
				open++
			}
		}
		if open > 0 {
			protected = append(protected, name)
		}
	}
	before := m.state(t, protected)
	var jobs []string
	replace := ""
	for _, c := range all {
		a := role.c.do(t, c.call, c.body)
		switch {
		case a.Status == 202 && c.call == "POST /jobs":
			jobs = append(jobs, a.str(t, "data.id"))
		case a.Status < 400 || a.Status >= 500:
			t.Errorf("%s %v: %d %.300s", c.call, c.body, a.Status, a.Raw)
		}
		m.leaks(t, role, c.call, a)
	}
	if a := role.c.do(t, "POST /media/"+m.file+"/replace", obj{"with": m.file}); a.Status < 400 {
		t.Errorf("a file is replaced by itself: %d", a.Status)
	}
	if role.name == "files" {
		with := role.c.ok(t, 201, "POST /media", form(t, "new.png", pngFile(2, 2), nil)).str(t, "data.id")
		replace = role.c.ok(t, 202, "POST /media/"+m.file+"/replace", obj{"with": with}).str(t, "data.id")
		jobs = append(jobs, replace)
	}
	for _, id := range jobs {
		m.s.fired(t, "the job ends", func() bool {
			return m.s.admin(t).ok(t, 200, "GET /jobs/"+id, nil).get("data.status") != "running"
		})
		shown := role.c.do(t, "GET /jobs/"+id, nil)
		m.leaks(t, role, "GET /jobs/"+id, shown)
		for name, e := range m.entries {
			if id == replace && strings.Contains(string(shown.Raw), e.id) {
				t.Errorf("a replacement names the entry %s: %s", name, shown.Raw)
			}
		}
	}
	m.same(t, role.name, before, protected)
	for _, call := range []string{"GET /releases?per_page=25", "GET /jobs?per_page=25", "GET /trash?per_page=100",
		"GET /activity?per_page=100", "GET /search?q=CANARY*", "GET /models?per_page=100", "GET /"} {
		m.leaks(t, role, call, role.c.do(t, call, nil))
	}
}

// leaks reports entries that an answer shows to a role that may not read them.
func (m *matrixSite) leaks(t *testing.T, role matrixRole, call string, a answer) {
	t.Helper()
	for name, e := range m.entries {
		if !role.may("read", e) && strings.Contains(string(a.Raw), e.mark) {
			t.Errorf("%s shows %s the entry %s: %.400s", call, role.name, name, a.Raw)
		}
	}
}

// rightsInGroups saves, restores and joins what other members of a group share.
func rightsInGroups(t *testing.T, s *suite, size int) {
	m := newMatrixSite(t, s, size)
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(m.entries)), func(name string) bool { return name == "de" || name == "german" })
	before := m.state(t, others)
	en, de := m.entries["en"].id, m.entries["de"].id
	at := "/models/" + m.model + "/entries"
	for _, role := range m.roles(t)[:2] {
		for _, c := range []change{
			{"PUT " + at + "/" + de, obj{"data": obj{"price": 9}}, nil},
			{"POST " + at, obj{"title": "x", "locale": "de", "translation_of": en, "data": obj{"price": 9}}, nil},
			{"POST " + at + "/" + en + "/translate", obj{"locale": "de", "data": obj{"price": 9}}, nil},
			{"PUT " + at + "/" + en, obj{"translation_of": nil}, nil},
		} {
			if a := role.c.do(t, c.call, c.body); a.Status < 400 || a.Status >= 500 {
				t.Errorf("%s: %s %v: %d %.300s", role.name, c.call, c.body, a.Status, a.Raw)
			}
		}
		job := role.c.ok(t, 202, "POST /jobs", obj{"action": "set", "model": m.model, "filter": obj{"locale": "de"},
			"set": obj{"data": obj{"price": 9}}}).str(t, "data.id")
		s.fired(t, "the job ends", func() bool {
			return role.c.ok(t, 200, "GET /jobs/"+job, nil).get("data.status") != "running"
		})
	}
	m.same(t, "a role", before, others)
}
