package e2e

import "testing"

// schemaRoles moves roles by a schema (extensions §10, §11).
func schemaRoles(t *testing.T, s *suite) {
	c := s.admin(t)
	model, role, used := unique("sm"), unique("sr"), unique("su")
	rules := list{obj{"models": list{model}, "locales": list{}, "actions": list{"read", "write"}}}
	schema := obj{
		"models": list{obj{"slug": model, "name": "M", "fields": list{field("body", "text", nil)}}},
		"roles": list{
			obj{"slug": role, "name": "Translator", "rules": rules, "require_totp": false},
			obj{"slug": used, "name": "Used", "rules": list{}, "require_totp": false},
		},
	}
	_, changes := planned(t, c, schema)
	if got := changes["roles."+role]; got["op"] != "create" || got["kind"] != "role" ||
		got["risk"] != "safe" {
		t.Errorf("a new role: %v", got)
	}
	applied(t, c, schema)
	c.run(t,
		step{name: "made", call: "GET /roles/" + role, status: 200,
			want: obj{"data.name": "Translator", "data.rules.0.models": list{model}}},
		step{name: "again", call: "POST /schema/plan", body: obj{"schema": schema}, status: 200,
			want: obj{"data.changes": list{}}},
	)
	document := c.ok(t, 200, "GET /schema", nil)
	shown := find(document.get("data.roles"), "slug", role)
	if shown == nil || find(document.get("data.roles"), "slug", "viewer") == nil {
		t.Fatalf("roles of the document: %v", document.get("data.roles"))
	}
	c.run(t, step{
		name: "what was read changes nothing", call: "POST /schema/plan",
		body:   obj{"schema": obj{"roles": document.get("data.roles")}},
		status: 200, want: obj{"data.changes": list{}},
	})
	applied(t, c, obj{"roles": list{obj{"slug": role, "name": "Renamed"}}})
	c.run(t, step{name: "changed", call: "GET /roles/" + role, status: 200,
		want: obj{"data.name": "Renamed", "data.rules.0.models": list{model}}})
	s.user(t, used)
	for name, refused := range map[string]obj{
		"a built-in role":      {"roles": list{obj{"slug": "editor", "name": "Other"}}},
		"a built-in role goes": {"deletes": obj{"roles": list{"admin"}}},
		"no such model": {"roles": list{obj{"slug": unique("sx"), "name": "X",
			"rules": list{obj{"models": list{"nothing-there"}}}}}},
		"no slug":    {"roles": list{obj{"name": "X"}}},
		"not a slug": {"roles": list{obj{"slug": "Not A Slug", "name": "X"}}},
	} {
		c.run(t, step{name: name, call: "POST /schema/plan", body: obj{"schema": refused},
			status: 422, code: "VALIDATION_FAILED"})
	}
	deletes := obj{"deletes": obj{"roles": list{used}}}
	id, _ := planned(t, c, deletes)
	c.run(t, step{name: "a role in use", call: "POST /schema/apply",
		body: obj{"schema": deletes, "plan_id": id}, status: 409, code: "CONFLICT"})
	applied(t, c, obj{"deletes": obj{"roles": list{role}, "models": list{model}}})
	c.run(t, step{name: "deleted", call: "GET /roles/" + role, status: 404, code: "NOT_FOUND"})
}
