package site

import (
	"slices"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Settings has the scenarios of settings, locales and views.
var Settings = []kit.Scenario{
	{Name: "site/settings", Run: settings},
	{Name: "site/locales", Run: locales},
	{Name: "site/deleted locale", Run: deletedLocale},
	{Name: "site/default", Run: defaultLocale},
	{Name: "site/default of one language", Run: defaultOfOneLanguage},
	{Name: "site/views", Run: countViews},
}

func settings(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	s.UseLocale(t, "fr", "Français")
	home := s.DefaultLocale(t)
	admin, v := s.Admin(t), s.Public()
	mark := kit.Unique("value")
	r := kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"settings.updated"}})
	setting := func(group, key, value string, more kit.Obj) kit.Obj {
		return kit.Merge(kit.Obj{"group": group, "key": key, "value": value, "is_public": true,
			"is_translatable": false}, more)
	}
	admin.Put(t, "/settings", kit.List{setting("site", "name", mark, nil), setting("site", "tagline", mark+" home",
		kit.Obj{"is_translatable": true, "translations": kit.Obj{"de": mark + " deutsch", "fr": mark + " français"}}),
		setting("seo", "default_title", "{entry_title} - "+mark, nil),
		setting("mail", "password", mark+" secret", kit.Obj{"is_public": false}),
	})
	a := v.Step(t, kit.Step{Call: "GET /settings", Want: kit.Obj{
		"data.site.name": mark, "data.site.tagline": mark + " home",
		"data.seo.default_title": "{entry_title} - " + mark, "meta.locale": home,
	}, Header: kit.Obj{"Vary": kit.Contains("Accept-Language")}})
	a.Lacks(t, "no private setting", "secret")
	for _, row := range []struct{ name, query, accept, locale string }{
		{"parameter", "?locale=de", "fr", "de"}, {"unknown parameter", "?locale=tlh", "fr", "fr"},
		{"nothing known", "?locale=tlh", "tlh", home}, {"header", "", "fr", "fr"},
		{"region", "", "de-AT", "de"}, {"q-values", "", "fr;q=0.2, de;q=0.9", "de"},
		{"first known", "", "tlh, de;q=0.5", "de"}, {"star", "", "*", home},
		{"refused by q=0", "", "de;q=0", home}, {"rubbish", "", ";;q=,,=", home},
		{"parameter in another case", "?locale=DE", "", ""},
	} {
		c := v
		if row.accept != "" {
			c = v.With("Accept-Language", row.accept)
		}
		if row.locale == "" {
			c.Run(t, kit.Step{Name: row.name, Call: "GET /settings" + row.query})
			continue
		}
		tagline := map[string]string{home: mark + " home", "de": mark + " deutsch", "fr": mark + " français"}[row.locale]
		c.Run(t, kit.Step{Name: row.name, Call: "GET /settings" + row.query,
			Want: kit.Obj{"meta.locale": row.locale, "data.site.tagline": tagline, "data.site.name": mark}})
	}
	t.Run("event", func(t *testing.T) {
		d := r.Wait(t, s, 1)[0]
		d.Check(t, s, kit.HookSecret)
		if keys, ok := kit.Dig(d.Body, "data.keys").(kit.List); !ok || len(keys) == 0 {
			t.Errorf("keys: %s", d.Raw)
		}
	})
	t.Run("the rest stays", func(t *testing.T) {
		admin.Put(t, "/settings", kit.List{setting("site", "name", mark+"2", nil)})
		v.Step(t, kit.Step{Call: "GET /settings",
			Want: kit.Obj{"data.site.name": mark + "2", "data.site.tagline": mark + " home"}})
		listed := admin.Get(t, "/settings")
		if !strings.Contains(string(listed.Raw), mark+" secret") &&
			kit.Find(listed.Get("data"), "key", "password") == nil {
			t.Error("the admin area does not list the private setting")
		}
		for _, role := range []string{"viewer", "editor"} {
			_, _, c := s.User(t, role)
			c.Get(t, "/settings").Lacks(t, role, mark+" secret")
		}
	})
	t.Run("public only with what it holds", func(t *testing.T) {
		hidden := kit.Obj{"group": "mail", "key": "sealed", "value": mark + " sealed", "is_public": false,
			"is_translatable": true, "translations": kit.Obj{"de": mark + " verschlossen", "fr": mark + " scellé"}}
		admin.Put(t, "/settings", kit.List{hidden})
		_, writer := s.Role(t, kit.Obj{"models": kit.List{"settings"}, "actions": kit.List{"read", "write", "publish"}})
		public := func(more kit.Obj) kit.Obj {
			return kit.Merge(kit.Obj{"group": "mail", "key": "sealed", "is_public": true}, more)
		}
		for name, c := range map[string]*kit.Client{"writer": writer, "admin": admin} {
			for _, body := range []kit.Obj{public(nil), public(kit.Obj{"value": nil}), public(kit.Obj{"value": "x"}),
				public(kit.Obj{"value": "x", "translations": kit.Obj{"de": "y"}}),
				public(kit.Obj{"translations": kit.Obj{"de": "y", "fr": "z"}}),
				public(kit.Obj{"value": nil, "translations": kit.Obj{"de": "y", "fr": "z"}}),
				{"group": "mail", "key": "new", "is_public": true}} {
				c.Step(t, kit.Step{Name: name, Call: "PUT /settings", Body: kit.List{body}, Invalid: "0.value"})
			}
		}
		v.Get(t, "/settings").Lacks(t, "no private setting", "sealed")
		writer.Put(t, "/settings", kit.List{public(kit.Obj{"value": "open",
			"translations": kit.Obj{"de": "", "fr": "ouvert"}})})
		writer.Put(t, "/settings", kit.List{public(nil)}) // is public already
		v.Step(t, kit.Step{Call: "GET /settings?locale=fr", Want: kit.Obj{"data.mail.sealed": "ouvert"}})
		v.Step(t, kit.Step{Call: "GET /settings?locale=de", Want: kit.Obj{"data.mail.sealed": "open"}})
		admin.Delete(t, "/settings/mail/sealed")
	})
	t.Run("not public any more", func(t *testing.T) {
		admin.Put(t, "/settings", kit.List{setting("site", "name", mark, kit.Obj{"is_public": false})})
		v.Step(t, kit.Step{Call: "GET /settings", Want: kit.Obj{"data.site.name": ""}})
		admin.Put(t, "/settings", kit.List{setting("site", "name", mark, nil)})
	})
	admin.Run(t,
		kit.Step{Name: "not a list", Call: "PUT /settings", Body: kit.Text("application/json", `"x"`), Code: "BAD_REQUEST"},
		kit.Step{Name: "too many", Call: "PUT /settings", Body: slices.Repeat(kit.List{kit.Obj{}}, 76), Invalid: "75"},
		kit.Step{Name: "wrong types", Call: "PUT /settings",
			Body: kit.List{kit.Obj{"group": "site", "key": "name", "value": kit.Obj{}}}, Code: "VALIDATION_FAILED"},
		kit.Step{Name: "no address before paths", Call: "PUT /settings",
			Body:    kit.List{setting("site", "name", mark, nil), setting("site", "url", "www.example.com", nil)},
			Invalid: "1.value"},
	)
}

func locales(t *testing.T, s *kit.Suite) {
	admin, v := s.Admin(t), s.Public()
	for _, code := range []string{"eo", "yi"} {
		if a := admin.Do(t, "DELETE /locales/"+code, nil); a.Status != 204 && a.Status != 404 {
			t.Fatalf("DELETE %s: %d %s", code, a.Status, a.Raw)
		}
	}
	admin.Run(t,
		kit.Step{Name: "create", Call: "POST /locales",
			Body:   kit.Obj{"code": "yi", "name": "Yiddish", "native_name": "ייִדיש", "direction": "rtl", "sort_order": 901},
			Status: 201, Want: kit.Obj{"data.is_active": true, "data.is_default": false}},
		kit.Step{Name: "create another", Call: "POST /locales",
			Body: kit.Obj{"code": "eo", "name": "Esperanto", "native_name": "Esperanto",
				"direction": "ltr", "sort_order": 900}, Status: 201},
		kit.Step{Name: "taken", Call: "POST /locales", Body: kit.Obj{"code": "eo", "name": "x"}, Code: "CONFLICT"},
		kit.Step{Name: "bad code", Call: "POST /locales", Body: kit.Obj{"code": "not a code", "name": "x"}, Invalid: "code"},
		kit.Step{Name: "bad direction", Call: "POST /locales", Body: kit.Obj{"code": "sv", "name": "x", "direction": "up"},
			Invalid: "direction"},
		kit.Step{Name: "read", Call: "GET /locales/yi",
			Want: kit.Obj{"data.direction": "rtl", "data.native_name": "ייִדיש"}},
		kit.Step{Name: "unknown", Call: "GET /locales/tlh", Code: "NOT_FOUND"},
	)
	codes := kit.Column(v.Get(t, "/i18n/locales").Get("data"), "code")
	if joined := strings.Join(codes, " "); !strings.HasSuffix(joined, "eo yi") {
		t.Errorf("order %s, want eo yi at the end", joined)
	}
	admin.Put(t, "/locales/yi", kit.Obj{"is_active": false})
	v.Get(t, "/i18n/locales").Has(t, "no inactive locale", kit.Obj{"data": kit.Not(kit.Item(kit.Obj{"code": "yi"}))})
	model, k := s.Model(t, kit.Obj{"localized": true}), s.Key(t, nil)
	id := k.Create(t, model, kit.Obj{"title": "x", "locale": "eo"}).Str(t, "data.id")
	admin.Run(t, kit.Step{Name: "delete one in use", Call: "DELETE /locales/eo", Code: "CONFLICT"})
	k.Delete(t, "/"+model+"/"+id)
	admin.Delete(t, "/trash/"+id)
	admin.Run(t,
		kit.Step{Name: "delete", Call: "DELETE /locales/eo", Status: 204},
		kit.Step{Name: "delete an inactive one", Call: "DELETE /locales/yi", Status: 204},
	)
}

func defaultLocale(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	home := s.DefaultLocale(t)
	admin, v := s.Admin(t), s.Public()
	back := func() { admin.Put(t, "/locales/"+home, kit.Obj{"is_default": true}) }
	defer back()
	refused := []int{409, 422}
	for name, call := range map[string]kit.Step{
		"unset":      {Call: "PUT /locales/" + home, Body: kit.Obj{"is_default": false}},
		"deactivate": {Call: "PUT /locales/" + home, Body: kit.Obj{"is_active": false}},
		"delete":     {Call: "DELETE /locales/" + home},
	} {
		t.Run("cannot "+name, func(t *testing.T) {
			if a := admin.Do(t, call.Call, call.Body); a.Status != refused[0] && a.Status != refused[1] {
				t.Errorf("%d %s", a.Status, a.Raw)
			}
		})
	}
	admin.Put(t, "/locales/de", kit.Obj{"is_default": true})
	a := v.Get(t, "/i18n/locales")
	if n := strings.Count(strings.Join(kit.Column(a.Get("data"), "is_default"), " "), "true"); n != 1 ||
		kit.Str(kit.Find(a.Get("data"), "is_default", "true")["code"]) != "de" {
		t.Errorf("%d defaults: %s", n, a.Raw)
	}
	v.Step(t, kit.Step{Call: "GET /settings", Want: kit.Obj{"meta.locale": "de"}})
	model, k := s.Model(t, kit.Obj{"localized": true}), s.Key(t, nil)
	k.Step(t, kit.Step{Call: "POST /" + model, Body: kit.Obj{"title": "Neu", "status": "published"}, Status: 201,
		Want: kit.Obj{"data.locale": "de"}})
	k.Step(t, kit.Step{Call: "GET /" + model, Want: kit.Obj{"meta.total": 1}})
	back()
	v.Step(t, kit.Step{Call: "GET /settings", Want: kit.Obj{"meta.locale": home}})
	k.Step(t, kit.Step{Call: "GET /" + model, Want: kit.Obj{"meta.total": 0}})
}

// deletedLocale sends back a setting, a schema and a menu that name a deleted locale.
func deletedLocale(t *testing.T, s *kit.Suite) {
	const code = "vo"
	s.UseLocale(t, code, "Volapük")
	admin, home, key := s.Admin(t), s.DefaultLocale(t), strings.ReplaceAll(kit.Unique("motto"), "-", "_")
	admin.Put(t, "/settings", kit.List{kit.Obj{"group": "kept", "key": key, "value": "a", "is_public": true,
		"is_translatable": true, "translations": kit.Obj{code: "b"}}})
	defer admin.Delete(t, "/settings/kept/"+key)
	items := kit.Obj{home: kit.List{kit.Obj{"label": "a"}}, code: kit.List{kit.Obj{"label": "b"}}}
	one := "/menus/" + admin.Post(t, "/menus", kit.Obj{"slug": kit.Unique("menu"), "items": items}).Str(t, "data.slug")
	admin.Delete(t, "/locales/"+code)
	setting := kit.Find(admin.Get(t, "/settings").Get("data"), "key", key)
	planned := kit.Find(admin.Get(t, "/schema").Get("data.settings"), "key", key)
	admin.Run(t,
		kit.Step{Name: "the schema", Call: "POST /schema/plan",
			Body: kit.Obj{"schema": kit.Obj{"settings": kit.List{planned}}}, Want: kit.Obj{"data.changes.#": 0}},
		kit.Step{Name: "the setting", Call: "PUT /settings", Body: kit.List{setting}},
		kit.Step{Name: "the name of the menu", Call: "PUT " + one, Body: kit.Obj{"name": "Other"}},
		kit.Step{Name: "the menu", Call: "PUT " + one, Body: kit.Obj{"items": admin.Get(t, one).Get("data.items")},
			Want: kit.Obj{"data.items." + code + ".0.label": "b"}},
		kit.Step{Name: "other items", Call: "PUT " + one, Invalid: "items." + code,
			Body: kit.Obj{"items": kit.Obj{code: kit.List{kit.Obj{"label": "c"}}}}},
		kit.Step{Name: "without it", Call: "PUT " + one, Body: kit.Obj{"items": kit.Obj{home: items[home]}}},
		kit.Step{Name: "not again", Call: "PUT " + one, Body: kit.Obj{"items": items}, Invalid: "items." + code},
	)
}

// defaultOfOneLanguage makes another locale the default one. The entries of a model that is not localized stay
// together: at their addresses, in the tree and in files.
func defaultOfOneLanguage(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	home, admin, k := s.DefaultLocale(t), s.Admin(t), s.Key(t, nil)
	model, at := treeModel(t, s, kit.Obj{"localized": false})
	top := page(t, k, model, "Top", nil, nil)
	below := page(t, k, model, "Below", top, nil)
	defer admin.Put(t, "/locales/"+home, kit.Obj{"is_default": true})
	admin.Put(t, "/locales/de", kit.Obj{"is_default": true})
	k.Run(t,
		kit.Step{Name: "at its address", Call: "GET /resolve?path=" + at + "/top/below",
			Want: kit.Obj{"data.id": below, "meta.url": kit.Contains(at + "/top/below"), "meta.breadcrumbs.0.id": top}},
		kit.Step{Name: "below it", Call: "GET /" + model + "/tree?parent=" + top,
			Want: kit.Obj{"data.#": 1, "data.0.id": below}},
		kit.Step{Name: "a new one below it", Call: "POST /" + model, Body: kit.Obj{"title": "New", "parent": top},
			Status: 201, Want: kit.Obj{"data.locale": "de", "data.parent": top}},
	)
	file := kit.FileBody(t, "new.csv", []byte("slug,title\r\nbelow,Changed\r\n"), map[string]string{"mode": "publish"})
	job := admin.OK(t, 202, "POST /models/"+model+"/entries.csv", file).Str(t, "data.id")
	s.EndOfJob(t, job).Has(t, "the import", kit.Obj{"data.result.updated": 1, "data.result.created": 0})
}
