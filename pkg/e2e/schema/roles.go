package schema

import (
	"testing"

	"headless/pkg/e2e/kit"
)

// schemaRoles moves roles by a schema (extensions §10, §11).
func schemaRoles(t *testing.T, s *kit.Suite) {
	c := s.Admin(t)
	model, role, used := kit.Unique("sm"), kit.Unique("sr"), kit.Unique("su")
	rules := kit.List{kit.Obj{"models": kit.List{model}, "locales": kit.List{}, "actions": kit.List{"read", "write"}}}
	schema := kit.Obj{
		"models": kit.List{kit.Obj{"slug": model, "name": "M", "fields": kit.List{kit.Field("body", "text", nil)}}},
		"roles": kit.List{
			kit.Obj{"slug": role, "name": "Translator", "rules": rules, "require_totp": false},
			kit.Obj{"slug": used, "name": "Used", "rules": kit.List{}, "require_totp": false},
		},
	}
	_, changes := planned(t, c, schema)
	if got := changes["roles."+role]; got["op"] != "create" || got["kind"] != "role" ||
		got["risk"] != "safe" {
		t.Errorf("a new role: %v", got)
	}
	applied(t, c, schema)
	c.Run(t,
		kit.Step{Name: "made", Call: "GET /roles/" + role,
			Want: kit.Obj{"data.name": "Translator", "data.rules.0.models": kit.List{model}}},
		kit.Step{Name: "again", Call: "POST /schema/plan", Body: kit.Obj{"schema": schema},
			Want: kit.Obj{"data.changes": kit.List{}}},
	)
	document := c.Get(t, "/schema")
	shown := kit.Find(document.Get("data.roles"), "slug", role)
	if shown == nil || kit.Find(document.Get("data.roles"), "slug", "viewer") == nil {
		t.Fatalf("roles of the document: %v", document.Get("data.roles"))
	}
	c.Run(t, kit.Step{Name: "what was read changes nothing", Call: "POST /schema/plan",
		Body: kit.Obj{"schema": kit.Obj{"roles": document.Get("data.roles")}}, Want: kit.Obj{"data.changes": kit.List{}}})
	applied(t, c, kit.Obj{"roles": kit.List{kit.Obj{"slug": role, "name": "Renamed"}}})
	c.Run(t, kit.Step{Name: "changed", Call: "GET /roles/" + role,
		Want: kit.Obj{"data.name": "Renamed", "data.rules.0.models": kit.List{model}}})
	s.User(t, used)
	for name, refused := range map[string]kit.Obj{
		"a built-in role":      {"roles": kit.List{kit.Obj{"slug": "editor", "name": "Other"}}},
		"a built-in role goes": {"deletes": kit.Obj{"roles": kit.List{"admin"}}},
		"no such model": {"roles": kit.List{kit.Obj{"slug": kit.Unique("sx"), "name": "X",
			"rules": kit.List{kit.Obj{"models": kit.List{"nothing-there"}}}}}},
		"no slug":    {"roles": kit.List{kit.Obj{"name": "X"}}},
		"not a slug": {"roles": kit.List{kit.Obj{"slug": "Not A Slug", "name": "X"}}},
	} {
		c.Run(t, kit.Step{Name: name, Call: "POST /schema/plan", Body: kit.Obj{"schema": refused},
			Code: "VALIDATION_FAILED"})
	}
	deletes := kit.Obj{"deletes": kit.Obj{"roles": kit.List{used}}}
	id, _ := planned(t, c, deletes)
	c.Run(t, kit.Step{Name: "a role in use", Call: "POST /schema/apply", Body: kit.Obj{"schema": deletes, "plan_id": id},
		Code: "CONFLICT"})
	applied(t, c, kit.Obj{"deletes": kit.Obj{"roles": kit.List{role}, "models": kit.List{model}}})
	c.Run(t, kit.Step{Name: "deleted", Call: "GET /roles/" + role, Code: "NOT_FOUND"})
}
