package hooks

import (
	"encoding/hex"
	"encoding/json"
	"testing"

	"headless/pkg/e2e/kit"
)

// listening polls the deliveries of a webhook without an address.
func listening(t *testing.T, s *kit.Suite) {
	admin, key, model := s.Admin(t), s.Key(t, nil), s.Model(t, nil)
	const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
	made := admin.Post(t, "/webhooks",
		kit.Obj{"listen": true, "events": kit.List{"entry.created"}, "models": kit.List{model}, "secret": secret})
	at := "/webhooks/" + made.Str(t, "data.id")
	made.Has(t, "made", kit.Obj{"data.listen": true, "data.url": ""})
	posted := s.Subscribe(t, kit.Obj{"url": kit.NewReceiver(t).URL, "events": kit.List{"entry.deleted"}})
	_, _, editor := s.User(t, "editor")
	admin.Run(t,
		kit.Step{Name: "with an address", Call: "POST /webhooks",
			Body: kit.Obj{"listen": true, "url": "https://a.example/", "events": kit.List{}}, Invalid: "url"},
		kit.Step{Name: "not for ever", Call: "PUT " + at, Body: kit.Obj{"listen": false}, Invalid: "listen"},
		kit.Step{Name: "one with an address", Call: "GET /webhooks/" + posted + "/poll", Code: "CONFLICT"},
		kit.Step{Name: "an unknown delivery", Call: "GET " + at + "/poll?after=018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f",
			Code: "BAD_REQUEST"},
	)
	editor.Step(t, kit.Step{Name: "not for editors", Call: "GET " + at + "/poll", Code: "FORBIDDEN"})
	after := ""
	for _, title := range []string{"First", "Second"} {
		id := key.Create(t, model, kit.Obj{"title": title}).Str(t, "data.id")
		var got kit.Answer
		s.Eventually(t, title, func() bool { // a poll ends after 25 s, the wait of a slow target later
			got = admin.Get(t, at+"/poll"+after)
			return len(got.Get("data").(kit.List)) > 0
		})
		item, _ := kit.Dig(got.Get("data"), "0").(kit.Obj)
		if len(got.Get("data").(kit.List)) != 1 || item["event"] != "entry.created" {
			t.Fatalf("%s: %s", title, got.Raw)
		}
		header, body := item["headers"].(kit.Obj), []byte(kit.Str(item["body"]))
		if header["X-Service-Delivery"] != item["id"] ||
			header["X-Service-Signature"] != "sha256="+hex.EncodeToString(kit.HMAC([]byte(secret), body)) {
			t.Errorf("%s: %v", title, header)
		}
		var sent any
		if err := json.Unmarshal(body, &sent); err != nil || kit.Dig(sent, "data.id") != id {
			t.Errorf("%s: %s", title, body)
		}
		after = "?after=" + kit.Str(item["id"])
	}
	admin.Step(t, kit.Step{Call: "DELETE " + at, Status: 204})
	admin.Step(t, kit.Step{Name: "ended", Call: "GET " + at + "/poll", Code: "NOT_FOUND"})
}
