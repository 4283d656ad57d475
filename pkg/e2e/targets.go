package e2e

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

// buildTargets is the scenario of targets and receipts (extensions §16).
func buildTargets(t *testing.T, s *suite) {
	admin, k := s.admin(t), s.key(t, nil)
	refused := func(name string, body obj, on ...string) step {
		return step{name: name, call: "POST /targets", body: body, status: 422, code: "VALIDATION_FAILED", details: on}
	}
	r := newReceiver(t)
	admin.run(t,
		refused("nothing", obj{}, "name", "provider", "build_url"),
		refused("an unknown provider", obj{"name": "x", "provider": "x", "build_url": r.url}, "provider"),
		refused("an address that is none", obj{"name": "x", "provider": "url", "build_url": "ftp://x"}, "build_url"),
	)
	a := admin.ok(t, 201, "POST /targets", obj{"name": unique("site"), "provider": "url", "build_url": r.url})
	id, secret := a.str(t, "data.id"), a.str(t, "data.secret")
	if a.get("data.build_url") != nil {
		t.Errorf("the address is shown: %s", a.Raw)
	}
	model := s.model(t, nil)
	entry := k.publish(t, model, "Page", nil)
	at := "/models/" + model + "/entries/" + entry + "/receipts"
	admin.run(t,
		step{name: "a secret of 255 characters", call: "PUT /targets/" + id,
			body: obj{"secret": strings.Repeat("ä", 255)}, status: 200},
		step{name: "a secret of 256 characters", call: "PUT /targets/" + id,
			body: obj{"secret": strings.Repeat("ä", 256)}, status: 422, code: "VALIDATION_FAILED", details: []string{"secret"}},
		step{name: "the first secret again", call: "PUT /targets/" + id, body: obj{"secret": secret}, status: 200},
		step{name: "no secret", call: "GET /targets/" + id, status: 200, want: obj{"data.secret": nil, "data.build": nil}},
		step{name: "published", call: "GET " + at, status: 200, want: obj{"data.0.kind": "published"}},
		step{name: "build", call: "POST /targets/" + id + "/build", status: 202, want: obj{"data.state": "requested"}},
		step{name: "no such target", call: "POST /targets/no-such/build", status: 404, code: "NOT_FOUND"},
	)
	state := func(status int, body, key string) {
		t.Helper()
		m := hmac.New(sha256.New, []byte(key))
		m.Write([]byte(body))
		provider := (&client{s: s, http: s.http}).with("X-Hub-Signature-256", "sha256="+hex.EncodeToString(m.Sum(nil)))
		req, _ := provider.request(t, "POST /hooks/targets/"+id, text("application/json", body))
		resp, err := s.http.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if resp.Body.Close(); resp.StatusCode != status {
			t.Errorf("a state signed with %q: %d, want %d", key, resp.StatusCode, status)
		}
	}
	state(401, `{"state": "ready", "id": "1"}`, "other")
	state(204, `{"state": "ready", "id": "1", "url": "https://example.com/"}`, secret)
	s.eventually(t, "the receipt of the build", func() bool {
		list, _ := admin.ok(t, 200, "GET "+at, nil).get("data").(list)
		for _, item := range list {
			if item, _ := item.(obj); item["kind"] == "build" && item["target"] == id && item["state"] == "ready" {
				return true
			}
		}
		return false
	})
	admin.ok(t, 204, "DELETE /targets/"+id, nil)
}
