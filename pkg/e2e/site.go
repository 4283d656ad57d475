package e2e

import (
	"strings"
	"testing"
)

var siteScenarios = []scenario{
	{name: "site/settings", run: settings},
	{name: "site/locales", run: locales},
	{name: "site/default", run: defaultLocale},
	{name: "site/views", run: countViews},
}

func settings(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	s.useLocale(t, "fr", "Français")
	home := s.defaultLocale(t)
	admin, v := s.admin(t), s.public()
	mark := unique("value")
	r := newReceiver(t)
	s.subscribe(t, obj{"url": r.url, "events": list{"settings.updated"}})
	setting := func(group, key, value string, more obj) obj {
		o := obj{"group": group, "key": key, "value": value, "is_public": true, "is_translatable": false}
		for k, v := range more {
			o[k] = v
		}
		return o
	}
	admin.ok(t, 200, "PUT /settings", list{
		setting("site", "name", mark, nil),
		setting("site", "tagline", mark+" home",
			obj{"is_translatable": true, "translations": obj{"de": mark + " deutsch", "fr": mark +
				" français"}}),
		setting("seo", "default_title", "{entry_title} - "+mark, nil),
		setting("mail", "password", mark+" secret", obj{"is_public": false}),
	})
	a := v.step(t, step{call: "GET /settings", status: 200, want: obj{
		"data.site.name": mark, "data.site.tagline": mark + " home",
		"data.seo.default_title": "{entry_title} - " + mark, "meta.locale": home,
	}, header: obj{"Vary": contains("Accept-Language")}})
	if strings.Contains(string(a.Raw), "secret") {
		t.Errorf("a private setting is shown: %s", a.Raw)
	}
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
			c = v.with("Accept-Language", row.accept)
		}
		if row.locale == "" {
			c.run(t, step{name: row.name, call: "GET /settings" + row.query, status: 200})
			continue
		}
		tagline := map[string]string{home: mark + " home", "de": mark + " deutsch", "fr": mark +
			" français"}[row.locale]
		c.run(t, step{name: row.name, call: "GET /settings" + row.query, status: 200,
			want: obj{"meta.locale": row.locale, "data.site.tagline": tagline, "data.site.name": mark}})
	}
	t.Run("event", func(t *testing.T) {
		d := r.wait(t, s, 1)[0]
		d.check(t, s, hookSecret)
		if keys, ok := dig(d.body, "data.keys").(list); !ok || len(keys) == 0 {
			t.Errorf("keys: %s", d.raw)
		}
	})
	t.Run("the rest stays", func(t *testing.T) {
		admin.ok(t, 200, "PUT /settings", list{setting("site", "name", mark+"2", nil)})
		v.step(t,
			step{call: "GET /settings", status: 200,
				want: obj{"data.site.name": mark + "2", "data.site.tagline": mark + " home"}})
		listed := admin.ok(t, 200, "GET /settings", nil)
		if !strings.Contains(string(listed.Raw), mark+" secret") &&
			find(listed.get("data"), "key", "password") == nil {
			t.Error("the admin area does not list the private setting")
		}
	})
	t.Run("public only with what it holds", func(t *testing.T) {
		hidden := obj{"group": "mail", "key": "sealed", "value": mark + " sealed", "is_public": false,
			"is_translatable": true, "translations": obj{"de": mark + " verschlossen", "fr": mark + " scellé"}}
		admin.ok(t, 200, "PUT /settings", list{hidden})
		_, writer := s.role(t, obj{"models": list{"settings"}, "actions": list{"read", "write", "publish"}})
		public := func(more obj) obj {
			o := obj{"group": "mail", "key": "sealed", "is_public": true}
			for k, v := range more {
				o[k] = v
			}
			return o
		}
		for name, c := range map[string]*client{"writer": writer, "admin": admin} {
			for _, body := range []obj{public(nil), public(obj{"value": nil}), public(obj{"value": "x"}),
				public(obj{"value": "x", "translations": obj{"de": "y"}}),
				public(obj{"translations": obj{"de": "y", "fr": "z"}}),
				public(obj{"value": nil, "translations": obj{"de": "y", "fr": "z"}}), {"group": "mail", "key": "new", "is_public": true}} {
				c.step(t, step{name: name, call: "PUT /settings", body: list{body}, status: 422,
					code: "VALIDATION_FAILED", details: []string{"0.value"}})
			}
		}
		if a := v.ok(t, 200, "GET /settings", nil); strings.Contains(string(a.Raw), "sealed") {
			t.Errorf("the private setting is public: %s", a.Raw)
		}
		writer.ok(t, 200, "PUT /settings", list{public(obj{"value": "open", "translations": obj{"de": "", "fr": "ouvert"}})})
		writer.ok(t, 200, "PUT /settings", list{public(nil)}) // is public already
		v.step(t, step{call: "GET /settings?locale=fr", status: 200, want: obj{"data.mail.sealed": "ouvert"}})
		v.step(t, step{call: "GET /settings?locale=de", status: 200, want: obj{"data.mail.sealed": "open"}})
		admin.ok(t, 204, "DELETE /settings/mail/sealed", nil)
	})
	t.Run("not public any more", func(t *testing.T) {
		admin.ok(t, 200, "PUT /settings", list{setting("site", "name", mark, obj{"is_public": false})})
		v.step(t, step{call: "GET /settings", status: 200, want: obj{"data.site.name": ""}})
		admin.ok(t, 200, "PUT /settings", list{setting("site", "name", mark, nil)})
	})
	admin.run(t,
		step{name: "not a list", call: "PUT /settings", body: text("application/json", `"x"`),
			status: 400, code: "BAD_REQUEST"},
		step{name: "wrong types", call: "PUT /settings",
			body: list{obj{"group": "site", "key": "name", "value": obj{}}}, status: 422,
			code: "VALIDATION_FAILED"},
		step{name: "no address before paths", call: "PUT /settings",
			body:   list{setting("site", "name", mark, nil), setting("site", "url", "www.example.com", nil)},
			status: 422, code: "VALIDATION_FAILED", details: []string{"1.value"}},
	)
}

func locales(t *testing.T, s *suite) {
	admin, v := s.admin(t), s.public()
	for _, code := range []string{"eo", "yi"} {
		if a := admin.do(t, "DELETE /locales/"+code, nil); a.Status != 204 && a.Status != 404 {
			t.Fatalf("DELETE %s: %d %s", code, a.Status, a.Raw)
		}
	}
	admin.run(t,
		step{name: "create", call: "POST /locales", body: obj{"code": "yi", "name": "Yiddish",
			"native_name": "ייִדיש", "direction": "rtl", "sort_order": 901}, status: 201,
			want: obj{"data.is_active": true, "data.is_default": false}},
		step{name: "create another", call: "POST /locales",
			body: obj{"code": "eo", "name": "Esperanto", "native_name": "Esperanto",
				"direction": "ltr", "sort_order": 900}, status: 201},
		step{name: "taken", call: "POST /locales", body: obj{"code": "eo", "name": "x"},
			status: 409, code: "CONFLICT"},
		step{name: "bad code", call: "POST /locales", body: obj{"code": "not a code", "name": "x"},
			status: 422, code: "VALIDATION_FAILED", details: []string{"code"}},
		step{name: "bad direction", call: "POST /locales",
			body: obj{"code": "sv", "name": "x", "direction": "up"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"direction"}},
		step{name: "read", call: "GET /locales/yi", status: 200,
			want: obj{"data.direction": "rtl", "data.native_name": "ייִדיש"}},
		step{name: "unknown", call: "GET /locales/tlh", status: 404, code: "NOT_FOUND"},
	)
	codes := column(v.ok(t, 200, "GET /i18n/locales", nil).get("data"), "code")
	if joined := strings.Join(codes, " "); !strings.HasSuffix(joined, "eo yi") {
		t.Errorf("order %s, want eo yi at the end", joined)
	}
	admin.ok(t, 200, "PUT /locales/yi", obj{"is_active": false})
	if l := find(v.ok(t, 200, "GET /i18n/locales", nil).get("data"), "code", "yi"); l != nil {
		t.Error("an inactive locale is listed")
	}
	model, k := s.model(t, obj{"localized": true}), s.key(t, nil)
	id := k.create(t, model, obj{"title": "x", "locale": "eo"}).str(t, "data.id")
	admin.run(t, step{name: "delete one in use", call: "DELETE /locales/eo", status: 409, code: "CONFLICT"})
	k.ok(t, 204, "DELETE /"+model+"/"+id, nil)
	admin.ok(t, 204, "DELETE /trash/"+id, nil)
	admin.run(t,
		step{name: "delete", call: "DELETE /locales/eo", status: 204},
		step{name: "delete an inactive one", call: "DELETE /locales/yi", status: 204},
	)
}

func defaultLocale(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	home := s.defaultLocale(t)
	admin, v := s.admin(t), s.public()
	back := func() { admin.ok(t, 200, "PUT /locales/"+home, obj{"is_default": true}) }
	defer back()
	refused := []int{409, 422}
	for name, call := range map[string]step{
		"unset":      {call: "PUT /locales/" + home, body: obj{"is_default": false}},
		"deactivate": {call: "PUT /locales/" + home, body: obj{"is_active": false}},
		"delete":     {call: "DELETE /locales/" + home},
	} {
		t.Run("cannot "+name, func(t *testing.T) {
			if a := admin.do(t, call.call, call.body); a.Status != refused[0] && a.Status != refused[1] {
				t.Errorf("%d %s", a.Status, a.Raw)
			}
		})
	}
	admin.ok(t, 200, "PUT /locales/de", obj{"is_default": true})
	a := v.ok(t, 200, "GET /i18n/locales", nil)
	if n := strings.Count(strings.Join(column(a.get("data"), "is_default"), " "), "true"); n != 1 ||
		str(find(a.get("data"), "is_default", "true")["code"]) != "de" {
		t.Errorf("%d defaults: %s", n, a.Raw)
	}
	v.step(t, step{call: "GET /settings", status: 200, want: obj{"meta.locale": "de"}})
	model, k := s.model(t, obj{"localized": true}), s.key(t, nil)
	k.step(t, step{call: "POST /" + model, body: obj{"title": "Neu", "status": "published"},
		status: 201, want: obj{"data.locale": "de"}})
	k.step(t, step{call: "GET /" + model, status: 200, want: obj{"meta.total": 1}})
	back()
	v.step(t, step{call: "GET /settings", status: 200, want: obj{"meta.locale": home}})
	k.step(t, step{call: "GET /" + model, status: 200, want: obj{"meta.total": 0}})
}
