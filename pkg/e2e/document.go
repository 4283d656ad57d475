package e2e

import (
	"strings"
	"testing"
)

var documentScenarios = []scenario{
	{name: "document/live models", run: liveDocument},
	{name: "types of a key", run: typesOfKey},
}

// liveDocument reads the OpenAPI document with a key (extensions §10).
func liveDocument(t *testing.T, s *suite) {
	slug := s.model(t,
		obj{"fields": list{field("body", "textarea", nil),
			field("kind", "select", obj{"options": list{"a", "b"}}), field("secret", "text", nil)},
			"visible_fields": list{"body", "kind"}})
	closed := s.model(t, obj{"is_active": false})
	single := s.model(t, obj{"kind": "single"})
	first := s.model(t, nil)
	k := s.key(t, nil)
	a := k.ok(t, 200, "GET /openapi.json", nil)
	paths, _ := a.get("paths").(obj)
	for path, want := range map[string]bool{
		"/" + slug: true, "/" + slug + "/{idOrSlug}": true, "/" + closed: false, "/" + single +
			"/single": true, "/" + first: true, "/search": true,
	} {
		if _, got := paths[path]; got != want {
			t.Errorf("path %s: %v, want %v", path, got, want)
		}
	}
	name := pascal(slug)
	if got := a.get("components.schemas." + name + "Data.properties.kind.enum"); compare(got,
		list{"a", "b"}) != nil {
		t.Errorf("options %v", got)
	}
	for _, schema := range []string{name + "Entry", name + "Write", pascal(single) + "Entry"} {
		if a.get("components.schemas."+schema) == nil {
			t.Errorf("no schema %s", schema)
		}
	}
	if got := a.get("components.schemas." + name + "Data.properties.secret"); got != nil {
		t.Errorf("a field that the key does not see: %v", got)
	}
	if got := s.adminKey(t).ok(t, 200, "GET /openapi.json", nil).get("components.schemas." + name + "Data.properties.secret"); got == nil {
		t.Error("an admin key does not see all fields")
	}
	if got := a.Header.Get("Cache-Control"); contains("private")(got) != nil {
		t.Errorf("Cache-Control %q", got)
	}
	s.public().run(t,
		step{name: "without a key", call: "GET /openapi.json", status: 200,
			want: obj{"openapi": "3.1.0", "components.schemas." + name + "Entry": nil}},
	)
	s.public().with("X-API-Key", "pk_wrong").run(t,
		step{name: "half a key", call: "GET /openapi.json", status: 401, code: "UNAUTHORIZED"})
	k.with("X-API-Secret", "sk_wrong").run(t,
		step{name: "a wrong secret", call: "GET /openapi.json", status: 401, code: "UNAUTHORIZED"})
}

// typesOfKey reads the TypeScript file of a key's models.
func typesOfKey(t *testing.T, s *suite) {
	hidden := s.model(t, nil)
	slug := s.model(t, obj{"visible_fields": list{"rel", "body"}, "fields": list{field("body", "text", nil),
		field("rel", "relation", obj{"model": hidden}), field("unseen", "text", nil)}})
	k := s.key(t, obj{"models": list{slug}})
	a := k.ok(t, 200, "GET /types.ts", nil)
	file := string(a.Raw)
	for part, want := range map[string]bool{
		"export interface " + pascal(slug) + "Entry<": true, "rel?: string;": true, "unseen": false,
		pascal(hidden) + "Entry": false, "export class Client": true,
	} {
		if strings.Contains(file, part) != want {
			t.Errorf("%q in the file: %v, want %v", part, !want, want)
		}
	}
	if got := a.Header.Get("Content-Type"); got != "text/plain; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
	tag := a.Header.Get("ETag")
	if again := k.ok(t, 200, "GET /types.ts", nil); again.Header.Get("ETag") != tag || tag == "" {
		t.Errorf("the ETags of the same file are %q and %q", tag, again.Header.Get("ETag"))
	}
	k.with("If-None-Match", tag).ok(t, 304, "GET /types.ts", nil)
	s.public().step(t, step{call: "GET /types.ts", status: 401, code: "UNAUTHORIZED"})
}

// pascal converts a slug to the form with which names of schemas begin.
func pascal(slug string) string {
	name, upper := "", true
	for _, r := range slug {
		switch {
		case r == '-':
			upper = true
		case upper && r >= 'a' && r <= 'z':
			name, upper = name+string(r-32), false
		default:
			name, upper = name+string(r), false
		}
	}
	return name
}
