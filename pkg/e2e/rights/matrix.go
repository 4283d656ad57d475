package rights

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/e2e/kit"
)

// matrixSite has entries, plans and releases of others, in groups of a given size.
type matrixSite struct {
	s                  *kit.Suite
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
	c    *kit.Client
	may  func(action string, e matrixEntry) bool
}

func newMatrixSite(t *testing.T, s *kit.Suite, size int) *matrixSite {
	t.Helper()
	k, admin := s.Key(t, nil), s.Admin(t)
	s.UseLocale(t, "de", "Deutsch")
	m := &matrixSite{s: s, entries: map[string]matrixEntry{}}
	m.hidden = s.Model(t, kit.Obj{"fields": kit.List{kit.Field("tag", "text", nil), kit.Field("cover", "media", nil)}})
	m.model = s.Model(t, kit.Obj{"localized": true,
		"fields": kit.List{kit.SharedField("price", "number"), kit.Field("tag", "text", nil),
			kit.Field("cover", "media", nil), kit.Field("rel", "relation", kit.Obj{"model": m.hidden})}})
	m.file = k.Upload(t, "old.png", kit.PNG(1, 1), nil).Str(t, "data.id")
	add := func(name, model, locale string, published bool, more kit.Obj) string {
		t.Helper()
		mark := "CANARY" + strings.ReplaceAll(kit.Unique("x"), "-", "")
		tag := kit.Unique("tag")
		body := kit.Obj{"title": mark, "data": kit.Obj{"tag": tag, "cover": m.file}}
		if model == m.model {
			body["locale"] = locale
		}
		if published {
			body["status"] = "published"
		}
		maps.Copy(body, more)
		id := k.Create(t, model, body).Str(t, "data.id")
		m.entries[name] = matrixEntry{model, id, locale, mark, tag, published}
		return id
	}
	en := add("en", m.model, "en", true, nil)
	add("de", m.model, "de", false, kit.Obj{"translation_of": en})
	for i := range size - 2 {
		code := fmt.Sprintf("x%c", 'a'+i)
		s.UseLocale(t, code, code)
		add(code, m.model, code, i%2 == 0, kit.Obj{"translation_of": en})
	}
	lone := add("lone", m.model, "en", false, nil)
	add("german", m.model, "de", true, nil)
	secret := add("secret", m.hidden, "en", true, nil)
	gone := add("gone", m.model, "en", false, nil)
	k.Put(t, "/"+m.model+"/"+en+"/draft", kit.Obj{"seo": kit.Obj{"title": "draft"}})
	k.Put(t, "/"+m.hidden+"/"+secret+"/draft", kit.Obj{"seo": kit.Obj{"title": "draft"}})
	k.Put(t, "/"+m.model+"/"+lone+"/schedule", kit.Obj{"publish_at": kit.FromNow(time.Hour)})
	k.Delete(t, "/"+m.model+"/"+gone)
	m.other = admin.Post(t, "/releases", kit.Obj{"name": "other", "publish_at": kit.FromNow(time.Hour),
		"items": kit.List{kit.ReleaseItem(m.model, lone, "publish"), kit.ReleaseItem(m.model, en, "unpublish")}}).Str(t,
		"data.id")
	m.mixed = admin.Post(t, "/releases", kit.Obj{"name": "mixed", "publish_at": kit.FromNow(time.Hour),
		"items": kit.List{kit.ReleaseItem(m.model, m.entries["de"].id, "publish"),
			kit.ReleaseItem(m.model, lone, "publish")}}).Str(t, "data.id")
	m.setting = strings.ReplaceAll(kit.Unique("matrix"), "-", "_")
	admin.Put(t, "/settings", kit.List{kit.Obj{"group": "site", "key": m.setting, "value": m.file}})
	return m
}

// state is everything that a role could change without being allowed to.
func (m *matrixSite) state(t *testing.T, protected []string) map[string]string {
	t.Helper()
	admin, all := m.s.Admin(t), map[string]string{}
	for _, name := range protected {
		e := m.entries[name]
		for _, page := range []string{"", "/draft", "/schedule", "/revisions"} {
			all[name+page] = string(admin.Do(t, "GET /models/"+e.model+"/entries/"+e.id+page, nil).Raw)
		}
	}
	for name, path := range map[string]string{"other": "/releases/" + m.other, "mixed": "/releases/" + m.mixed} {
		all[name] = string(admin.Get(t, path).Raw)
	}
	found := kit.Find(admin.Get(t, "/settings").Get("data"), "key", m.setting)
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
			{"POST /jobs", kit.Obj{"action": "restore", "model": e.model, "ids": kit.List{e.id}}, write}}
	}
	if e.published {
		remove = []string{"delete", "publish"}
	}
	save := write
	if e.published {
		save = publish
	}
	ids, filter := kit.List{e.id}, kit.Obj{"locale": "any", "data.tag": e.tag}
	return []change{
		{"PUT " + at, kit.Obj{"title": "x"}, save},
		{"PUT " + at, kit.Obj{"status": "published", "title": "x"}, publish},
		{"PUT " + at, kit.Obj{"translation_of": nil}, save},
		{"PUT " + at + "/draft", kit.Obj{"title": "x"}, write},
		{"DELETE " + at + "/draft", nil, write},
		{"POST " + at + "/draft/merge", kit.Obj{"title": "x", "base_version": 1}, write},
		{"POST " + at + "/preview", nil, []string{"read"}},
		{"POST " + at + "/publish", nil, publish},
		{"POST " + at + "/unpublish", nil, save},
		{"PUT " + at + "/schedule", kit.Obj{"publish_at": kit.FromNow(2 * time.Hour)}, publish},
		{"DELETE " + at + "/schedule", nil, publish},
		{"POST " + at + "/duplicate", nil, write},
		{"POST " + at + "/revisions/1/restore", nil, save},
		{"POST /releases", kit.Obj{"name": "own", "items": kit.List{kit.ReleaseItem(e.model, e.id, "publish")}}, publish},
		{"POST /jobs", kit.Obj{"action": "publish", "model": e.model, "ids": ids}, publish},
		{"POST /jobs", kit.Obj{"action": "archive", "model": e.model, "ids": ids}, save},
		{"POST /jobs", kit.Obj{"action": "set", "model": e.model, "ids": ids,
			"set": kit.Obj{"data": kit.Obj{"tag": "x"}}}, save},
		{"POST /jobs", kit.Obj{"action": "set", "model": e.model, "filter": filter,
			"set": kit.Obj{"data": kit.Obj{"tag": "x"}}}, save},
		{"POST /jobs", kit.Obj{"action": "unpublish", "model": e.model, "filter": filter}, save},
		{"POST /jobs", kit.Obj{"action": "delete", "model": e.model, "filter": filter}, remove},
		{"POST /jobs", kit.Obj{"action": "set", "model": e.model, "ids": ids, "set": kit.Obj{"status": "published"}},
			publish},
		{"POST /jobs", kit.Obj{"action": "set", "model": e.model, "ids": ids, "set": kit.Obj{"translation_of": nil}}, save},
		{"POST /jobs", kit.Obj{"action": "delete", "model": e.model, "ids": ids}, remove},
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
		all = append(all, change{"PUT " + at, kit.Obj{"name": "x"}, nil},
			change{"PUT " + at, kit.Obj{"publish_at": nil}, nil},
			change{"PUT " + at, kit.Obj{"publish_at": kit.FromNow(3 * time.Hour)}, nil},
			change{"PUT " + at, kit.Obj{"items": kit.List{}}, nil},
			change{"PUT " + at, kit.Obj{"items": kit.List{kit.ReleaseItem(lone.model, lone.id, "unpublish")}}, nil},
			change{"POST " + at + "/publish", nil, nil}, change{"DELETE " + at, nil, nil})
	}
	return append(all,
		change{"DELETE /trash/" + gone, nil, nil},
		change{"POST /import", kit.Text("application/x-ndjson",
			`{"model":"`+m.model+`","id":"`+lone.id+`","title":"x"}`+"\n"), nil},
		change{"PUT /settings", kit.List{kit.Obj{"group": "site", "key": m.setting, "value": "x"}}, nil},
		change{"PUT /models/" + m.model, kit.Obj{"name": "x"}, nil})
}

// roles are callers of whom none may change everything.
func (m *matrixSite) roles(t *testing.T) []matrixRole {
	t.Helper()
	made := func(name string, may func(action string, e matrixEntry) bool, rules ...any) matrixRole {
		_, c := m.s.Role(t, rules...)
		return matrixRole{name, c, func(action string, e matrixEntry) bool {
			return e.model == m.model && may(action, e)
		}}
	}
	model := kit.List{m.model}
	return []matrixRole{
		made("translator", func(action string, e matrixEntry) bool {
			return action == "read" || action == "write" && e.locale == "de"
		}, kit.Obj{"models": model, "actions": kit.List{"read"}},
			kit.Obj{"models": model, "locales": kit.List{"de"}, "actions": kit.List{"read", "write"}}),
		made("german", func(_ string, e matrixEntry) bool { return e.locale == "de" },
			kit.Obj{"models": model, "locales": kit.List{"de"}}),
		made("writer", func(action string, _ matrixEntry) bool { return action == "read" || action == "write" },
			kit.Obj{"models": model, "actions": kit.List{"read", "write"}}),
		made("reader", func(action string, _ matrixEntry) bool { return action == "read" },
			kit.Obj{"models": model, "actions": kit.List{"read"}}),
		made("files", func(string, matrixEntry) bool { return false }, kit.Obj{"models": kit.List{"media"}}),
		made("nobody", func(string, matrixEntry) bool { return false }),
	}
}

// rightsMatrix has each role try each change that it may not make, and compares the state before
// and after. Jobs may be taken; they fail item by item.
func rightsMatrix(t *testing.T, s *kit.Suite) {
	m := newMatrixSite(t, s, 3)
	for _, role := range m.roles(t) {
		t.Run(role.name, func(t *testing.T) { m.try(t, role) })
	}
	t.Run("key", m.tryKey)
}

// tryKey sends the changes of entries with a key that is limited to a model and a locale.
func (m *matrixSite) tryKey(t *testing.T) {
	key := matrixRole{"key", m.s.Key(t, kit.Obj{"models": kit.List{m.model}, "locales": kit.List{"de"}}),
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
			a := key.c.Do(t, call, c.body)
			if a.Status < 400 || a.Status >= 500 {
				t.Errorf("%s %v: %d %.300s", call, c.body, a.Status, a.Raw)
			}
			m.leaks(t, key, call, a)
		}
		for _, call := range []string{"GET /" + e.model + "/" + e.id, "GET /" + e.model + "?filter[locale]=any",
			"GET /search?q=CANARY*"} {
			m.leaks(t, key, call, key.c.Do(t, call, nil))
		}
	}
	m.same(t, "a key", before, protected)
}

// same compares the state with a former one.
func (m *matrixSite) same(t *testing.T, by string, before map[string]string, protected []string) {
	t.Helper()
	after := m.state(t, protected)
	for name, was := range before {
		kit.Same(t, by+" changes "+name, after[name], was)
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
		a := role.c.Do(t, c.call, c.body)
		switch {
		case a.Status == 202 && c.call == "POST /jobs":
			jobs = append(jobs, a.Str(t, "data.id"))
		case a.Status < 400 || a.Status >= 500:
			t.Errorf("%s %v: %d %.300s", c.call, c.body, a.Status, a.Raw)
		}
		m.leaks(t, role, c.call, a)
	}
	if a := role.c.Do(t, "POST /media/"+m.file+"/replace", kit.Obj{"with": m.file}); a.Status < 400 {
		t.Errorf("a file is replaced by itself: %d", a.Status)
	}
	if role.name == "files" {
		with := role.c.Post(t, "/media", kit.FileBody(t, "new.png", kit.PNG(2, 2), nil)).Str(t, "data.id")
		replace = role.c.OK(t, 202, "POST /media/"+m.file+"/replace", kit.Obj{"with": with}).Str(t, "data.id")
		jobs = append(jobs, replace)
	}
	for _, id := range jobs {
		m.s.Eventually(t, "the job ends", func() bool {
			return m.s.Admin(t).Get(t, "/jobs/"+id).Get("data.status") != "running"
		})
		shown := role.c.Do(t, "GET /jobs/"+id, nil)
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
		m.leaks(t, role, call, role.c.Do(t, call, nil))
	}
}

// leaks reports entries that an answer shows to a role that may not read them.
func (m *matrixSite) leaks(t *testing.T, role matrixRole, call string, a kit.Answer) {
	t.Helper()
	for name, e := range m.entries {
		if !role.may("read", e) && strings.Contains(string(a.Raw), e.mark) {
			t.Errorf("%s shows %s the entry %s: %.400s", call, role.name, name, a.Raw)
		}
	}
}

// rightsInGroups saves, restores and joins what other members of a group share.
func rightsInGroups(t *testing.T, s *kit.Suite, size int) {
	m := newMatrixSite(t, s, size)
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(m.entries)),
		func(name string) bool { return name == "de" || name == "german" })
	before := m.state(t, others)
	en, de := m.entries["en"].id, m.entries["de"].id
	at := "/models/" + m.model + "/entries"
	for _, role := range m.roles(t)[:2] {
		for _, c := range []change{
			{"PUT " + at + "/" + de, kit.Obj{"data": kit.Obj{"price": 9}}, nil},
			{"POST " + at, kit.Obj{"title": "x", "locale": "de", "translation_of": en, "data": kit.Obj{"price": 9}}, nil},
			{"POST " + at + "/" + en + "/translate", kit.Obj{"locale": "de", "data": kit.Obj{"price": 9}}, nil},
			{"PUT " + at + "/" + en, kit.Obj{"translation_of": nil}, nil},
		} {
			if a := role.c.Do(t, c.call, c.body); a.Status < 400 || a.Status >= 500 {
				t.Errorf("%s: %s %v: %d %.300s", role.name, c.call, c.body, a.Status, a.Raw)
			}
		}
		job := role.c.OK(t, 202, "POST /jobs",
			kit.Obj{"action": "set", "model": m.model, "filter": kit.Obj{"locale": "de"},
				"set": kit.Obj{"data": kit.Obj{"price": 9}}}).Str(t, "data.id")
		s.Eventually(t, "the job ends", func() bool {
			return role.c.Get(t, "/jobs/"+job).Get("data.status") != "running"
		})
	}
	m.same(t, "a role", before, others)
}
