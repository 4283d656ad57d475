package e2e

import (
	"strings"
	"testing"
)

var adminScenarios = []scenario{
	{name: "admin/sign-in", run: signIn},
	{name: "admin/lockout", run: lockout},
	{name: "admin/roles", run: roles},
	{name: "admin/users", run: users},
	{name: "admin/activity", run: activity},
	{name: "admin/routes", run: adminRoutes},
	{name: "admin/models", run: adminModels},
	{name: "admin/entries", run: adminEntries},
	{name: "admin/media", run: adminMedia},
	{name: "admin/forms", run: adminForms},
	{name: "admin/pages", run: adminPages},
}

const password = "a long enough password"

// user makes a user and returns its address and a signed-in client.
func (s *suite) user(t *testing.T, role string) (email, id string, c *client) {
	t.Helper()
	email = unique(role) + "@example.com"
	id = s.admin(t).ok(t, 201, "POST /users", obj{"email": email, "name": role, "role": role,
		"password": password}).str(t, "data.id")
	return email, id, s.adminWith(s.login(t, email, password))
}

func signIn(t *testing.T, s *suite) {
	email, id, c := s.user(t, "editor")
	anyone := s.anonymousAdmin()
	anyone.run(t,
		step{name: "right", call: "POST /login", body: obj{"email": email, "password": password},
			status: 200, want: obj{
				"data.token": present, "data.expires_at": timestamp, "data.user.email": email,
				"data.user.role": "editor", "data.user.password": nil,
			}},
		step{name: "the address in another case", call: "POST /login",
			body: obj{"email": strings.ToUpper(email), "password": password}, status: 200},
		step{name: "wrong", call: "POST /login",
			body: obj{"email": email, "password": "wrong password 1"}, status: 401, code: "UNAUTHORIZED"},
		step{name: "nobody", call: "POST /login", body: obj{"email": unique("no") + "@example.com",
			"password": password}, status: 401, code: "UNAUTHORIZED"},
		step{name: "malformed", call: "POST /login", body: text("application/json", "{"),
			status: 400, code: "BAD_REQUEST"},
		step{name: "no token", call: "GET /models", status: 401, code: "UNAUTHORIZED"},
		step{name: "no token, write", call: "POST /models", body: obj{}, status: 401, code: "UNAUTHORIZED"},
	)
	s.adminWith("rubbish").run(t, step{name: "wrong token", call: "GET /models", status: 401,
		code: "UNAUTHORIZED"})
	c.run(t, step{name: "token", call: "GET /models", status: 200},
		step{name: "dashboard", call: "GET /", status: 200},
		step{name: "me", call: "GET /me", status: 200, want: obj{"data.email": email}})
	other := s.adminWith(s.login(t, email, password))
	other.run(t,
		step{name: "sign out", call: "POST /logout", status: 204},
		step{name: "signed out", call: "GET /me", status: 401, code: "UNAUTHORIZED"},
	)
	s.key(t, nil).with("Accept", "application/json").onAdmin().run(t,
		step{name: "an API key is no session", call: "GET /models", status: 401, code: "UNAUTHORIZED"})
	s.admin(t).ok(t, 200, "PUT /users/"+id, obj{"is_active": false})
	c.run(t, step{name: "inactive, token", call: "GET /models", status: 401, code: "UNAUTHORIZED"})
	anyone.run(t, step{name: "inactive, sign-in", call: "POST /login",
		body: obj{"email": email, "password": password}, status: 401, code: "UNAUTHORIZED"})
}

// onAdmin is the same identity on the admin area.
func (c *client) onAdmin() *client {
	d := *c
	d.base = adminBase
	return &d
}

func lockout(t *testing.T, s *suite) {
	email, _, c := s.user(t, "viewer")
	wrong := step{call: "POST /login", body: obj{"email": email, "password": "wrong password 1"},
		status: 401, code: "UNAUTHORIZED"}
	for range 5 {
		s.anonymousAdmin().step(t, wrong)
	}
	s.anonymousAdmin().step(t,
		step{call: "POST /login", body: obj{"email": email, "password": password}, status: 429,
			code: "RATE_LIMITED", header: obj{"Retry-After": matches("^[1-9][0-9]*$")}})
	c.ok(t, 200, "GET /models", nil)
	s.login(t, s.target.AdminEmail, s.target.AdminPassword)
}

func roles(t *testing.T, s *suite) {
	_, _, editor := s.user(t, "editor")
	_, _, viewer := s.user(t, "viewer")
	model := s.model(t, nil)
	id := editor.ok(t, 201, "POST /models/"+model+"/entries", obj{"title": "By an editor"}).str(t, "data.id")
	form := unique("form")
	editor.ok(t, 201, "POST /forms", obj{"slug": form, "name": "F"})
	editor.ok(t, 201, "POST /media/folders", obj{"name": unique("Folder")})
	for _, call := range []string{"GET /models", "GET /models/" + model + "/entries",
		"GET /models/" + model + "/entries/" + id, "GET /media", "GET /forms", "GET /forms/" + form,
		"GET /locales", "GET /trash"} {
		t.Run("viewer "+call, func(t *testing.T) { viewer.ok(t, 200, call, nil) })
	}
	forbidden := func(who string, c *client, call string, body any) {
		c.run(t, step{name: who + " " + call, call: call, body: body, status: 403, code: "FORBIDDEN"})
	}
	forbidden("viewer", viewer, "POST /models/"+model+"/entries", obj{"title": "x"})
	forbidden("viewer", viewer, "PUT /models/"+model+"/entries/"+id, obj{"title": "x"})
	forbidden("viewer", viewer, "DELETE /models/"+model+"/entries/"+id, nil)
	forbidden("viewer", viewer, "POST /forms", obj{"slug": unique("f"), "name": "x"})
	forbidden("viewer", viewer, "POST /media/folders", obj{"name": "x"})
	for who, c := range map[string]*client{"viewer": viewer, "editor": editor} {
		forbidden(who, c, "POST /models", obj{"slug": unique("m"), "name": "x", "kind": "collection"})
		forbidden(who, c, "PUT /models/"+model, obj{"name": "x"})
		forbidden(who, c, "POST /keys", obj{"name": "x"})
		forbidden(who, c, "POST /users", obj{"email": "x@example.com", "password": password})
		forbidden(who, c, "POST /webhooks", obj{"url": "https://example.com", "events": list{"*"}})
		forbidden(who, c, "PUT /settings", list{})
		forbidden(who, c, "POST /locales", obj{"code": "xx", "name": "x"})
	}
}

func users(t *testing.T, s *suite) {
	admin := s.admin(t)
	email, id, c := s.user(t, "viewer")
	admin.run(t,
		step{name: "read", call: "GET /users/" + id, status: 200,
			want: obj{"data.email": email, "data.role": "viewer", "data.is_active": true,
				"data.password": nil}},
		step{name: "list", call: "GET /users", status: 200,
			want: obj{"meta.page": 1, "meta.per_page": present, "meta.total": present}},
		step{name: "taken", call: "POST /users", body: obj{"email": email, "password": password,
			"role": "viewer"}, status: 409, code: "CONFLICT"},
		step{name: "taken in another case", call: "POST /users",
			body:   obj{"email": strings.ToUpper(email), "password": password, "role": "viewer"},
			status: 409, code: "CONFLICT"},
		step{name: "short password", call: "POST /users",
			body: obj{"email": unique("u") + "@example.com", "role": "viewer",
				"password": "elevenchars"}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"password"}},
		step{name: "no password", call: "POST /users",
			body: obj{"email": unique("u") + "@example.com", "role": "viewer"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"password"}},
		step{name: "bad role and address", call: "POST /users",
			body: obj{"email": "x", "role": "king", "password": password}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"email", "role"}},
		step{name: "promote", call: "PUT /users/" + id,
			body: obj{"role": "editor", "password": password + " 2"}, status: 200,
			want: obj{"data.role": "editor", "data.email": email}},
	)
	s.login(t, email, password+" 2")
	s.anonymousAdmin().step(t,
		step{call: "POST /login", body: obj{"email": email, "password": password}, status: 401,
			code: "UNAUTHORIZED"})
	admin.ok(t, 204, "DELETE /users/"+id, nil)
	c.step(t, step{call: "GET /models", status: 401, code: "UNAUTHORIZED"})
	admin.step(t, step{call: "GET /users/" + id, status: 404, code: "NOT_FOUND"})
}

func activity(t *testing.T, s *suite) {
	model := s.model(t, nil)
	k := s.key(t, nil)
	email, _, editor := s.user(t, "editor")
	k.create(t, model, obj{"title": "By a key"})
	editor.ok(t, 201, "POST /models/"+model+"/entries", obj{"title": "By a user"})
	record := func(event, source, actor string) {
		t.Run(event+" by "+source, func(t *testing.T) {
			s.eventually(t, "the record", func() bool {
				return s.walk(t, "/activity", func(item any) bool {
					return dig(item, "event") == event && dig(item, "source") == source &&
						strings.Contains(str(dig(item, "actor")), actor)
				})
			})
		})
	}
	record("entry.created", "api", k.name)
	record("entry.created", "admin", email)
	record("user.created", "admin", s.target.AdminEmail)
}

func adminRoutes(t *testing.T, s *suite) {
	admin := s.admin(t)
	admin.run(t,
		step{name: "unknown", call: "GET /nothing-here", status: 404, code: "NOT_FOUND"},
		step{name: "unknown, deeper", call: "GET /models/a/b/c", status: 404, code: "NOT_FOUND"},
		step{name: "method", call: "PATCH /models", status: 405, code: "METHOD_NOT_ALLOWED",
			header: obj{"Allow": contains("POST")}},
		step{name: "method of an item", call: "POST /keys/x", status: 405,
			code: "METHOD_NOT_ALLOWED", header: obj{"Allow": contains("PUT")}},
		step{name: "malformed", call: "POST /models", body: text("application/json", "{"),
			status: 400, code: "BAD_REQUEST"},
		step{name: "text", call: "POST /models", body: text("text/plain", "x"), status: 415,
			code: "UNSUPPORTED_MEDIA_TYPE"},
		step{name: "too large", call: "POST /models", body: obj{"name": strings.Repeat("x", 1<<20)},
			status: 413, code: "PAYLOAD_TOO_LARGE"},
		step{name: "page", call: "GET /keys?page=0", status: 400, code: "BAD_REQUEST"},
		step{name: "model", call: "GET /models/" + unique("none"), status: 404, code: "NOT_FOUND"},
		step{name: "document", call: "GET /openapi.json", status: 200},
	)
}

func adminModels(t *testing.T, s *suite) {
	admin := s.admin(t)
	slug := s.model(t, obj{"fields": list{field("a", "text", obj{"required": true, "max": 5})}})
	admin.run(t,
		step{name: "read", call: "GET /models/" + slug, status: 200, want: obj{
			"data.slug": slug, "data.kind": "collection", "data.localized": false,
			"data.is_active": true, "data.visible_fields": list{}, "data.default_sort": "",
			"data.max_per_page":  100,
			"data.fields.0.name": "a", "data.fields.0.type": "text", "data.fields.0.required": true,
			"data.fields.0.max": 5,
		}},
		step{name: "list", call: "GET /models?per_page=1", status: 200,
			want: obj{"data.#": 1, "meta.per_page": 1}},
		step{name: "rename", call: "PUT /models/" + slug, body: obj{"name": "Other"}, status: 200,
			want: obj{"data.name": "Other", "data.fields.0.name": "a"}},
		step{name: "bad", call: "PUT /models/" + slug,
			body: obj{"fields": list{field("a", "none", nil)}}, status: 422, code: "VALIDATION_FAILED"},
	)
}

func adminEntries(t *testing.T, s *suite) {
	_, _, editor := s.user(t, "editor")
	model := s.model(t, nil)
	l := "/models/" + model + "/entries"
	a := editor.step(t,
		step{call: "POST " + l, body: obj{"title": "Made here", "data": obj{"body": "b"}},
			status: 201, want: obj{"data.slug": "made-here", "data.status": "draft"}})
	one := l + "/" + a.str(t, "data.id")
	editor.run(t,
		step{name: "drafts are listed", call: "GET " + l, status: 200,
			want: obj{"meta.total": 1, "data.0.title": "Made here"}},
		step{name: "read", call: "GET " + one, status: 200, want: obj{"data.data.body": "b"}},
		step{name: "publish", call: "PUT " + one, body: obj{"status": "published"}, status: 200,
			want: obj{"data.status": "published", "data.version": 2}},
		step{name: "invalid", call: "PUT " + one, body: obj{"title": "", "data": obj{"x": 1}},
			status: 422, code: "VALIDATION_FAILED", details: []string{"title", "data.x"}},
		step{name: "taken", call: "POST " + l, body: obj{"title": "x", "slug": "made-here"},
			status: 409, code: "SLUG_CONFLICT"},
	)
	s.key(t, nil).run(t, step{name: "seen by the API", call: "GET /" + model + "/made-here",
		status: 200, want: obj{"data.version": 2}})
	editor.run(t,
		step{name: "delete", call: "DELETE " + one, status: 204},
		step{name: "gone", call: "GET " + one, status: 404, code: "NOT_FOUND"},
	)
}

func adminMedia(t *testing.T, s *suite) {
	_, _, editor := s.user(t, "editor")
	name := unique("Folder")
	folder := editor.ok(t, 201, "POST /media/folders", obj{"name": name}).str(t, "data.id")
	a := editor.step(t,
		step{call: "POST /media",
			body: form(t, "a.png", pngFile(2, 1),
				map[string]string{"alt": "A", "folder_id": folder}), status: 201,
			want: obj{"data.folder": name, "data.alt": "A", "data.width": 2}})
	one := "/media/" + a.str(t, "data.id")
	editor.run(t,
		step{name: "read", call: "GET " + one, status: 200, want: obj{"data.name": "a.png"}},
		step{name: "update", call: "PUT " + one, body: obj{"alt": "B", "caption": "C"}, status: 200,
			want: obj{"data.alt": "B", "data.caption": "C", "data.folder": name}},
		step{name: "list", call: "GET /media?per_page=1", status: 200,
			want: obj{"meta.per_page": 1, "meta.total": present}},
		step{name: "folder", call: "GET /media/folders/" + folder, status: 200,
			want: obj{"data": obj{"id": folder, "name": name}}},
		step{name: "rename", call: "PUT /media/folders/" + folder, body: obj{"name": name + "2"},
			status: 200, want: obj{"data.name": name + "2"}},
	)
	s.key(t, nil).run(t,
		step{name: "renamed in the API", call: "GET /upload/files/" + a.str(t, "data.id"),
			status: 200, want: obj{"data.folder": name + "2", "data.alt": "B"}},
		step{name: "found by the new name", call: "GET /upload/files?filter%5Bfolder%5D=" + name +
			"2", status: 200, want: obj{"meta.total": 1}},
	)
	editor.run(t,
		step{name: "delete", call: "DELETE " + one, status: 204},
		step{name: "gone", call: "GET " + one, status: 404, code: "NOT_FOUND"},
		step{name: "delete the folder", call: "DELETE /media/folders/" + folder, status: 204},
	)
}

func adminForms(t *testing.T, s *suite) {
	admin := s.admin(t)
	slug := makeForm(t, s, nil)
	admin.step(t,
		step{call: "PUT /forms/" + slug,
			body: obj{"recaptcha": obj{"site_key": "s", "secret_key": "very-secret-key",
				"min_score": 0.5}, "notify_emails": list{"a@example.com"}}, status: 200, want: obj{
				"data.notify_emails": list{"a@example.com"}, "data.is_active": true,
				"data.block_emails": list{}, "data.block_disposable": false, "data.fields.#": 3,
			}})
	admin.run(t,
		step{name: "taken", call: "POST /forms", body: obj{"slug": slug, "name": "x"}, status: 409,
			code: "CONFLICT"},
		step{name: "bad", call: "POST /forms",
			body: obj{"slug": "A b", "fields": list{obj{"name": "x", "type": "none"}},
				"notify_emails": list{"nobody"}}, status: 422, code: "VALIDATION_FAILED"},
		step{name: "select without options", call: "POST /forms",
			body: obj{"slug": unique("f"), "name": "x",
				"fields": list{obj{"name": "x", "label": "X", "type": "select"}}}, status: 422,
			code: "VALIDATION_FAILED"},
		step{name: "name twice", call: "POST /forms", body: obj{"slug": unique("f"), "name": "x",
			"fields": list{obj{"name": "x", "label": "X", "type": "text"},
				obj{"name": "x", "label": "Y", "type": "text"}}}, status: 422, code: "VALIDATION_FAILED"},
		step{name: "unknown", call: "GET /forms/" + unique("none"), status: 404, code: "NOT_FOUND"},
	)
}
