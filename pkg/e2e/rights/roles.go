package rights

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Roles has the scenarios of roles by model, locale and action (extensions §11).
var Roles = []kit.Scenario{
	{Name: "roles/manage", Run: manageRoles},
	{Name: "roles/content", Run: roleContent},
	{Name: "roles/areas", Run: roleAreas},
	{Name: "roles/locales", Run: roleLocales},
}

func manageRoles(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	model := s.Model(t, nil)
	slug := kit.Unique("role")
	rule := kit.Obj{"models": kit.List{model, "media"}, "locales": kit.List{}, "actions": kit.List{"read"}}
	admin.Run(t,
		kit.Step{Name: "create", Call: "POST /roles", Body: kit.Obj{"slug": slug, "name": "R",
			"rules": kit.List{kit.Obj{"models": kit.List{model, "media"}, "actions": kit.List{"read", "read"}}}}, Status: 201,
			Want: kit.Obj{"data.slug": slug, "data.name": "R", "data.rules": kit.List{rule}, "data.require_totp": false}},
		kit.Step{Name: "taken", Call: "POST /roles", Body: kit.Obj{"slug": slug, "name": "R"}, Code: "CONFLICT"},
		kit.Step{Name: "a built-in slug", Call: "POST /roles", Body: kit.Obj{"slug": "editor", "name": "R"},
			Code: "CONFLICT"},
		kit.Step{Name: "nothing", Call: "POST /roles", Body: kit.Obj{}, Invalid: "slug name"},
		kit.Step{Name: "unknown names", Call: "POST /roles", Body: kit.Obj{"slug": kit.Unique("r"), "name": "R",
			"rules": kit.List{kit.Obj{"models": kit.List{"no-model"}, "locales": kit.List{"xx"},
				"actions": kit.List{"fly"}}}}, Invalid: "rules.0.models.0 rules.0.locales.0 rules.0.actions.0"},
		kit.Step{Name: "read", Call: "GET /roles/" + slug, Want: kit.Obj{"data.rules": kit.List{rule}}},
		kit.Step{Name: "built in", Call: "GET /roles/viewer",
			Want: kit.Obj{"data.slug": "viewer", "data.require_totp": false}},
		kit.Step{Name: "unknown", Call: "GET /roles/no-such-role", Code: "NOT_FOUND"},
		kit.Step{Name: "rename", Call: "PUT /roles/" + slug, Body: kit.Obj{"name": "S"},
			Want: kit.Obj{"data.name": "S", "data.rules": kit.List{rule}}},
		kit.Step{Name: "another slug", Call: "PUT /roles/" + slug, Body: kit.Obj{"slug": "other"}, Invalid: "slug"},
		kit.Step{Name: "rules that are no list", Call: "PUT /roles/" + slug, Body: kit.Obj{"rules": kit.Obj{}},
			Invalid: "rules"},
		kit.Step{Name: "rules of a built-in role", Call: "PUT /roles/viewer", Body: kit.Obj{"rules": kit.List{}},
			Code: "CONFLICT"},
		kit.Step{Name: "name of a built-in role", Call: "PUT /roles/admin", Body: kit.Obj{"name": "Boss"},
			Code: "CONFLICT"},
		kit.Step{Name: "require_totp of a built-in role", Call: "PUT /roles/viewer", Body: kit.Obj{"require_totp": false},
			Want: kit.Obj{"data.slug": "viewer"}},
		kit.Step{Name: "delete a built-in role", Call: "DELETE /roles/editor", Code: "CONFLICT"},
		kit.Step{Name: "a user of an unknown role", Call: "POST /users",
			Body:    kit.Obj{"email": kit.Unique("u") + "@example.com", "role": "no-such-role", "password": kit.Password},
			Invalid: "role"},
	)
	_, id, _ := s.User(t, slug)
	admin.Run(t,
		kit.Step{Name: "in use", Call: "DELETE /roles/" + slug, Code: "CONFLICT"},
		kit.Step{Name: "another role for the user", Call: "PUT /users/" + id, Body: kit.Obj{"role": "viewer"}},
		kit.Step{Name: "delete", Call: "DELETE /roles/" + slug, Status: 204},
		kit.Step{Name: "gone", Call: "GET /roles/" + slug, Code: "NOT_FOUND"},
	)
	s.Listed(t, "/activity", kit.Obj{"event": "role.changed", "subject": "role " + slug, "before.name": "R",
		"after.name": "S", "address": kit.Present})
	_, _, editor := s.User(t, "editor")
	editor.Run(t, kit.Step{Name: "editors make none", Call: "POST /roles",
		Body: kit.Obj{"slug": kit.Unique("r"), "name": "R"}, Code: "FORBIDDEN"})
}

func roleContent(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "German")
	en := s.DefaultLocale(t)
	hidden := s.Model(t, kit.Obj{"localized": true})
	model := s.Model(t, kit.Obj{"localized": true})
	readable := s.Model(t, nil)
	admin := s.Admin(t)
	at := func(model string) string { return "/models/" + model + "/entries" }
	make := func(model string, body kit.Obj) string {
		body["title"] = kit.Unique("Title")
		return admin.Post(t, at(model), body).Str(t, "data.id")
	}
	secret := make(hidden, kit.Obj{})
	draft, public := make(model, kit.Obj{"locale": "de"}), make(model, kit.Obj{"locale": "de", "status": "published"})
	english := make(model, kit.Obj{"locale": en})
	fixed := make(readable, kit.Obj{})
	_, writer := s.Role(t,
		kit.Obj{"models": kit.List{model}, "locales": kit.List{"de"}, "actions": kit.List{"read", "write", "delete"}},
		kit.Obj{"models": kit.List{model, readable}, "actions": kit.List{"read"}},
	)
	writer.Run(t,
		kit.Step{Name: "models", Call: "GET /models/" + hidden, Code: "NOT_FOUND"},
		kit.Step{Name: "entries of a hidden model", Call: "GET " + at(hidden), Code: "NOT_FOUND"},
		kit.Step{Name: "an entry of a hidden model", Call: "GET " + at(hidden) + "/" + secret, Code: "NOT_FOUND"},
		kit.Step{Name: "a hidden entry, write", Call: "PUT " + at(hidden) + "/" + secret, Body: kit.Obj{"title": "x"},
			Code: "NOT_FOUND"},
		kit.Step{Name: "read", Call: "GET " + at(readable) + "/" + fixed},
		kit.Step{Name: "read only", Call: "PUT " + at(readable) + "/" + fixed, Body: kit.Obj{"title": "x"},
			Code: "FORBIDDEN"},
		kit.Step{Name: "read only, delete", Call: "DELETE " + at(readable) + "/" + fixed, Code: "FORBIDDEN"},
		kit.Step{Name: "read only, create", Call: "POST " + at(readable), Body: kit.Obj{"title": "x"}, Code: "FORBIDDEN"},
		kit.Step{Name: "another locale, read", Call: "GET " + at(model) + "/" + english},
		kit.Step{Name: "another locale, write", Call: "PUT " + at(model) + "/" + english, Body: kit.Obj{"title": "x"},
			Code: "FORBIDDEN"},
		kit.Step{Name: "another locale, create", Call: "POST " + at(model), Body: kit.Obj{"title": "x", "locale": en},
			Code: "FORBIDDEN"},
		kit.Step{Name: "write", Call: "PUT " + at(model) + "/" + draft, Body: kit.Obj{"title": kit.Unique("T")}},
		kit.Step{Name: "publish", Call: "PUT " + at(model) + "/" + draft, Body: kit.Obj{"status": "published"},
			Code: "FORBIDDEN"},
		kit.Step{Name: "create published", Call: "POST " + at(model),
			Body: kit.Obj{"title": "x", "locale": "de", "status": "published"}, Code: "FORBIDDEN"},
		kit.Step{Name: "edit what is published", Call: "PUT " + at(model) + "/" + public, Body: kit.Obj{"title": "x"},
			Code: "FORBIDDEN"},
		kit.Step{Name: "unpublish", Call: "PUT " + at(model) + "/" + public, Body: kit.Obj{"status": "draft"},
			Code: "FORBIDDEN"},
		kit.Step{Name: "delete what is published", Call: "DELETE " + at(model) + "/" + public, Code: "FORBIDDEN"},
		kit.Step{Name: "delete a draft", Call: "DELETE " + at(model) + "/" + draft, Status: 204},
		kit.Step{Name: "restore it", Call: "POST /trash/" + draft + "/restore"},
		kit.Step{Name: "models are not content", Call: "PUT /models/" + model, Body: kit.Obj{"name": "x"},
			Code: "FORBIDDEN"},
	)
	admin.Delete(t, at(hidden)+"/"+secret)
	writer.Run(t, kit.Step{Name: "hidden in the trash", Call: "POST /trash/" + secret + "/restore", Code: "NOT_FOUND"})
	for _, call := range []string{"GET /models?per_page=100", "GET /trash?per_page=100",
		"GET /activity?per_page=100", "GET /"} {
		t.Run("nothing of it in "+call, func(t *testing.T) {
			writer.OK(t, 200, call, nil).Lacks(t, call, hidden, secret)
		})
	}
	_, none := s.Role(t)
	none.Run(t,
		kit.Step{Name: "no rule, me", Call: "GET /me"},
		kit.Step{Name: "no rule, models", Call: "GET /models", Want: kit.Obj{"data": kit.List{}}},
		kit.Step{Name: "no rule, entries", Call: "GET " + at(model), Code: "NOT_FOUND"},
		kit.Step{Name: "no rule, media", Call: "GET /media", Code: "NOT_FOUND"},
	)
	_, all := s.Role(t, kit.Obj{})
	all.Run(t,
		kit.Step{Name: "all, publish", Call: "PUT " + at(model) + "/" + draft, Body: kit.Obj{"status": "published"}},
		kit.Step{Name: "all, media", Call: "GET /media"},
	)
}

func roleAreas(t *testing.T, s *kit.Suite) {
	_, c := s.Role(t, kit.Obj{"models": kit.List{"media", "settings"}, "actions": kit.List{"read"}})
	_, e := s.Role(t, kit.Obj{"models": kit.List{"settings", "media"}})
	folder := s.Admin(t).Post(t, "/media/folders", kit.Obj{"name": kit.Unique("Folder")}).Str(t, "data.id")
	c.Run(t,
		kit.Step{Name: "read media", Call: "GET /media"},
		kit.Step{Name: "read settings", Call: "GET /settings"},
		kit.Step{Name: "write settings", Call: "PUT /settings", Body: kit.List{}, Code: "FORBIDDEN"},
		kit.Step{Name: "write media", Call: "POST /media/folders", Body: kit.Obj{"name": "x"}, Code: "FORBIDDEN"},
		kit.Step{Name: "delete media", Call: "DELETE /media/folders/" + folder, Code: "FORBIDDEN"},
		kit.Step{Name: "forms", Call: "GET /forms", Code: "NOT_FOUND"},
		kit.Step{Name: "keys", Call: "GET /keys", Code: "FORBIDDEN"},
		kit.Step{Name: "users", Call: "GET /users", Code: "FORBIDDEN"},
		kit.Step{Name: "webhooks", Call: "GET /webhooks", Code: "FORBIDDEN"},
		kit.Step{Name: "requests", Call: "GET /requests", Code: "FORBIDDEN"},
		kit.Step{Name: "roles", Call: "GET /roles", Code: "FORBIDDEN"},
	)
	e.Run(t,
		kit.Step{Name: "all of settings", Call: "PUT /settings", Body: kit.List{}},
		kit.Step{Name: "all of media", Call: "DELETE /media/folders/" + folder, Status: 204},
	)
}

func roleLocales(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "German")
	en, key := s.DefaultLocale(t), strings.ReplaceAll(kit.Unique("hours"), "-", "_")
	admin := s.Admin(t)
	setting := func(english, german string) kit.List {
		return kit.List{kit.Obj{"group": "shop", "key": key, "is_public": true, "is_translatable": true, "value": "Daily",
			"translations": kit.Obj{en: english, "de": german}}}
	}
	file := "/media/" + admin.Post(t, "/media", kit.FileBody(t, "a.txt", []byte("text"), nil)).Str(t, "data.id")
	alts := func(english, german string) kit.Obj { return kit.Obj{"alts": kit.Obj{en: english, "de": german}} }
	admin.Put(t, "/settings", setting("Every day", "Immer"))
	admin.Put(t, file, alts("Lamp", "Leuchte"))
	_, c := s.Role(t, kit.Obj{"models": kit.List{"media", "settings"}, "locales": kit.List{"de"}})
	c.Run(t,
		kit.Step{Name: "value in the locale", Call: "PUT /settings", Body: setting("Every day", "Jederzeit")},
		kit.Step{Name: "value in another", Call: "PUT /settings", Body: setting("Never", "Jederzeit"), Code: "FORBIDDEN"},
		kit.Step{Name: "setting", Call: "DELETE /settings/shop/" + key, Code: "FORBIDDEN"},
		kit.Step{Name: "text in the locale", Call: "PUT " + file, Body: alts("Lamp", "Lampe"),
			Want: kit.Obj{"data.alts.de": "Lampe"}},
		kit.Step{Name: "text in another", Call: "PUT " + file, Body: alts("Light", "Lampe"), Code: "FORBIDDEN"},
	)
	admin.Delete(t, "/settings/shop/"+key)
}
