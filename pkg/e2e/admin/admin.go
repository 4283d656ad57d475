package admin

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Scenarios are those of the routes and pages of the admin area.
var Scenarios = []kit.Scenario{
	{Name: "admin/sign-in", Run: signIn},
	{Name: "admin/lockout", Run: lockout},
	{Name: "admin/roles", Run: roles},
	{Name: "admin/users", Run: users},
	{Name: "admin/activity", Run: activity},
	{Name: "admin/routes", Run: adminRoutes},
	{Name: "admin/models", Run: adminModels},
	{Name: "admin/entries", Run: adminEntries},
	{Name: "admin/media", Run: adminMedia},
	{Name: "admin/forms", Run: adminForms},
	{Name: "admin/pages", Run: adminPages},
	{Name: "admin/presets", Run: presets},
}

func signIn(t *testing.T, s *kit.Suite) {
	email, id, c := s.User(t, "editor")
	anyone := s.AnonymousAdmin()
	anyone.Run(t,
		kit.Step{Name: "right", Call: "POST /login", Body: kit.Obj{"email": email, "password": kit.Password}, Want: kit.Obj{
			"data.token": kit.Present, "data.expires_at": kit.Timestamp, "data.user.email": email,
			"data.user.role": "editor", "data.user.password": nil,
		}},
		kit.Step{Name: "the address in another case", Call: "POST /login",
			Body: kit.Obj{"email": strings.ToUpper(email), "password": kit.Password}},
		kit.Step{Name: "wrong", Call: "POST /login", Body: kit.Obj{"email": email, "password": "wrong password 1"},
			Code: "UNAUTHORIZED"},
		kit.Step{Name: "nobody", Call: "POST /login",
			Body: kit.Obj{"email": kit.Unique("no") + "@example.com", "password": kit.Password}, Code: "UNAUTHORIZED"},
		kit.Step{Name: "malformed", Call: "POST /login", Body: kit.Text("application/json", "{"), Code: "BAD_REQUEST"},
		kit.Step{Name: "a list", Call: "POST /login", Body: kit.Text("application/json", "[]"), Code: "BAD_REQUEST"},
		kit.Step{Name: "no password", Call: "POST /login", Body: kit.Obj{"email": email}, Invalid: "password"},
		kit.Step{Name: "wrong type", Call: "POST /login", Body: kit.Obj{"email": 7, "password": kit.Password},
			Invalid: "email"},
		kit.Step{Name: "unknown key", Call: "POST /login",
			Body: kit.Obj{"email": email, "password": kit.Password, "otp": "1"}, Invalid: "otp"},
		kit.Step{Name: "no token", Call: "GET /models", Code: "UNAUTHORIZED"},
		kit.Step{Name: "no token, write", Call: "POST /models", Body: kit.Obj{}, Code: "UNAUTHORIZED"},
	)
	endless := strings.Repeat("x", 100_000)
	for _, pair := range [][2]string{{kit.Unique("no") + "@example.com", endless}, {endless, kit.Password},
		{"a\x00b@example.com", kit.Password}} {
		anyone.Step(t, kit.Step{Call: "POST /login", Body: kit.Obj{"email": pair[0], "password": pair[1]},
			Code: "UNAUTHORIZED"})
	}
	s.AdminByToken("rubbish").Run(t, kit.Step{Name: "wrong token", Call: "GET /models", Code: "UNAUTHORIZED"})
	c.Run(t, kit.Step{Name: "token", Call: "GET /models"},
		kit.Step{Name: "dashboard", Call: "GET /"},
		kit.Step{Name: "me", Call: "GET /me", Want: kit.Obj{"data.email": email}})
	other := s.AdminByToken(s.Login(t, email, kit.Password))
	other.Run(t,
		kit.Step{Name: "sign out", Call: "POST /logout", Status: 204},
		kit.Step{Name: "signed out", Call: "GET /me", Code: "UNAUTHORIZED"},
	)
	s.Key(t, nil).With("Accept", "application/json").OnAdmin().Run(t,
		kit.Step{Name: "an API key is no session", Call: "GET /models", Code: "UNAUTHORIZED"})
	s.Admin(t).Put(t, "/users/"+id, kit.Obj{"is_active": false})
	c.Run(t, kit.Step{Name: "inactive, token", Call: "GET /models", Code: "UNAUTHORIZED"})
	anyone.Run(t, kit.Step{Name: "inactive, sign-in", Call: "POST /login",
		Body: kit.Obj{"email": email, "password": kit.Password}, Code: "UNAUTHORIZED"})
}

func lockout(t *testing.T, s *kit.Suite) {
	email, _, c := s.User(t, "viewer")
	wrong := kit.Step{Call: "POST /login", Body: kit.Obj{"email": email, "password": "wrong password 1"},
		Code: "UNAUTHORIZED"}
	for range 5 {
		s.AnonymousAdmin().Step(t, wrong)
	}
	s.AnonymousAdmin().Step(t, kit.Step{Call: "POST /login", Body: kit.Obj{"email": email, "password": kit.Password},
		Code: "RATE_LIMITED", Header: kit.Obj{"Retry-After": kit.Matches("^[1-9][0-9]*$")}})
	c.Get(t, "/models")
	s.Login(t, s.Target.AdminEmail, s.Target.AdminPassword)
}

func roles(t *testing.T, s *kit.Suite) {
	_, _, editor := s.User(t, "editor")
	_, _, viewer := s.User(t, "viewer")
	model := s.Model(t, nil)
	id := editor.Post(t, "/models/"+model+"/entries", kit.Obj{"title": "By an editor"}).Str(t, "data.id")
	form := kit.Unique("form")
	editor.Post(t, "/forms", kit.Obj{"slug": form, "name": "F"})
	editor.Post(t, "/media/folders", kit.Obj{"name": kit.Unique("Folder")})
	for _, call := range []string{"GET /models", "GET /models/" + model + "/entries",
		"GET /models/" + model + "/entries/" + id, "GET /media", "GET /forms", "GET /forms/" + form,
		"GET /locales", "GET /trash", "GET /", "GET /keys", "GET /users", "GET /activity", "GET /requests"} {
		t.Run("viewer "+call, func(t *testing.T) { viewer.OK(t, 200, call, nil); editor.OK(t, 200, call, nil) })
	}
	forbidden := func(who string, c *kit.Client, call string, body any) {
		c.Run(t, kit.Step{Name: who + " " + call, Call: call, Body: body, Code: "FORBIDDEN"})
	}
	forbidden("viewer", viewer, "POST /models/"+model+"/entries", kit.Obj{"title": "x"})
	forbidden("viewer", viewer, "PUT /models/"+model+"/entries/"+id, kit.Obj{"title": "x"})
	forbidden("viewer", viewer, "DELETE /models/"+model+"/entries/"+id, nil)
	forbidden("viewer", viewer, "POST /forms", kit.Obj{"slug": kit.Unique("f"), "name": "x"})
	forbidden("viewer", viewer, "POST /media/folders", kit.Obj{"name": "x"})
	for who, c := range map[string]*kit.Client{"viewer": viewer, "editor": editor} {
		forbidden(who, c, "POST /models", kit.Obj{"slug": kit.Unique("m"), "name": "x", "kind": "collection"})
		forbidden(who, c, "PUT /models/"+model, kit.Obj{"name": "x"})
		forbidden(who, c, "DELETE /models/"+model, nil)
		forbidden(who, c, "POST /keys", kit.Obj{"name": "x"})
		forbidden(who, c, "POST /users", kit.Obj{"email": "x@example.com", "password": kit.Password})
		forbidden(who, c, "POST /webhooks", kit.Obj{"url": "https://example.com", "events": kit.List{"*"}})
		forbidden(who, c, "PUT /settings", kit.List{})
		forbidden(who, c, "POST /locales", kit.Obj{"code": "xx", "name": "x"})
	}
}

func users(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	email, id, c := s.User(t, "viewer")
	admin.Run(t,
		kit.Step{Name: "read", Call: "GET /users/" + id,
			Want: kit.Obj{"data.email": email, "data.role": "viewer", "data.is_active": true, "data.password": nil}},
		kit.Step{Name: "list", Call: "GET /users",
			Want: kit.Obj{"meta.page": 1, "meta.per_page": kit.Present, "meta.total": kit.Present}},
		kit.Step{Name: "taken", Call: "POST /users",
			Body: kit.Obj{"email": email, "password": kit.Password, "role": "viewer"}, Code: "CONFLICT"},
		kit.Step{Name: "taken in another case", Call: "POST /users",
			Body: kit.Obj{"email": strings.ToUpper(email), "password": kit.Password, "role": "viewer"}, Code: "CONFLICT"},
		kit.Step{Name: "short password", Call: "POST /users",
			Body:    kit.Obj{"email": kit.Unique("u") + "@example.com", "role": "viewer", "password": "elevenchars"},
			Invalid: "password"},
		kit.Step{Name: "no password", Call: "POST /users",
			Body: kit.Obj{"email": kit.Unique("u") + "@example.com", "role": "viewer"}, Invalid: "password"},
		kit.Step{Name: "bad role and address", Call: "POST /users",
			Body: kit.Obj{"email": "x", "role": "king", "password": kit.Password}, Invalid: "email role"},
		kit.Step{Name: "wrong types and unknown keys", Call: "POST /users",
			Body:    kit.Obj{"email": "a@b.co", "password": kit.Password, "name": 1, "is_active": "yes", "x": 1},
			Invalid: "is_active name x"},
		kit.Step{Name: "promote", Call: "PUT /users/" + id,
			Body: kit.Obj{"role": "editor", "password": kit.Password + " 2"},
			Want: kit.Obj{"data.role": "editor", "data.email": email}},
	)
	other := kit.Unique("moved") + "@example.com"
	admin.Run(t,
		kit.Step{Name: "another address", Call: "PUT /users/" + id, Body: kit.Obj{"email": other}},
		kit.Step{Name: "the old one is free", Call: "POST /users", Status: 201,
			Body: kit.Obj{"email": email, "password": kit.Password, "name": "", "id": "x", "version": 3}},
		kit.Step{Name: "and taken then", Call: "PUT /users/" + id, Body: kit.Obj{"email": email}, Code: "CONFLICT"},
	)
	email = other
	s.Login(t, email, kit.Password+" 2")
	s.AnonymousAdmin().Step(t, kit.Step{Call: "POST /login", Body: kit.Obj{"email": email, "password": kit.Password},
		Code: "UNAUTHORIZED"})
	admin.Delete(t, "/users/"+id)
	admin.Step(t, kit.Step{Name: "delete again", Call: "DELETE /users/" + id, Code: "NOT_FOUND"})
	s.AnonymousAdmin().Step(t, kit.Step{Name: "deleted, sign-in", Call: "POST /login",
		Body: kit.Obj{"email": email, "password": kit.Password + " 2"}, Code: "UNAUTHORIZED"})
	c.Step(t, kit.Step{Call: "GET /models", Code: "UNAUTHORIZED"})
	admin.Step(t, kit.Step{Call: "GET /users/" + id, Code: "NOT_FOUND"})
}

func activity(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	k := s.Key(t, nil)
	email, _, editor := s.User(t, "editor")
	k.Create(t, model, kit.Obj{"title": "By a key"})
	editor.Post(t, "/models/"+model+"/entries", kit.Obj{"title": "By a user"})
	record := func(event, source, actor string) {
		t.Run(event+" by "+source, func(t *testing.T) {
			s.Listed(t, "/activity", kit.Obj{"event": event, "source": source, "actor": kit.Contains(actor)})
		})
	}
	record("entry.created", "api", k.Name)
	record("entry.created", "admin", email)
	record("user.created", "admin", s.Target.AdminEmail)
}

func adminRoutes(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	admin.Run(t,
		kit.Step{Name: "unknown", Call: "GET /nothing-here", Code: "NOT_FOUND"},
		kit.Step{Name: "unknown, deeper", Call: "GET /models/a/b/c", Code: "NOT_FOUND"},
		kit.Step{Name: "method", Call: "PATCH /models", Code: "METHOD_NOT_ALLOWED",
			Header: kit.Obj{"Allow": kit.Contains("POST")}},
		kit.Step{Name: "method of an item", Call: "POST /keys/x", Code: "METHOD_NOT_ALLOWED",
			Header: kit.Obj{"Allow": kit.Contains("PUT")}},
		kit.Step{Name: "malformed", Call: "POST /models", Body: kit.Text("application/json", "{"), Code: "BAD_REQUEST"},
		kit.Step{Name: "text", Call: "POST /models", Body: kit.Text("text/plain", "x"), Code: "UNSUPPORTED_MEDIA_TYPE"},
		kit.Step{Name: "too large", Call: "POST /models", Body: kit.Obj{"name": strings.Repeat("x", 1<<20)},
			Code: "PAYLOAD_TOO_LARGE"},
		kit.Step{Name: "page", Call: "GET /keys?page=0", Code: "BAD_REQUEST"},
		kit.Step{Name: "model", Call: "GET /models/" + kit.Unique("none"), Code: "NOT_FOUND"},
		kit.Step{Name: "document", Call: "GET /openapi.json"},
	)
}

func adminModels(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	slug := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("a", "text", kit.Obj{"required": true, "max": 5})}})
	admin.Run(t,
		kit.Step{Name: "read", Call: "GET /models/" + slug, Want: kit.Obj{
			"data.slug": slug, "data.kind": "collection", "data.localized": false,
			"data.is_active": true, "data.visible_fields": kit.List{}, "data.default_sort": "",
			"data.max_per_page":  100,
			"data.fields.0.name": "a", "data.fields.0.type": "text", "data.fields.0.required": true,
			"data.fields.0.max": 5,
		}},
		kit.Step{Name: "list", Call: "GET /models?per_page=1", Want: kit.Obj{"data.#": 1, "meta.per_page": 1}},
		kit.Step{Name: "rename", Call: "PUT /models/" + slug, Body: kit.Obj{"name": "Other"},
			Want: kit.Obj{"data.name": "Other", "data.fields.0.name": "a"}},
		kit.Step{Name: "bad", Call: "PUT /models/" + slug, Body: kit.Obj{"fields": kit.List{kit.Field("a", "none", nil)}},
			Code: "VALIDATION_FAILED"},
	)
}

func adminEntries(t *testing.T, s *kit.Suite) {
	email, _, editor := s.User(t, "editor")
	model := s.Model(t, nil)
	l := "/models/" + model + "/entries"
	a := editor.Step(t, kit.Step{Call: "POST " + l, Body: kit.Obj{"title": "Made here", "data": kit.Obj{"body": "b"}},
		Status: 201, Want: kit.Obj{"data.slug": "made-here", "data.status": "draft"}})
	one := l + "/" + a.Str(t, "data.id")
	editor.Run(t,
		kit.Step{Name: "drafts are listed", Call: "GET " + l, Want: kit.Obj{"meta.total": 1, "data.0.title": "Made here"}},
		kit.Step{Name: "read", Call: "GET " + one, Want: kit.Obj{"data.data.body": "b"}},
		kit.Step{Name: "publish", Call: "PUT " + one, Body: kit.Obj{"status": "published"},
			Want: kit.Obj{"data.status": "published", "data.version": 2}},
		kit.Step{Name: "invalid", Call: "PUT " + one, Body: kit.Obj{"title": "", "data": kit.Obj{"x": 1}},
			Invalid: "title data.x"},
		kit.Step{Name: "taken", Call: "POST " + l, Body: kit.Obj{"title": "x", "slug": "made-here"}, Code: "SLUG_CONFLICT"},
	)
	archived := editor.Post(t, l, kit.Obj{"title": "Old", "status": "archived"}).Str(t, "data.id")
	for query, want := range map[string]int{"": 2, "?filter[status]=archived": 1, "?filter[status]=any": 2,
		"?filter[title][in]=Old,Other": 1, "?filter[locale]=xx": 0, "?sort=-title&per_page=1": 2} {
		editor.Step(t, kit.Step{Name: "list " + query, Call: "GET " + l + query, Want: kit.Obj{"meta.total": want}})
	}
	for _, query := range []string{"page=0", "per_page=x", "sort=nope", "filter[nope]=1"} {
		editor.Step(t, kit.Step{Name: "list " + query, Call: "GET " + l + "?" + query, Code: "BAD_REQUEST"})
	}
	editor.Put(t, "/models/"+model+"/entries/"+archived, kit.Obj{"title": "Older"})
	editor.Run(t,
		kit.Step{Name: "capped", Call: "GET " + l + "?per_page=5000", Want: kit.Obj{"meta.per_page": 100}},
		kit.Step{Name: "no such model", Call: "GET /models/nope/entries", Code: "NOT_FOUND"},
		kit.Step{Name: "no such entry", Call: "GET " + l + "/nope", Code: "NOT_FOUND"},
		kit.Step{Name: "revisions", Call: "GET " + l + "/" + archived + "/revisions",
			Want: kit.Obj{"meta.total": 2, "data.0.title": "Older", "data.0.actor": email}},
		kit.Step{Name: "restore", Call: "POST " + l + "/" + archived + "/revisions/1/restore",
			Want: kit.Obj{"data.title": "Old", "data.version": 3}},
		kit.Step{Name: "no such revision", Call: "POST " + l + "/" + archived + "/revisions/99/restore", Code: "NOT_FOUND"},
	)
	s.Key(t, nil).Run(t, kit.Step{Name: "seen by the API", Call: "GET /" + model + "/made-here",
		Want: kit.Obj{"data.version": 2}})
	editor.Run(t,
		kit.Step{Name: "delete", Call: "DELETE " + one, Status: 204},
		kit.Step{Name: "gone", Call: "GET " + one, Code: "NOT_FOUND"},
	)
}

func adminMedia(t *testing.T, s *kit.Suite) {
	_, _, editor := s.User(t, "editor")
	name := kit.Unique("Folder")
	folder := editor.Post(t, "/media/folders", kit.Obj{"name": name}).Str(t, "data.id")
	a := editor.Step(t, kit.Step{Call: "POST /media",
		Body: kit.FileBody(t, "a.png", kit.PNG(2, 1), map[string]string{"alt": "A", "folder_id": folder}), Status: 201,
		Want: kit.Obj{"data.folder": name, "data.alt": "A", "data.width": 2}})
	one := "/media/" + a.Str(t, "data.id")
	editor.Run(t,
		kit.Step{Name: "read", Call: "GET " + one, Want: kit.Obj{"data.name": "a.png"}},
		kit.Step{Name: "update", Call: "PUT " + one, Body: kit.Obj{"alt": "B", "caption": "C"},
			Want: kit.Obj{"data.alt": "B", "data.caption": "C", "data.folder": name}},
		kit.Step{Name: "list", Call: "GET /media?per_page=1", Want: kit.Obj{"meta.per_page": 1, "meta.total": kit.Present}},
		kit.Step{Name: "folder", Call: "GET /media/folders/" + folder,
			Want: kit.Obj{"data": kit.Obj{"id": folder, "name": name}}},
		kit.Step{Name: "rename", Call: "PUT /media/folders/" + folder, Body: kit.Obj{"name": name + "2"},
			Want: kit.Obj{"data.name": name + "2"}},
	)
	s.Key(t, nil).Run(t,
		kit.Step{Name: "renamed in the API", Call: "GET /upload/files/" + a.Str(t, "data.id"),
			Want: kit.Obj{"data.folder": name + "2", "data.alt": "B"}},
		kit.Step{Name: "found by the new name", Call: "GET /upload/files?filter%5Bfolder%5D=" + name + "2",
			Want: kit.Obj{"meta.total": 1}},
	)
	editor.Run(t,
		kit.Step{Name: "delete", Call: "DELETE " + one, Status: 204},
		kit.Step{Name: "gone", Call: "GET " + one, Code: "NOT_FOUND"},
		kit.Step{Name: "delete the folder", Call: "DELETE /media/folders/" + folder, Status: 204},
	)
}

func adminForms(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	slug := kit.MakeForm(t, s, nil)
	admin.Step(t, kit.Step{Call: "PUT /forms/" + slug,
		Body: kit.Obj{"recaptcha": kit.Obj{"site_key": "s", "secret_key": "very-secret-key",
			"min_score": 0.5}, "notify_emails": kit.List{"a@example.com"}}, Want: kit.Obj{
			"data.notify_emails": kit.List{"a@example.com"}, "data.is_active": true,
			"data.block_emails": kit.List{}, "data.block_disposable": false, "data.fields.#": 3,
		}})
	admin.Run(t,
		kit.Step{Name: "taken", Call: "POST /forms", Body: kit.Obj{"slug": slug, "name": "x"}, Code: "CONFLICT"},
		kit.Step{Name: "bad", Call: "POST /forms",
			Body: kit.Obj{"slug": "A b", "fields": kit.List{kit.Obj{"name": "x", "type": "none"}},
				"notify_emails": kit.List{"nobody"}}, Code: "VALIDATION_FAILED"},
		kit.Step{Name: "select without options", Call: "POST /forms", Body: kit.Obj{"slug": kit.Unique("f"), "name": "x",
			"fields": kit.List{kit.Obj{"name": "x", "label": "X", "type": "select"}}}, Code: "VALIDATION_FAILED"},
		kit.Step{Name: "name twice", Call: "POST /forms", Body: kit.Obj{"slug": kit.Unique("f"), "name": "x",
			"fields": kit.List{kit.Obj{"name": "x", "label": "X", "type": "text"},
				kit.Obj{"name": "x", "label": "Y", "type": "text"}}}, Code: "VALIDATION_FAILED"},
		kit.Step{Name: "unknown", Call: "GET /forms/" + kit.Unique("none"), Code: "NOT_FOUND"},
	)
}
