package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

var authScenarios = []scenario{
	{name: "auth/credentials", run: credentials},
	{name: "auth/revoked", run: revokedKeys},
	{name: "auth/scopes", run: scopes},
	{name: "auth/origins", run: origins},
	{name: "auth/preflight", run: preflight},
}

func credentials(t *testing.T, s *suite) {
	k := s.key(t, nil)
	other := s.key(t, nil)
	model := s.model(t, nil)
	refused := map[string]*client{
		"no headers":     s.public(),
		"no secret":      k.with("X-API-Secret", ""),
		"no key":         k.with("X-API-Key", ""),
		"wrong secret":   k.with("X-API-Secret", "sk_"+strings.Repeat("A", 43)),
		"unknown key":    k.with("X-API-Key", "pk_unknown"),
		"another's":      k.with("X-API-Secret", other.header["X-API-Secret"]),
		"secret as key":  k.with("X-API-Key", k.header["X-API-Secret"]),
		"odd characters": k.with("X-API-Key", "'; --").with("X-API-Secret", "{}"),
	}
	message := ""
	for name, c := range refused {
		t.Run(name, func(t *testing.T) {
			for _, call := range []string{"GET /ping", "GET /" + model, "GET /" + model + "/x",
				"GET /search?q=x", "GET /upload/files", "DELETE /" + model + "/x"} {
				a := c.step(t, step{call: call, status: 401, code: "UNAUTHORIZED"})
				if message == "" {
					message = a.str(t, "error.message")
				}
				if got := a.str(t, "error.message"); got != message {
					t.Errorf("message %q differs from %q, so a key can be probed", got, message)
				}
			}
		})
	}
	t.Run("nothing is told before", func(t *testing.T) {
		s.public().step(t, step{call: "GET /" + unique("none"), status: 401, code: "UNAUTHORIZED"})
	})
	t.Run("public routes need none", func(t *testing.T) {
		for _, call := range []string{"GET /i18n/locales", "GET /settings", "GET /openapi.json"} {
			s.public().ok(t, 200, call, nil)
			if call != "GET /openapi.json" { // its answer depends on the key
				refused["wrong secret"].ok(t, 200, call, nil)
			}
		}
	})
	t.Run("ping", func(t *testing.T) {
		k.step(t, step{call: "GET /ping", status: 200, want: obj{
			"data.message": present, "data.key_name": k.name,
			"data.scopes": list{"read", "write", "delete"}, "meta": obj{},
		}})
	})
}

func revokedKeys(t *testing.T, s *suite) {
	admin := s.admin(t)
	t.Run("deleted", func(t *testing.T) {
		k := s.key(t, nil)
		k.ok(t, 200, "GET /ping", nil)
		admin.ok(t, 204, "DELETE /keys/"+k.id, nil)
		k.step(t, step{call: "GET /ping", status: 401, code: "UNAUTHORIZED"})
		admin.step(t, step{call: "GET /keys/" + k.id, status: 404, code: "NOT_FOUND"})
	})
	t.Run("expired", func(t *testing.T) {
		k := s.key(t, nil)
		k.ok(t, 200, "GET /ping", nil)
		admin.ok(t, 200, "PUT /keys/"+k.id,
			obj{"expires_at": time.Now().Add(-time.Minute).UTC().Format(time.RFC3339)})
		k.step(t, step{call: "GET /ping", status: 401, code: "UNAUTHORIZED"})
		admin.ok(t, 200, "PUT /keys/"+k.id,
			obj{"expires_at": time.Now().Add(time.Hour).UTC().Format(time.RFC3339)})
		k.ok(t, 200, "GET /ping", nil)
		admin.ok(t, 200, "PUT /keys/"+k.id, obj{"expires_at": nil})
		k.ok(t, 200, "GET /ping", nil)
	})
	t.Run("rotated", func(t *testing.T) {
		k := s.key(t, nil)
		a := admin.do(t, "POST /keys/"+k.id+"/rotate", nil)
		if a.Status != 200 && a.Status != 201 {
			t.Fatalf("%d %s", a.Status, a.Raw)
		}
		rotated := s.keyOf(t, a)
		if rotated.id != k.id || rotated.header["X-API-Secret"] == k.header["X-API-Secret"] {
			t.Errorf("the id changed or the secret did not: %s", a.Raw)
		}
		k.step(t, step{call: "GET /ping", status: 401, code: "UNAUTHORIZED"})
		rotated.ok(t, 200, "GET /ping", nil)
	})
	t.Run("rotated with an overlap", func(t *testing.T) {
		k := s.key(t, nil)
		a := admin.ok(t, 200, "POST /keys/"+k.id+"/rotate", obj{"overlap_seconds": 3600})
		second := s.keyOf(t, a)
		if a.get("data.previous_expires_at") == nil {
			t.Errorf("no end of the old secret: %s", a.Raw)
		}
		k.ok(t, 200, "GET /ping", nil)
		second.ok(t, 200, "GET /ping", nil)
		third := s.keyOf(t, admin.ok(t, 200, "POST /keys/"+k.id+"/rotate", obj{"overlap_seconds": 2}))
		k.step(t, step{name: "the one before", call: "GET /ping", status: 401, code: "UNAUTHORIZED"})
		s.eventually(t, "the end of the overlap",
			func() bool { return second.do(t, "GET /ping", nil).Status == 401 })
		third.ok(t, 200, "GET /ping", nil)
		admin.step(t, step{call: "POST /keys/" + k.id + "/rotate",
			body: obj{"overlap_seconds": 2592001}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"overlap_seconds"}})
	})
	t.Run("recorded", func(t *testing.T) {
		k := s.key(t, obj{"rate_limit": 77})
		admin.ok(t, 200, "PUT /keys/"+k.id, obj{"rate_limit": 78})
		s.eventually(t, "the record of the change", func() bool {
			return s.walk(t, "/activity", func(item any) bool {
				if dig(item, "subject_id") != k.id || dig(item, "event") != "key.updated" {
					return false
				}
				if dig(item, "before.secret") != nil || dig(item, "after.secret") != nil {
					t.Errorf("a secret is in %v", item)
				}
				return dig(item, "before.rate_limit") == 77.0 && dig(item, "after.rate_limit") == 78.0
			})
		})
	})
}

func scopes(t *testing.T, s *suite) {
	model := s.model(t, nil)
	id := s.key(t, nil).publish(t, model, "Scoped", nil)
	read, write, del := s.key(t, obj{"scopes": list{"read"}}),
		s.key(t, obj{"scopes": list{"write"}}), s.key(t, obj{"scopes": list{"delete"}})
	lacks := func(scope string) obj { return obj{"error.message": contains(scope)} }
	entry := "/" + model + "/" + id
	read.run(t,
		step{name: "read reads", call: "GET " + entry, status: 200},
		step{name: "read does not create", call: "POST /" + model, body: obj{"title": "x"},
			status: 403, code: "FORBIDDEN", want: lacks("write")},
		step{name: "read does not update", call: "PUT " + entry, body: obj{"title": "x"},
			status: 403, code: "FORBIDDEN", want: lacks("write")},
		step{name: "read does not delete", call: "DELETE " + entry, status: 403, code: "FORBIDDEN",
			want: lacks("delete")},
		step{name: "read does not upload", call: "POST /upload/direct",
			body: obj{"name": "a.txt", "mime": "text/plain", "size": 1}, status: 403,
			code: "FORBIDDEN", want: lacks("write")},
		step{name: "read does not delete files",
			call: "DELETE /upload/files/00000000-0000-4000-8000-000000000000", status: 403,
			code: "FORBIDDEN", want: lacks("delete")},
	)
	write.run(t,
		step{name: "write reads", call: "GET " + entry, status: 200},
		step{name: "write writes", call: "PUT " + entry, body: obj{"title": "y"}, status: 200},
		step{name: "write does not delete", call: "DELETE " + entry, status: 403, code: "FORBIDDEN",
			want: lacks("delete")},
	)
	t.Run("a changed scope holds at once", func(t *testing.T) {
		s.admin(t).ok(t, 200, "PUT /keys/"+read.id, obj{"scopes": list{"read", "write"}})
		read.ok(t, 200, "PUT "+entry, obj{"title": "z"})
		s.admin(t).ok(t, 200, "PUT /keys/"+read.id, obj{"scopes": list{}})
		read.step(t, step{call: "PUT " + entry, body: obj{"title": "z"}, status: 403, code: "FORBIDDEN"})
		read.ok(t, 200, "GET "+entry, nil)
	})
	del.run(t,
		step{name: "delete does not write", call: "PUT " + entry, body: obj{"title": "x"},
			status: 403, code: "FORBIDDEN", want: lacks("write")},
		step{name: "delete deletes", call: "DELETE " + entry, status: 204},
	)
}

func origins(t *testing.T, s *suite) {
	k := s.key(t, obj{"origins": list{"https://site.example.com", "https://*.wild.example.com"}})
	open := s.key(t, nil)
	for origin, allowed := range map[string]bool{
		"https://site.example.com": true, "https://a.wild.example.com": true,
		"https://a.b.wild.example.com": true,
		"https://wild.example.com":     false, "http://site.example.com": false,
		"https://site.example.com.evil.com": false, "https://evil.com": false,
		"https://evilwild.example.com": false, "https://site.example.com:8443": false, "null": false,
	} {
		t.Run(origin, func(t *testing.T) {
			st := step{call: "GET /ping", status: 200, header: obj{
				"Access-Control-Allow-Origin": matches(`^(\*|` +
					strings.ReplaceAll(origin, "*", `\*`) + `)$`),
				"Access-Control-Expose-Headers": contains("X-Request-Id"),
			}}
			if !allowed {
				st = step{call: "GET /ping", status: 403, code: "ORIGIN_NOT_ALLOWED"}
			}
			a := k.with("Origin", origin).step(t, st)
			if v := strings.Join(a.Header.Values("Vary"), ","); allowed && !strings.Contains(v, "Origin") {
				t.Errorf("Vary is %q", v)
			}
			open.with("Origin", origin).ok(t, 200, "GET /ping", nil)
		})
	}
	t.Run("no origin", func(t *testing.T) { k.ok(t, 200, "GET /ping", nil) })
	t.Run("before the secret", func(t *testing.T) {
		k.with("Origin", "https://evil.com").with("X-API-Secret", "sk_wrong").step(t,
			step{call: "GET /ping", status: 403, code: "ORIGIN_NOT_ALLOWED"})
	})
	t.Run("public", func(t *testing.T) {
		s.public().with("Origin", "https://any.example").step(t,
			step{call: "GET /settings", status: 200, header: obj{"Access-Control-Allow-Origin": present}})
	})
	t.Run("readable refusals", func(t *testing.T) {
		k.with("Origin", "https://site.example.com").step(t, step{
			call: "GET /" + unique("none"), status: 404, code: "MODEL_NOT_FOUND",
			header: obj{"Access-Control-Allow-Origin": present},
		})
	})
}

func preflight(t *testing.T, s *suite) {
	for _, row := range []struct{ path, method string }{{"/ping", "GET"}, {"/settings", "GET"},
		{"/forms/x/submit", "POST"}, {"/upload", "POST"}, {"/some-model", "POST"}, {"/some-model/x", "PUT"}} {
		t.Run(row.method+" "+row.path, func(t *testing.T) {
			c := s.public().with("Origin",
				"https://any.example").with("Access-Control-Request-Method", row.method).
				with("Access-Control-Request-Headers", "x-api-key,x-api-secret,content-type,if-match")
			a := c.step(t, step{call: http.MethodOptions + " " + row.path, status: 204, header: obj{
				"Access-Control-Allow-Origin": present, "Access-Control-Allow-Methods": contains(row.method),
			}})
			headers := strings.ToLower(a.Header.Get("Access-Control-Allow-Headers"))
			for _, h := range []string{"x-api-key", "x-api-secret", "content-type", "if-match",
				"if-none-match"} {
				if !strings.Contains(headers, h) {
					t.Errorf("%s is not among the allowed headers %q", h, headers)
				}
			}
		})
	}
}
