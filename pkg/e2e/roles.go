package e2e

import (
	"strings"
	"testing"
)

// roleScenarios are about roles by model, locale and action (extensions §11).
var roleScenarios = []scenario{
	{name: "roles/manage", run: manageRoles},
	{name: "roles/content", run: roleContent},
	{name: "roles/areas", run: roleAreas},
}

// role makes a role with some rules, and a user who has it.
func (s *suite) role(t *testing.T, rules ...any) (slug string, c *client) {
	t.Helper()
	slug = unique("role")
	if rules == nil {
		rules = list{}
	}
	s.admin(t).ok(t, 201, "POST /roles", obj{"slug": slug, "name": "Role", "rules": rules})
	_, _, c = s.user(t, slug)
	return slug, c
}

func manageRoles(t *testing.T, s *suite) {
	admin := s.admin(t)
	model := s.model(t, nil)
	slug := unique("role")
	rule := obj{"models": list{model, "media"}, "locales": list{}, "actions": list{"read"}}
	admin.run(t,
		step{name: "create", call: "POST /roles",
			body: obj{"slug": slug, "name": "R",
				"rules": list{obj{"models": list{model, "media"},
					"actions": list{"read", "read"}}}}, status: 201,
			want: obj{"data.slug": slug, "data.name": "R", "data.rules": list{rule},
				"data.require_totp": false}},
		step{name: "taken", call: "POST /roles", body: obj{"slug": slug, "name": "R"}, status: 409,
			code: "CONFLICT"},
		step{name: "a built-in slug", call: "POST /roles", body: obj{"slug": "editor", "name": "R"},
			status: 409, code: "CONFLICT"},
		step{name: "nothing", call: "POST /roles", body: obj{}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"slug", "name"}},
		step{name: "unknown names", call: "POST /roles", body: obj{"slug": unique("r"), "name": "R",
			"rules": list{obj{"models": list{"no-model"}, "locales": list{"xx"}, "actions": list{"fly"}}}},
			status: 422, code: "VALIDATION_FAILED",
			details: []string{"rules.0.models.0", "rules.0.locales.0", "rules.0.actions.0"}},
		step{name: "read", call: "GET /roles/" + slug, status: 200, want: obj{"data.rules": list{rule}}},
		step{name: "built in", call: "GET /roles/viewer", status: 200,
			want: obj{"data.slug": "viewer", "data.require_totp": false}},
		step{name: "unknown", call: "GET /roles/no-such-role", status: 404, code: "NOT_FOUND"},
		step{name: "rename", call: "PUT /roles/" + slug, body: obj{"name": "S"}, status: 200,
			want: obj{"data.name": "S", "data.rules": list{rule}}},
		step{name: "another slug", call: "PUT /roles/" + slug, body: obj{"slug": "other"},
			status: 422, code: "VALIDATION_FAILED", details: []string{"slug"}},
		step{name: "rules that are no list", call: "PUT /roles/" + slug, body: obj{"rules": obj{}}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"rules"}},
		step{name: "rules of a built-in role", call: "PUT /roles/viewer",
			body: obj{"rules": list{}}, status: 409, code: "CONFLICT"},
		step{name: "name of a built-in role", call: "PUT /roles/admin", body: obj{"name": "Boss"},
			status: 409, code: "CONFLICT"},
		step{name: "require_totp of a built-in role", call: "PUT /roles/viewer",
			body: obj{"require_totp": false}, status: 200, want: obj{"data.slug": "viewer"}},
		step{name: "delete a built-in role", call: "DELETE /roles/editor", status: 409, code: "CONFLICT"},
		step{name: "a user of an unknown role", call: "POST /users",
			body: obj{"email": unique("u") + "@example.com", "role": "no-such-role",
				"password": password}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"role"}},
	)
	_, id, _ := s.user(t, slug)
	admin.run(t,
		step{name: "in use", call: "DELETE /roles/" + slug, status: 409, code: "CONFLICT"},
		step{name: "another role for the user", call: "PUT /users/" + id,
			body: obj{"role": "viewer"}, status: 200},
		step{name: "delete", call: "DELETE /roles/" + slug, status: 204},
		step{name: "gone", call: "GET /roles/" + slug, status: 404, code: "NOT_FOUND"},
	)
	s.eventually(t, "the record of the change", func() bool {
		return s.walk(t, "/activity", func(item any) bool {
			return dig(item, "event") == "role.changed" && dig(item, "subject") == "role "+slug &&
				dig(item, "before.name") == "R" && dig(item, "after.name") == "S" &&
				str(dig(item, "address")) != ""
		})
	})
	_, _, editor := s.user(t, "editor")
	editor.run(t, step{name: "editors make none", call: "POST /roles",
		body: obj{"slug": unique("r"), "name": "R"}, status: 403, code: "FORBIDDEN"})
}

func roleContent(t *testing.T, s *suite) {
	s.useLocale(t, "de", "German")
	en := s.defaultLocale(t)
	hidden := s.model(t, obj{"localized": true})
	model := s.model(t, obj{"localized": true})
	readable := s.model(t, nil)
	admin := s.admin(t)
	at := func(model string) string { return "/models/" + model + "/entries" }
	make := func(model string, body obj) string {
		body["title"] = unique("Title")
		return admin.ok(t, 201, "POST "+at(model), body).str(t, "data.id")
	}
	secret := make(hidden, obj{})
	draft, public := make(model, obj{"locale": "de"}), make(model, obj{"locale": "de", "status": "published"})
	english := make(model, obj{"locale": en})
	fixed := make(readable, obj{})
	_, writer := s.role(t,
		obj{"models": list{model}, "locales": list{"de"}, "actions": list{"read", "write", "delete"}},
		obj{"models": list{model, readable}, "actions": list{"read"}},
	)
	writer.run(t,
		step{name: "models", call: "GET /models/" + hidden, status: 404, code: "NOT_FOUND"},
		step{name: "entries of a hidden model", call: "GET " + at(hidden), status: 404, code: "NOT_FOUND"},
		step{name: "an entry of a hidden model", call: "GET " + at(hidden) + "/" + secret,
			status: 404, code: "NOT_FOUND"},
		step{name: "a hidden entry, write", call: "PUT " + at(hidden) + "/" + secret,
			body: obj{"title": "x"}, status: 404, code: "NOT_FOUND"},
		step{name: "read", call: "GET " + at(readable) + "/" + fixed, status: 200},
		step{name: "read only", call: "PUT " + at(readable) + "/" + fixed, body: obj{"title": "x"},
			status: 403, code: "FORBIDDEN"},
		step{name: "read only, delete", call: "DELETE " + at(readable) + "/" + fixed, status: 403,
			code: "FORBIDDEN"},
		step{name: "read only, create", call: "POST " + at(readable), body: obj{"title": "x"},
			status: 403, code: "FORBIDDEN"},
		step{name: "another locale, read", call: "GET " + at(model) + "/" + english, status: 200},
		step{name: "another locale, write", call: "PUT " + at(model) + "/" + english,
			body: obj{"title": "x"}, status: 403, code: "FORBIDDEN"},
		step{name: "another locale, create", call: "POST " + at(model),
			body: obj{"title": "x", "locale": en}, status: 403, code: "FORBIDDEN"},
		step{name: "write", call: "PUT " + at(model) + "/" + draft, body: obj{"title": unique("T")},
			status: 200},
		step{name: "publish", call: "PUT " + at(model) + "/" + draft,
			body: obj{"status": "published"}, status: 403, code: "FORBIDDEN"},
		step{name: "create published", call: "POST " + at(model),
			body: obj{"title": "x", "locale": "de", "status": "published"}, status: 403, code: "FORBIDDEN"},
		step{name: "edit what is published", call: "PUT " + at(model) + "/" + public,
			body: obj{"title": "x"}, status: 403, code: "FORBIDDEN"},
		step{name: "unpublish", call: "PUT " + at(model) + "/" + public,
			body: obj{"status": "draft"}, status: 403, code: "FORBIDDEN"},
		step{name: "delete what is published", call: "DELETE " + at(model) + "/" + public,
			status: 403, code: "FORBIDDEN"},
		step{name: "delete a draft", call: "DELETE " + at(model) + "/" + draft, status: 204},
		step{name: "restore it", call: "POST /trash/" + draft + "/restore", status: 200},
		step{name: "models are not content", call: "PUT /models/" + model, body: obj{"name": "x"},
			status: 403, code: "FORBIDDEN"},
	)
	admin.ok(t, 204, "DELETE "+at(hidden)+"/"+secret, nil)
	writer.run(t, step{name: "hidden in the trash", call: "POST /trash/" + secret + "/restore",
		status: 404, code: "NOT_FOUND"})
	for _, call := range []string{"GET /models?per_page=100", "GET /trash?per_page=100",
		"GET /activity?per_page=100", "GET /"} {
		t.Run("nothing of it in "+call, func(t *testing.T) {
			if a := writer.ok(t, 200, call, nil); strings.Contains(string(a.Raw), hidden) ||
				strings.Contains(string(a.Raw), secret) {
				t.Errorf("%.2000s", a.Raw)
			}
		})
	}
	_, none := s.role(t)
	none.run(t,
		step{name: "no rule, me", call: "GET /me", status: 200},
		step{name: "no rule, models", call: "GET /models", status: 200, want: obj{"data": list{}}},
		step{name: "no rule, entries", call: "GET " + at(model), status: 404, code: "NOT_FOUND"},
		step{name: "no rule, media", call: "GET /media", status: 404, code: "NOT_FOUND"},
	)
	_, all := s.role(t, obj{})
	all.run(t,
		step{name: "all, publish", call: "PUT " + at(model) + "/" + draft,
			body: obj{"status": "published"}, status: 200},
		step{name: "all, media", call: "GET /media", status: 200},
	)
}

func roleAreas(t *testing.T, s *suite) {
	_, c := s.role(t, obj{"models": list{"media", "settings"}, "actions": list{"read"}})
	_, e := s.role(t, obj{"models": list{"settings", "media"}})
	folder := s.admin(t).ok(t, 201, "POST /media/folders", obj{"name": unique("Folder")}).str(t, "data.id")
	c.run(t,
		step{name: "read media", call: "GET /media", status: 200},
		step{name: "read settings", call: "GET /settings", status: 200},
		step{name: "write settings", call: "PUT /settings", body: list{}, status: 403, code: "FORBIDDEN"},
		step{name: "write media", call: "POST /media/folders", body: obj{"name": "x"}, status: 403,
			code: "FORBIDDEN"},
		step{name: "delete media", call: "DELETE /media/folders/" + folder, status: 403, code: "FORBIDDEN"},
		step{name: "forms", call: "GET /forms", status: 404, code: "NOT_FOUND"},
		step{name: "keys", call: "GET /keys", status: 403, code: "FORBIDDEN"},
		step{name: "users", call: "GET /users", status: 403, code: "FORBIDDEN"},
		step{name: "webhooks", call: "GET /webhooks", status: 403, code: "FORBIDDEN"},
		step{name: "requests", call: "GET /requests", status: 403, code: "FORBIDDEN"},
		step{name: "roles", call: "GET /roles", status: 403, code: "FORBIDDEN"},
	)
	e.run(t,
		step{name: "all of settings", call: "PUT /settings", body: list{}, status: 200},
		step{name: "all of media", call: "DELETE /media/folders/" + folder, status: 204},
	)
}
