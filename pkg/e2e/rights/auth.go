package rights

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"headless/pkg/e2e/kit"
)

// Auth has the scenarios of the credentials of keys, their scopes and origins.
var Auth = []kit.Scenario{
	{Name: "auth/credentials", Run: credentials},
	{Name: "auth/revoked", Run: revokedKeys},
	{Name: "auth/scopes", Run: scopes},
	{Name: "auth/origins", Run: origins},
	{Name: "auth/preflight", Run: preflight},
}

func credentials(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	other := s.Key(t, nil)
	model := s.Model(t, nil)
	refused := map[string]*kit.Client{
		"no headers":     s.Public(),
		"no secret":      k.With("X-API-Secret", ""),
		"no key":         k.With("X-API-Key", ""),
		"wrong secret":   k.With("X-API-Secret", "sk_"+strings.Repeat("A", 43)),
		"unknown key":    k.With("X-API-Key", "pk_unknown"),
		"another's":      k.With("X-API-Secret", other.Header["X-API-Secret"]),
		"secret as key":  k.With("X-API-Key", k.Header["X-API-Secret"]),
		"odd characters": k.With("X-API-Key", "'; --").With("X-API-Secret", "{}"),
	}
	message := ""
	for name, c := range refused {
		t.Run(name, func(t *testing.T) {
			for _, call := range []string{"GET /ping", "GET /" + model, "GET /" + model + "/x",
				"GET /search?q=x", "GET /upload/files", "DELETE /" + model + "/x"} {
				a := c.Step(t, kit.Step{Call: call, Code: "UNAUTHORIZED"})
				if message == "" {
					message = a.Str(t, "error.message")
				}
				a.Has(t, "message", kit.Obj{"error.message": kit.Contains("X-API-Key")})
				a.Has(t, "message", kit.Obj{"error.message": message})
			}
		})
	}
	t.Run("nothing is told before", func(t *testing.T) {
		s.Public().Step(t, kit.Step{Call: "GET /" + kit.Unique("none"), Code: "UNAUTHORIZED"})
	})
	t.Run("public routes need none", func(t *testing.T) {
		for _, call := range []string{"GET /i18n/locales", "GET /settings", "GET /openapi.json"} {
			s.Public().OK(t, 200, call, nil)
			if call != "GET /openapi.json" { // its answer depends on the key
				refused["wrong secret"].OK(t, 200, call, nil)
			}
		}
	})
	t.Run("ping", func(t *testing.T) {
		k.Step(t, kit.Step{Call: "GET /ping", Want: kit.Obj{
			"data.message": kit.Present, "data.key_name": k.Name,
			"data.scopes": kit.List{"read", "write", "delete"}, "meta": kit.Obj{},
		}})
	})
}

func revokedKeys(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	t.Run("deleted", func(t *testing.T) {
		k := s.Key(t, nil)
		k.Get(t, "/ping")
		admin.Delete(t, "/keys/"+k.ID)
		k.Step(t, kit.Step{Call: "GET /ping", Code: "UNAUTHORIZED"})
		admin.Step(t, kit.Step{Call: "GET /keys/" + k.ID, Code: "NOT_FOUND"})
	})
	t.Run("expired", func(t *testing.T) {
		k := s.Key(t, nil)
		k.Get(t, "/ping")
		admin.Put(t, "/keys/"+k.ID, kit.Obj{"expires_at": time.Now().Add(-time.Minute).UTC().Format(time.RFC3339)})
		k.Step(t, kit.Step{Call: "GET /ping", Code: "UNAUTHORIZED"})
		admin.Put(t, "/keys/"+k.ID, kit.Obj{"expires_at": time.Now().Add(time.Hour).UTC().Format(time.RFC3339)})
		k.Get(t, "/ping")
		admin.Put(t, "/keys/"+k.ID, kit.Obj{"expires_at": nil})
		k.Get(t, "/ping")
	})
	t.Run("rotated", func(t *testing.T) {
		k := s.Key(t, nil)
		a := admin.Do(t, "POST /keys/"+k.ID+"/rotate", nil)
		if a.Status != 200 && a.Status != 201 {
			t.Fatalf("%d %s", a.Status, a.Raw)
		}
		rotated := s.KeyOf(t, a)
		if rotated.ID != k.ID || rotated.Header["X-API-Key"] != k.Header["X-API-Key"] ||
			rotated.Header["X-API-Secret"] == k.Header["X-API-Secret"] {
			t.Errorf("the id or the public key changed, or the secret did not: %s", a.Raw)
		}
		k.Step(t, kit.Step{Call: "GET /ping", Code: "UNAUTHORIZED"})
		rotated.Get(t, "/ping")
	})
	t.Run("rotated with an overlap", func(t *testing.T) {
		k := s.Key(t, nil)
		a := admin.OK(t, 200, "POST /keys/"+k.ID+"/rotate", kit.Obj{"overlap_seconds": 3600})
		second := s.KeyOf(t, a)
		a.Has(t, "the old secret ends", kit.Obj{"data.previous_expires_at": kit.Present})
		k.Get(t, "/ping")
		second.Get(t, "/ping")
		third := s.KeyOf(t, admin.OK(t, 200, "POST /keys/"+k.ID+"/rotate", kit.Obj{"overlap_seconds": 2}))
		k.Step(t, kit.Step{Name: "the one before", Call: "GET /ping", Code: "UNAUTHORIZED"})
		s.Eventually(t, "the end of the overlap",
			func() bool { return second.Do(t, "GET /ping", nil).Status == 401 })
		third.Get(t, "/ping")
		admin.Step(t, kit.Step{Call: "POST /keys/" + k.ID + "/rotate", Body: kit.Obj{"overlap_seconds": 2592001},
			Invalid: "overlap_seconds"})
	})
	t.Run("recorded", func(t *testing.T) {
		k := s.Key(t, kit.Obj{"rate_limit": 77})
		admin.Put(t, "/keys/"+k.ID, kit.Obj{"rate_limit": 78})
		s.Eventually(t, "the record of the change", func() bool {
			return s.Walk(t, "/activity", func(item any) bool {
				if kit.Dig(item, "subject_id") != k.ID || kit.Dig(item, "event") != "key.updated" {
					return false
				}
				if kit.Dig(item, "before.secret") != nil || kit.Dig(item, "after.secret") != nil {
					t.Errorf("a secret is in %v", item)
				}
				return kit.Dig(item, "before.rate_limit") == 77.0 && kit.Dig(item, "after.rate_limit") == 78.0
			})
		})
	})
}

func scopes(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	id := s.Key(t, nil).Publish(t, model, "Scoped", nil)
	read, write, del := s.Key(t, kit.Obj{"scopes": kit.List{"read"}}),
		s.Key(t, kit.Obj{"scopes": kit.List{"write"}}), s.Key(t, kit.Obj{"scopes": kit.List{"delete"}})
	lacks := func(scope string) kit.Obj { return kit.Obj{"error.message": kit.Contains(scope)} }
	entry := "/" + model + "/" + id
	read.Run(t,
		kit.Step{Name: "read reads", Call: "GET " + entry},
		kit.Step{Name: "read does not create", Call: "POST /" + model, Body: kit.Obj{"title": "x"}, Code: "FORBIDDEN",
			Want: lacks("write")},
		kit.Step{Name: "read does not update", Call: "PUT " + entry, Body: kit.Obj{"title": "x"}, Code: "FORBIDDEN",
			Want: lacks("write")},
		kit.Step{Name: "read does not delete", Call: "DELETE " + entry, Code: "FORBIDDEN", Want: lacks("delete")},
		kit.Step{Name: "read does not upload", Call: "POST /upload/direct",
			Body: kit.Obj{"name": "a.txt", "mime": "text/plain", "size": 1}, Code: "FORBIDDEN", Want: lacks("write")},
		kit.Step{Name: "read does not delete files", Call: "DELETE /upload/files/00000000-0000-4000-8000-000000000000",
			Code: "FORBIDDEN", Want: lacks("delete")},
	)
	write.Run(t,
		kit.Step{Name: "write reads", Call: "GET " + entry},
		kit.Step{Name: "write writes", Call: "PUT " + entry, Body: kit.Obj{"title": "y"}},
		kit.Step{Name: "write does not delete", Call: "DELETE " + entry, Code: "FORBIDDEN", Want: lacks("delete")},
	)
	t.Run("a changed scope holds at once", func(t *testing.T) {
		s.Admin(t).Put(t, "/keys/"+read.ID, kit.Obj{"scopes": kit.List{"read", "write"}})
		read.Put(t, entry, kit.Obj{"title": "z"})
		s.Admin(t).Put(t, "/keys/"+read.ID, kit.Obj{"scopes": kit.List{}})
		read.Step(t, kit.Step{Call: "PUT " + entry, Body: kit.Obj{"title": "z"}, Code: "FORBIDDEN"})
		read.Get(t, entry)
	})
	del.Run(t,
		kit.Step{Name: "delete does not write", Call: "PUT " + entry, Body: kit.Obj{"title": "x"}, Code: "FORBIDDEN",
			Want: lacks("write")},
		kit.Step{Name: "delete deletes", Call: "DELETE " + entry, Status: 204},
	)
}

func origins(t *testing.T, s *kit.Suite) {
	k := s.Key(t, kit.Obj{"origins": kit.List{"https://site.example.com", "https://*.wild.example.com"}})
	open := s.Key(t, nil)
	for origin, allowed := range map[string]bool{
		"https://site.example.com": true, "https://a.wild.example.com": true,
		"https://a.b.wild.example.com": true,
		"https://wild.example.com":     false, "http://site.example.com": false,
		"https://site.example.com.evil.com": false, "https://evil.com": false,
		"https://evilwild.example.com": false, "https://site.example.com:8443": false, "null": false,
	} {
		t.Run(origin, func(t *testing.T) {
			st := kit.Step{Call: "GET /ping", Header: kit.Obj{
				"Access-Control-Allow-Origin":   kit.Matches(`^(\*|` + strings.ReplaceAll(origin, "*", `\*`) + `)$`),
				"Access-Control-Expose-Headers": kit.Contains("X-Request-Id"),
			}}
			if !allowed {
				st = kit.Step{Call: "GET /ping", Code: "ORIGIN_NOT_ALLOWED"}
			}
			a := k.With("Origin", origin).Step(t, st)
			if v := strings.Join(a.Header.Values("Vary"), ","); allowed && !strings.Contains(v, "Origin") {
				t.Errorf("Vary is %q", v)
			}
			open.With("Origin", origin).Get(t, "/ping")
		})
	}
	t.Run("no origin", func(t *testing.T) { k.Get(t, "/ping") })
	t.Run("before the secret", func(t *testing.T) {
		k.With("Origin", "https://evil.com").With("X-API-Secret", "sk_wrong").Step(t, kit.Step{Call: "GET /ping",
			Code: "ORIGIN_NOT_ALLOWED"})
	})
	t.Run("public", func(t *testing.T) {
		s.Public().With("Origin", "https://any.example").Step(t, kit.Step{Call: "GET /settings",
			Header: kit.Obj{"Access-Control-Allow-Origin": kit.Present}})
	})
	t.Run("readable refusals", func(t *testing.T) {
		k.With("Origin", "https://site.example.com").Step(t, kit.Step{Call: "GET /" + kit.Unique("none"),
			Code: "MODEL_NOT_FOUND", Header: kit.Obj{"Access-Control-Allow-Origin": kit.Present}})
	})
}

func preflight(t *testing.T, s *kit.Suite) {
	for _, row := range []struct{ path, method string }{{"/ping", "GET"}, {"/settings", "GET"},
		{"/forms/x/submit", "POST"}, {"/upload", "POST"}, {"/some-model", "POST"}, {"/some-model/x", "PUT"}} {
		t.Run(row.method+" "+row.path, func(t *testing.T) {
			c := s.Public().With("Origin",
				"https://any.example").With("Access-Control-Request-Method", row.method).
				With("Access-Control-Request-Headers", "x-api-key,x-api-secret,content-type,if-match")
			a := c.Step(t, kit.Step{Call: http.MethodOptions + " " + row.path, Status: 204, Header: kit.Obj{
				"Access-Control-Allow-Origin": kit.Present, "Access-Control-Allow-Methods": kit.Contains(row.method),
			}})
			headers := strings.ToLower(a.Header.Get("Access-Control-Allow-Headers"))
			for _, h := range []string{"x-api-key", "x-api-secret", "content-type", "if-match", "if-none-match"} {
				if !strings.Contains(headers, h) {
					t.Errorf("%s is not among the allowed headers %q", h, headers)
				}
			}
		})
	}
}
