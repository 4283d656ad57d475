package api

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Documents has the scenarios of the OpenAPI document and the types of a key.
var Documents = []kit.Scenario{
	{Name: "document/live models", Run: liveDocument},
	{Name: "types of a key", Run: typesOfKey},
}

// liveDocument reads the OpenAPI document with a key (extensions §10).
func liveDocument(t *testing.T, s *kit.Suite) {
	slug := s.Model(t,
		kit.Obj{"fields": kit.List{kit.Field("body", "textarea", nil),
			kit.Field("kind", "select", kit.Obj{"options": kit.List{"a", "b"}}), kit.Field("secret", "text", nil)},
			"visible_fields": kit.List{"body", "kind"}})
	closed := s.Model(t, kit.Obj{"is_active": false})
	single := s.Model(t, kit.Obj{"kind": "single"})
	first := s.Model(t, nil)
	k := s.Key(t, nil)
	a := k.Get(t, "/openapi.json")
	paths, _ := a.Get("paths").(kit.Obj)
	for path, want := range map[string]bool{
		"/" + slug: true, "/" + slug + "/{idOrSlug}": true, "/" + closed: false, "/" + single +
			"/single": true, "/" + first: true, "/search": true,
	} {
		if _, got := paths[path]; got != want {
			t.Errorf("path %s: %v, want %v", path, got, want)
		}
	}
	name := pascal(slug)
	a.Has(t, "options", kit.Obj{"components.schemas." + name + "Data.properties.kind.enum": kit.List{"a", "b"}})
	for _, schema := range []string{name + "Entry", name + "Write", pascal(single) + "Entry"} {
		a.Has(t, "the document", kit.Obj{"components.schemas." + schema: kit.Present})
	}
	if got := a.Get("components.schemas." + name + "Data.properties.secret"); got != nil {
		t.Errorf("a field that the key does not see: %v", got)
	}
	document := s.AdminKey(t).Get(t, "/openapi.json")
	if got := document.Get("components.schemas." + name + "Data.properties.secret"); got == nil {
		t.Error("an admin key does not see all fields")
	}
	if got := a.Header.Get("Cache-Control"); kit.Contains("private")(got) != nil {
		t.Errorf("Cache-Control %q", got)
	}
	s.Public().Run(t,
		kit.Step{Name: "without a key", Call: "GET /openapi.json",
			Want: kit.Obj{"openapi": "3.1.0", "components.schemas." + name + "Entry": nil}},
	)
	s.Public().With("X-API-Key", "pk_wrong").Run(t,
		kit.Step{Name: "half a key", Call: "GET /openapi.json", Code: "UNAUTHORIZED"})
	k.With("X-API-Secret", "sk_wrong").Run(t,
		kit.Step{Name: "a wrong secret", Call: "GET /openapi.json", Code: "UNAUTHORIZED"})
}

// typesOfKey reads the TypeScript file of a key's models.
func typesOfKey(t *testing.T, s *kit.Suite) {
	hidden := s.Model(t, nil)
	slug := s.Model(t, kit.Obj{"visible_fields": kit.List{"rel", "body"},
		"fields": kit.List{kit.Field("body", "text", nil),
			kit.Field("rel", "relation", kit.Obj{"model": hidden}), kit.Field("unseen", "text", nil)}})
	k := s.Key(t, kit.Obj{"models": kit.List{slug}})
	a := k.Get(t, "/types.ts")
	file := string(a.Raw)
	for part, want := range map[string]bool{
		"export interface " + pascal(slug) + "Entry<": true, "rel?: string;": true, "unseen": false,
		pascal(hidden) + "Entry": false, "export class Client": true,
	} {
		kit.Same(t, part, strings.Contains(file, part), want)
	}
	kit.Same(t, "Content-Type", a.Header.Get("Content-Type"), "text/plain; charset=utf-8")
	tag := a.Header.Get("ETag")
	if again := k.Get(t, "/types.ts"); again.Header.Get("ETag") != tag || tag == "" {
		t.Errorf("the ETags of the same file are %q and %q", tag, again.Header.Get("ETag"))
	}
	k.With("If-None-Match", tag).OK(t, 304, "GET /types.ts", nil)
	s.Public().Step(t, kit.Step{Call: "GET /types.ts", Code: "UNAUTHORIZED"})
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
