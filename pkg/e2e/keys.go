package e2e

import (
	"strings"
	"testing"
)

var keyScenarios = []scenario{
	{name: "keys/admin", run: adminKeys},
	{name: "keys/log", run: requestLog},
}

func adminKeys(t *testing.T, s *suite) {
	admin := s.admin(t)
	name := unique("key")
	made := admin.step(t, step{call: "POST /keys", body: obj{"name": name, "scopes": list{"read"}},
		status: 201, want: obj{
			"data.name": name, "data.scopes": list{"read"}, "data.origins": list{},
			"data.rate_limit": 1000, "data.role": nil, "data.expires_at": nil,
			"data.public_key": matches("^pk_"), "data.secret": matches("^sk_[A-Za-z0-9_-]{43,}$"),
		}})
	id, secret := made.str(t, "data.id"), made.str(t, "data.secret")
	admin.step(t, step{call: "POST /keys", body: obj{"name": unique("key")}, status: 201,
		want: obj{"data.scopes": list{}, "data.origins": list{}}})
	t.Run("the secret is shown once", func(t *testing.T) {
		for _, call := range []string{"GET /keys/" + id, "GET /keys?per_page=100"} {
			if a := admin.ok(t, 200, call, nil); strings.Contains(string(a.Raw), secret) ||
				strings.Contains(string(a.Raw), `"sk_`) { // a public key may hold sk_ by chance
				t.Errorf("%s shows the secret", call)
			}
		}
		if a := admin.ok(t, 200, "PUT /keys/"+id, obj{"name": name + "-2"}); strings.Contains(string(a.Raw),
			secret) || a.get("data.name") != name+"-2" {
			t.Errorf("update: %s", a.Raw)
		}
	})
	for name, body := range map[string]obj{
		"name": {"scopes": list{"read"}}, "scopes": {"name": "x", "scopes": list{"admin"}},
		"rate_limit": {"name": "x", "rate_limit": 0}, "role": {"name": "x", "role": "editor"},
		"expires_at": {"name": "x", "expires_at": "soon"},
		"origins":    {"name": "x", "origins": list{"not an origin"}},
	} {
		t.Run("bad "+name, func(t *testing.T) {
			a := admin.step(t, step{call: "POST /keys", body: body, status: 422, code: "VALIDATION_FAILED"})
			for path := range a.get("error.details").(obj) {
				if !strings.HasPrefix(path, name) {
					t.Errorf("details %v", a.get("error.details"))
				}
			}
		})
	}
	admin.run(t,
		step{name: "unknown", call: "GET /keys/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f", status: 404,
			code: "NOT_FOUND"},
		step{name: "unknown, rotate",
			call: "POST /keys/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/rotate", status: 404, code: "NOT_FOUND"},
	)
}

func requestLog(t *testing.T, s *suite) {
	k := s.key(t, nil)
	model := s.model(t, nil)
	ids := map[string]string{}
	for _, call := range []string{"GET /ping", "GET /" + model, "POST /" + model, "GET /" + model + "/none"} {
		ids[k.do(t, call, text("application/json", `{"title":"x"}`)).Header.Get("X-Request-Id")] = call
	}
	s.eventually(t, "the requests in the log", func() bool {
		found := 0
		s.walk(t, "/requests", func(item any) bool {
			call, ours := ids[str(dig(item, "request_id"))]
			if !ours {
				return false
			}
			found++
			method, path, _ := strings.Cut(call, " ")
			if got := str(dig(item, "path")); dig(item, "method") != method || !strings.HasSuffix(got, path) {
				t.Fatalf("%s is logged as %v", call, item)
			}
			if call == "POST /"+model && compare(dig(item, "status"), 201) != nil ||
				call == "GET /"+model+"/none" && compare(dig(item, "status"), 404) != nil {
				t.Fatalf("%s is logged as %v", call, item)
			}
			return found == len(ids)
		})
		return found == len(ids)
	})
}
