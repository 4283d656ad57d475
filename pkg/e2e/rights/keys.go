package rights

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Keys has the scenarios of keys in the admin area, and the log of their requests.
var Keys = []kit.Scenario{
	{Name: "keys/admin", Run: adminKeys},
	{Name: "keys/log", Run: requestLog},
}

func adminKeys(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	name := kit.Unique("key")
	made := admin.Step(t, kit.Step{Call: "POST /keys", Body: kit.Obj{"name": name, "scopes": kit.List{"read"}},
		Status: 201, Want: kit.Obj{
			"data.name": name, "data.scopes": kit.List{"read"}, "data.origins": kit.List{},
			"data.rate_limit": 1000, "data.role": nil, "data.expires_at": nil,
			"data.public_key": kit.Matches("^pk_"), "data.secret": kit.Matches("^sk_[A-Za-z0-9_-]{43,}$"),
		}})
	id, secret := made.Str(t, "data.id"), made.Str(t, "data.secret")
	admin.Step(t, kit.Step{Call: "POST /keys", Body: kit.Obj{"name": kit.Unique("key")}, Status: 201,
		Want: kit.Obj{"data.scopes": kit.List{}, "data.origins": kit.List{}}})
	t.Run("the secret is shown once", func(t *testing.T) {
		for _, call := range []string{"GET /keys/" + id, "GET /keys?per_page=100"} {
			admin.OK(t, 200, call, nil).Lacks(t, call, secret, `"sk_`) // a public key may hold sk_ by chance
		}
		updated := admin.Put(t, "/keys/"+id, kit.Obj{"name": name + "-2"})
		updated.Has(t, "update", kit.Obj{"data.name": name + "-2"})
		updated.Lacks(t, "update", secret)
	})
	for name, body := range map[string]kit.Obj{
		"name": {"scopes": kit.List{"read"}}, "scopes": {"name": "x", "scopes": kit.List{"admin"}},
		"rate_limit": {"name": "x", "rate_limit": 0}, "role": {"name": "x", "role": "editor"},
		"expires_at": {"name": "x", "expires_at": "soon"},
		"origins":    {"name": "x", "origins": kit.List{"not an origin"}},
	} {
		t.Run("bad "+name, func(t *testing.T) {
			a := admin.Step(t, kit.Step{Call: "POST /keys", Body: body, Code: "VALIDATION_FAILED"})
			for path := range a.Get("error.details").(kit.Obj) {
				if !strings.HasPrefix(path, name) {
					t.Errorf("details %v", a.Get("error.details"))
				}
			}
		})
	}
	long := strings.Repeat("ä", 255)
	admin.Run(t,
		kit.Step{Name: "everything", Call: "PUT /keys/" + id, Body: kit.Obj{"name": long,
			"scopes": kit.List{"delete", "write", "read", "read"}, "origins": kit.List{"https://*.example.com"},
			"rate_limit": 50, "role": "admin", "expires_at": "2030-01-31T12:00:00Z"}, Want: kit.Obj{
			"data.scopes": kit.List{"read", "write", "delete"}, "data.rate_limit": 50, "data.role": "admin",
			"data.expires_at": "2030-01-31T12:00:00.000Z"}},
		kit.Step{Name: "null clears", Call: "PUT /keys/" + id, Body: kit.Obj{"role": nil, "expires_at": nil},
			Want: kit.Obj{"data.role": nil, "data.expires_at": nil}},
		kit.Step{Name: "everything is wrong", Call: "POST /keys", Body: kit.Obj{"name": long + "ä", "rate_limit": 1000001,
			"role": "editor", "scopes": kit.List{"all"}, "expires_at": "soon", "origins": kit.List{"example.com",
				"https://example.com/", "https://a.*.com", "https://ok.example:8443", "https://", 1}},
			Invalid: "name rate_limit role scopes.0 expires_at origins.0 origins.1 origins.2 origins.4 origins.5"},
		kit.Step{Name: "wrong types", Call: "POST /keys", Body: kit.Obj{"rate_limit": 1.5, "scopes": "read"},
			Invalid: "name rate_limit scopes"},
		kit.Step{Name: "delete", Call: "DELETE /keys/" + id, Status: 204},
		kit.Step{Name: "rotate what is gone", Call: "POST /keys/" + id + "/rotate", Code: "NOT_FOUND"},
	)
	s.Listed(t, "/activity", kit.Obj{"event": "key.deleted", "subject_id": id, "subject": "key " + long,
		"actor": s.Target.AdminEmail})
	admin.Run(t,
		kit.Step{Name: "unknown", Call: "GET /keys/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f", Code: "NOT_FOUND"},
		kit.Step{Name: "unknown, rotate", Call: "POST /keys/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/rotate",
			Code: "NOT_FOUND"},
	)
}

func requestLog(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	model := s.Model(t, nil)
	ids := map[string]string{}
	for _, call := range []string{"GET /ping", "GET /" + model, "POST /" + model, "GET /" + model + "/none"} {
		ids[k.Do(t, call, kit.Text("application/json", `{"title":"x"}`)).Header.Get("X-Request-Id")] = call
	}
	s.Eventually(t, "the requests in the log", func() bool {
		found := 0
		s.Walk(t, "/requests", func(item any) bool {
			call, ours := ids[kit.Str(kit.Dig(item, "request_id"))]
			if !ours {
				return false
			}
			found++
			method, path, _ := strings.Cut(call, " ")
			if got := kit.Str(kit.Dig(item, "path")); kit.Dig(item, "method") != method ||
				!strings.HasSuffix(got, path) {
				t.Fatalf("%s is logged as %v", call, item)
			}
			if call == "POST /"+model && kit.Compare(kit.Dig(item, "status"), 201) != nil ||
				call == "GET /"+model+"/none" && kit.Compare(kit.Dig(item, "status"), 404) != nil {
				t.Fatalf("%s is logged as %v", call, item)
			}
			return found == len(ids)
		})
		return found == len(ids)
	})
}
