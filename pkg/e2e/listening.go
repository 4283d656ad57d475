package e2e

import (
	"encoding/hex"
	"encoding/json"
	"testing"
)

// listening polls the deliveries of a webhook without an address.
func listening(t *testing.T, s *suite) {
	admin, key, model := s.admin(t), s.key(t, nil), s.model(t, nil)
	const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
	made := admin.ok(t, 201, "POST /webhooks", obj{"listen": true, "events": list{"entry.created"}, "models": list{model},
		"secret": secret})
	at := "/webhooks/" + made.str(t, "data.id")
	if made.get("data.listen") != true || made.get("data.url") != "" {
		t.Errorf("made %s", made.Raw)
	}
	posted := s.subscribe(t, obj{"url": newReceiver(t).url, "events": list{"entry.deleted"}})
	_, _, editor := s.user(t, "editor")
	admin.run(t,
		step{name: "with an address", call: "POST /webhooks", body: obj{"listen": true, "url": "https://a.example/", "events": list{}},
			status: 422, code: "VALIDATION_FAILED", details: []string{"url"}},
		step{name: "not for ever", call: "PUT " + at, body: obj{"listen": false}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"listen"}},
		step{name: "one with an address", call: "GET /webhooks/" + posted + "/poll", status: 409, code: "CONFLICT"},
		step{name: "an unknown delivery", call: "GET " + at + "/poll?after=018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f", status: 400,
			code: "BAD_REQUEST"},
	)
	editor.step(t, step{name: "not for editors", call: "GET " + at + "/poll", status: 403, code: "FORBIDDEN"})
	after := ""
	for _, title := range []string{"First", "Second"} {
		id := key.create(t, model, obj{"title": title}).str(t, "data.id")
		var got answer
		s.eventually(t, title, func() bool { // a poll ends after 25 s, the wait of a slow target later
			got = admin.ok(t, 200, "GET "+at+"/poll"+after, nil)
			return len(got.get("data").(list)) > 0
		})
		item, _ := dig(got.get("data"), "0").(obj)
		if len(got.get("data").(list)) != 1 || item["event"] != "entry.created" {
			t.Fatalf("%s: %s", title, got.Raw)
		}
		header, body := item["headers"].(obj), []byte(str(item["body"]))
		if header["X-Service-Delivery"] != item["id"] || header["X-Service-Signature"] != "sha256="+hex.EncodeToString(mac([]byte(secret), body)) {
			t.Errorf("%s: %v", title, header)
		}
		var sent any
		if err := json.Unmarshal(body, &sent); err != nil || dig(sent, "data.id") != id {
			t.Errorf("%s: %s", title, body)
		}
		after = "?after=" + str(item["id"])
	}
	admin.step(t, step{call: "DELETE " + at, status: 204})
	admin.step(t, step{name: "ended", call: "GET " + at + "/poll", status: 404, code: "NOT_FOUND"})
}
