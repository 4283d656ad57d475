package api

import (
	"encoding/json"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
	"headless/pkg/must"
)

// localeOfOne reads single entries with values of the parameter locale that are not active locales.
func localeOfOne(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	k, admin, home := s.Key(t, nil), s.Admin(t), s.DefaultLocale(t)
	const off = "gsw"
	s.UseLocale(t, off, "Schwiizerdütsch")
	admin.Put(t, "/locales/"+off, kit.Obj{"is_active": false, "fallback": "de"})
	model := s.Model(t, kit.Obj{"localized": true})
	single := s.Model(t, kit.Obj{"localized": true, "kind": "single"})
	id := k.Publish(t, model, "House", nil)
	k.Create(t, model, kit.Obj{"title": "Haus", "status": "published", "locale": "de", "translation_of": id})
	k.Create(t, single, kit.Obj{"title": "Draft"})
	k.Create(t, single, kit.Obj{"title": "Heim", "status": "published", "locale": "de"})
	one := "GET /" + model + "/"
	for _, value := range []string{"", "xx", "de," + home, off} {
		for _, call := range []string{one + id, one + "house", "GET /" + single, "GET /" + single + "/single"} {
			for _, more := range []string{"", "&fallback=true"} {
				call := call + "?locale=" + value + more
				if more != "" && call == "GET /"+single {
					continue
				}
				k.Step(t, kit.Step{Name: call, Call: call, Code: "ENTRY_NOT_FOUND"})
			}
		}
	}
	k.Run(t,
		kit.Step{Name: "any of a single type", Call: "GET /" + single + "?locale=any", Want: kit.Obj{"data.title": "Heim"}},
		kit.Step{Name: "any, by filter", Call: "GET /" + single + "/single?filter%5Blocale%5D=any",
			Want: kit.Obj{"data.title": "Heim"}},
		kit.Step{Name: "no filter", Call: one + "house?filter%5Blocale%5D="},
	)
	s.AdminKey(t).Step(t, kit.Step{Name: "the default first", Call: "GET /" + single + "?locale=any",
		Want: kit.Obj{"data.title": "Draft"}})
	admin.Delete(t, "/locales/"+off)
}

// inactiveLocale deactivates a locale with entries, which readers see nowhere then, and activates it again.
func inactiveLocale(t *testing.T, s *kit.Suite) {
	const off = "rm"
	s.UseLocale(t, off, "Rumantsch")
	k, admin := s.Key(t, nil), s.Admin(t)
	model := s.Model(t, kit.Obj{"localized": true})
	holder := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("one", "relation", kit.Obj{"model": model})}})
	word := strings.ReplaceAll(kit.Unique("word"), "-", "")
	id := k.Create(t, model, kit.Obj{"title": "Chasa", "slug": "chasa", "status": "published", "locale": off,
		"data": kit.Obj{"body": word}}).Str(t, "data.id")
	from := k.Publish(t, holder, "Holder", kit.Obj{"one": id})
	d := s.PublishableKey(t, kit.Obj{"models": kit.List{model, holder}})
	at := "GET /" + model
	// answers waits until a call answers as wanted, since each function keeps the locales for a while.
	answers := func(c *kit.Client, call string, status int, path string, want any) {
		t.Helper()
		s.Eventually(t, call, func() bool {
			a := c.Do(t, call, nil)
			return a.Status == status && kit.Compare(a.Get(path), want) == nil
		})
	}
	lists := func(c *kit.Client, n int) {
		t.Helper()
		for _, call := range []string{at + "?locale=any", at + "?filter[locale]=" + off, at + "?filter[locale][ne]=de",
			at + "?locale=any&q=" + word, "GET /search?locale=any&q=" + word,
			"GET /search?filter[locale]=" + off + "&q=" + word} {
			answers(c, call, 200, "meta.total", n)
		}
	}
	include := "GET /" + holder + "/" + from + "?include=one"
	shown := func(c *kit.Client) {
		t.Helper()
		answers(c, at+"/"+id, 200, "data.id", id)
		answers(c, include, 200, "data.data.one.id", id)
		lists(c, 1)
	}
	for _, c := range []*kit.Client{k, d} {
		shown(c)
	}
	admin.Put(t, "/locales/"+off, kit.Obj{"is_active": false})
	for _, c := range []*kit.Client{k, d} {
		for _, call := range []string{at + "/" + id, at + "/chasa?filter[locale]=" + off,
			at + "/" + id + "?fallback=true"} {
			answers(c, call, 404, "error.code", "ENTRY_NOT_FOUND")
		}
		answers(c, include, 200, "data.data", kit.Obj{"one": nil})
		lists(c, 0)
	}
	shown(s.AdminKey(t))
	admin.Put(t, "/locales/"+off, kit.Obj{"is_active": true})
	for _, c := range []*kit.Client{k, d} {
		shown(c)
	}
}

// orderOfMeta checks that the keys of meta are in the order of the extensions.
func orderOfMeta(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	model, k := s.Model(t, kit.Obj{"localized": true}), s.AdminKey(t)
	id := k.Publish(t, model, "House", nil)
	k.Put(t, "/"+model+"/"+id+"/draft", kit.Obj{"title": "Home"})
	for path, want := range map[string][]string{
		"/" + model + "?fallback=true&unknown=1": {"page", "per_page", "total", "next_cursor", "ignored",
			"requested_locale"},
		"/" + model + "/" + id + "?fallback=true&version=draft&unknown=1": {"ignored", "draft", "locale",
			"requested_locale"},
	} {
		req, _ := k.NewRequest(t, "GET "+path, nil)
		resp, err := k.HTTP.Do(req)
		must.Do(t, err)
		var body struct{ Meta json.RawMessage }
		err = json.NewDecoder(resp.Body).Decode(&body)
		resp.Body.Close()
		must.Do(t, err)
		kit.Same(t, path, keysOf(t, body.Meta), want)
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
