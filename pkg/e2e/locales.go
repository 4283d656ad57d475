package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// localeOfOne reads single entries with values of the parameter locale that are not active locales.
func localeOfOne(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	k, admin, home := s.key(t, nil), s.admin(t), s.defaultLocale(t)
	const off = "gsw"
	s.useLocale(t, off, "Schwiizerdütsch")
	admin.ok(t, 200, "PUT /locales/"+off, obj{"is_active": false, "fallback": "de"})
	model := s.model(t, obj{"localized": true})
	single := s.model(t, obj{"localized": true, "kind": "single"})
	id := k.publish(t, model, "House", nil)
	k.create(t, model, obj{"title": "Haus", "status": "published", "locale": "de", "translation_of": id})
	k.create(t, single, obj{"title": "Draft"})
	k.create(t, single, obj{"title": "Heim", "status": "published", "locale": "de"})
	one := "GET /" + model + "/"
	for _, value := range []string{"", "xx", "de," + home, off} {
		for _, call := range []string{one + id, one + "house", "GET /" + single, "GET /" + single +
			"/single"} {
			for _, more := range []string{"", "&fallback=true"} {
				call := call + "?locale=" + value + more
				if more != "" && call == "GET /"+single {
					continue
				}
				k.step(t, step{name: call, call: call, status: 404, code: "ENTRY_NOT_FOUND"})
			}
		}
	}
	k.run(t,
		step{name: "any of a single type", call: "GET /" + single + "?locale=any", status: 200,
			want: obj{"data.title": "Heim"}},
		step{name: "any, by filter", call: "GET /" + single + "/single?filter%5Blocale%5D=any",
			status: 200, want: obj{"data.title": "Heim"}},
		step{name: "no filter", call: one + "house?filter%5Blocale%5D=", status: 200},
	)
	s.adminKey(t).step(t, step{name: "the default first", call: "GET /" + single + "?locale=any",
		status: 200, want: obj{"data.title": "Draft"}})
	admin.ok(t, 204, "DELETE /locales/"+off, nil)
}

// inactiveLocale deactivates a locale with entries, which readers see nowhere then, and activates it again.
func inactiveLocale(t *testing.T, s *suite) {
	const off = "rm"
	s.useLocale(t, off, "Rumantsch")
	k, admin := s.key(t, nil), s.admin(t)
	model := s.model(t, obj{"localized": true})
	holder := s.model(t, obj{"fields": list{field("one", "relation", obj{"model": model})}})
	word := strings.ReplaceAll(unique("word"), "-", "")
	id := k.create(t, model, obj{"title": "Chasa", "slug": "chasa", "status": "published", "locale": off,
		"data": obj{"body": word}}).str(t, "data.id")
	from := k.publish(t, holder, "Holder", obj{"one": id})
	d := s.publishable(t, obj{"models": list{model, holder}})
	at := "GET /" + model
	// answers waits until a call answers as wanted, since each function keeps the locales for a while.
	answers := func(c *client, call string, status int, path string, want any) {
		t.Helper()
		s.eventually(t, call, func() bool {
			a := c.do(t, call, nil)
			return a.Status == status && compare(a.get(path), want) == nil
		})
	}
	lists := func(c *client, n int) {
		t.Helper()
		for _, call := range []string{at + "?locale=any", at + "?filter[locale]=" + off, at + "?filter[locale][ne]=de",
			at + "?locale=any&q=" + word, "GET /search?locale=any&q=" + word, "GET /search?filter[locale]=" + off + "&q=" + word} {
			answers(c, call, 200, "meta.total", n)
		}
	}
	include := "GET /" + holder + "/" + from + "?include=one"
	shown := func(c *client) {
		t.Helper()
		answers(c, at+"/"+id, 200, "data.id", id)
		answers(c, include, 200, "data.data.one.id", id)
		lists(c, 1)
	}
	for _, c := range []*client{k, d} {
		shown(c)
	}
	admin.ok(t, 200, "PUT /locales/"+off, obj{"is_active": false})
	for _, c := range []*client{k, d} {
		for _, call := range []string{at + "/" + id, at + "/chasa?filter[locale]=" + off, at + "/" + id + "?fallback=true"} {
			answers(c, call, 404, "error.code", "ENTRY_NOT_FOUND")
		}
		answers(c, include, 200, "data.data", obj{"one": nil})
		lists(c, 0)
	}
	shown(s.adminKey(t))
	admin.ok(t, 200, "PUT /locales/"+off, obj{"is_active": true})
	for _, c := range []*client{k, d} {
		shown(c)
	}
}

// orderOfMeta checks that the keys of meta are in the order of the extensions.
func orderOfMeta(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	model, k := s.model(t, obj{"localized": true}), s.adminKey(t)
	id := k.publish(t, model, "House", nil)
	k.ok(t, 200, "PUT /"+model+"/"+id+"/draft", obj{"title": "Home"})
	for path, want := range map[string][]string{
		"/" + model + "?fallback=true&unknown=1": {"page", "per_page", "total", "next_cursor", "ignored",
			"requested_locale"},
		"/" + model + "/" + id + "?fallback=true&version=draft&unknown=1": {"ignored", "draft", "locale",
			"requested_locale"},
	} {
		req, _ := k.request(t, "GET "+path, nil)
		resp, err := k.http.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var body struct{ Meta json.RawMessage }
		err = json.NewDecoder(resp.Body).Decode(&body)
		resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if got := keysOf(t, body.Meta); !slices.Equal(got, want) {
			t.Errorf("%s: meta has %q, want %q", path, got, want)
		}
	}
}

// keysOf lists the keys of an object in the order sent.
func keysOf(t *testing.T, object json.RawMessage) (keys []string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(object)))
	depth := 0
	for key := false; ; {
		token, err := d.Token()
		if err != nil {
			return keys
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
			key = depth == 1
			continue
		case json.Delim('}'), json.Delim(']'):
			depth--
		default:
			if name, ok := token.(string); ok && key && depth == 1 {
				keys = append(keys, name)
				key = false
				continue
			}
		}
		key = depth == 1
	}
}
