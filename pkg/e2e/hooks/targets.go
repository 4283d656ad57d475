package hooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Targets has the scenarios of builds of static sites.
var Targets = []kit.Scenario{
	{Name: "desk/targets", Run: buildTargets},
}

// buildTargets is the scenario of targets and receipts (extensions §16).
func buildTargets(t *testing.T, s *kit.Suite) {
	admin, k := s.Admin(t), s.Key(t, nil)
	refused := func(name string, body kit.Obj, invalid string) kit.Step {
		return kit.Step{Name: name, Call: "POST /targets", Body: body, Invalid: invalid}
	}
	r := kit.NewReceiver(t)
	admin.Run(t,
		refused("nothing", kit.Obj{}, "name provider build_url"),
		refused("an unknown provider", kit.Obj{"name": "x", "provider": "x", "build_url": r.URL}, "provider"),
		refused("an address that is none", kit.Obj{"name": "x", "provider": "url", "build_url": "ftp://x"},
			"build_url"),
	)
	a := admin.Post(t, "/targets", kit.Obj{"name": kit.Unique("site"), "provider": "url", "build_url": r.URL})
	id, secret := a.Str(t, "data.id"), a.Str(t, "data.secret")
	a.Has(t, "the address is not shown", kit.Obj{"data.build_url": nil})
	model := s.Model(t, nil)
	entry := k.Publish(t, model, "Page", nil)
	at := "/models/" + model + "/entries/" + entry + "/receipts"
	admin.Run(t,
		kit.Step{Name: "a secret of 255 characters", Call: "PUT /targets/" + id,
			Body: kit.Obj{"secret": strings.Repeat("ä", 255)}},
		kit.Step{Name: "a secret of 256 characters", Call: "PUT /targets/" + id,
			Body: kit.Obj{"secret": strings.Repeat("ä", 256)}, Invalid: "secret"},
		kit.Step{Name: "the first secret again", Call: "PUT /targets/" + id, Body: kit.Obj{"secret": secret}},
		kit.Step{Name: "no secret", Call: "GET /targets/" + id, Want: kit.Obj{"data.secret": nil, "data.build": nil}},
		kit.Step{Name: "published", Call: "GET " + at, Want: kit.Obj{"data.0.kind": "published"}},
		kit.Step{Name: "build", Call: "POST /targets/" + id + "/build", Status: 202,
			Want: kit.Obj{"data.state": "requested"}},
		kit.Step{Name: "no such target", Call: "POST /targets/no-such/build", Code: "NOT_FOUND"},
	)
	state := func(status int, body, key string) {
		t.Helper()
		m := hmac.New(sha256.New, []byte(key))
		m.Write([]byte(body))
		provider := s.Bare().With("X-Hub-Signature-256", "sha256="+hex.EncodeToString(m.Sum(nil)))
		req, _ := provider.NewRequest(t, "POST /hooks/targets/"+id, kit.Text("application/json", body))
		kit.Exchange(t, s.HTTP, req).HasStatus(t, "a state signed with "+key, status)
	}
	state(401, `{"state": "ready", "id": "1"}`, "other")
	state(204, `{"state": "ready", "id": "1", "url": "https://example.com/"}`, secret)
	s.Eventually(t, "the receipt of the build", func() bool {
		list, _ := admin.Get(t, at).Get("data").(kit.List)
		for _, item := range list {
			if item, _ := item.(kit.Obj); item["kind"] == "build" && item["target"] == id && item["state"] == "ready" {
				return true
			}
		}
		return false
	})
	admin.Step(t, kit.Step{Name: "a change shows the build", Call: "PUT /targets/" + id,
		Body: kit.Obj{"name": "Renamed"}, Want: kit.Obj{"data.build.state": "ready"}})
	_, publisher := s.Role(t, kit.Obj{"models": kit.List{model}, "actions": kit.List{"read", "write", "publish"}})
	_, writer := s.Role(t, kit.Obj{"models": kit.List{model}, "actions": kit.List{"read", "write"}})
	build := "POST /targets/" + id + "/build"
	publisher.Run(t,
		kit.Step{Name: "who may publish builds", Call: build, Status: 202},
		kit.Step{Name: "and changes nothing", Call: "PUT /targets/" + id, Body: kit.Obj{"name": "x"}, Code: "FORBIDDEN"},
		kit.Step{Name: "nor reads it", Call: "GET /targets/" + id, Code: "FORBIDDEN"},
	)
	writer.Step(t, kit.Step{Name: "who may not publish", Call: build, Code: "FORBIDDEN"})
	admin.Delete(t, "/targets/"+id)
}
