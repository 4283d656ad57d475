package admin

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Audit has the scenarios of the activity log (extensions §11).
var Audit = []kit.Scenario{
	{Name: "audit/records", Run: auditRecords},
	{Name: "audit/no secrets", Run: auditSecrets},
}

func auditRecords(t *testing.T, s *kit.Suite) {
	email, c := s.OwnAdmin(t)
	group := strings.ReplaceAll(kit.Unique("audit"), "-", "")
	put := func(body kit.Obj) kit.Answer {
		body["group"] = group
		return c.Put(t, "/settings", kit.List{body})
	}
	put(kit.Obj{"key": "motto", "value": "One", "is_public": true})
	id := put(kit.Obj{"key": "motto", "value": "Two"}).Header.Get("X-Request-Id")
	same := put(kit.Obj{"key": "motto", "value": "Two", "is_public": true}).Header.Get("X-Request-Id")
	put(kit.Obj{"key": "hidden", "value": "not for the log"})
	c.Get(t, "/redirects.csv")
	mine := "filter[actor]=" + email
	setting := func(a kit.Answer, when, key string) any { return a.Get("data.0." + when).(kit.Obj)[group+"."+key] }
	a := c.Step(t, kit.Step{Name: "one change", Call: "GET /activity?" + mine + "&filter[request_id]=" + id,
		Want: kit.Obj{
			"data.#": 1, "data.0.event": "settings.updated", "data.0.request_id": id, "data.0.address": kit.Present,
		}})
	if before, after := setting(a, "before", "motto"), setting(a, "after", "motto"); kit.Dig(before,
		"value") != "One" || kit.Dig(after, "value") != "Two" {
		t.Errorf("from %v to %v", before, after)
	}
	a = c.Get(t, "/activity?"+mine+"&filter[event]=settings.updated&per_page=1")
	if after := setting(a, "after", "hidden"); kit.Dig(after, "is_set") != true || kit.Dig(after, "value") != nil {
		t.Errorf("a private setting is kept as %v", after)
	}
	c.Run(t,
		kit.Step{Name: "no change", Call: "GET /activity?" + mine + "&filter[request_id]=" + same,
			Want: kit.Obj{"data": kit.List{}}},
		kit.Step{Name: "exports", Call: "GET /activity?" + mine + "&filter[event]=export.made",
			Want: kit.Obj{"data.#": 1, "data.0.subject": "redirects"}},
		kit.Step{Name: "of days to come", Call: "GET /activity?" + mine + "&filter[time][gte]=2100-01-01",
			Want: kit.Obj{"data": kit.List{}}},
		kit.Step{Name: "of the days before", Call: "GET /activity?" + mine + "&filter[time][lt]=2020-01-01T00:00:00Z",
			Want: kit.Obj{"data": kit.List{}}},
		kit.Step{Name: "no time", Call: "GET /activity?filter[time][lt]=yesterday", Code: "BAD_REQUEST"},
	)
	file := c.Get(t, "/activity.csv?"+mine)
	file.Contains(t, "the file", "time,actor,source,event,subject,subject_id,address,request_id,before,after\r\n",
		"settings.updated", id)
	c.Step(t, kit.Step{Name: "the export is recorded", Call: "GET /activity?" + mine + "&filter[subject]=activity",
		Want: kit.Obj{"data.0.event": "export.made"}})
	for _, key := range []string{"motto", "hidden"} {
		c.Delete(t, "/settings/"+group+"/"+key)
	}
}

// auditSecrets makes one of everything that has a secret, and checks that no secret is in the log.
func auditSecrets(t *testing.T, s *kit.Suite) {
	email, c := s.OwnAdmin(t)
	secrets := map[string]string{"password": kit.Password,
		"session": strings.TrimPrefix(c.Header["Authorization"], "Bearer ")}
	key := c.Post(t, "/keys", kit.Obj{"name": kit.Unique("key")})
	secrets["key"] = key.Str(t, "data.secret")
	secrets["rotated key"] = c.OK(t, 200, "POST /keys/"+key.Str(t, "data.id")+"/rotate", nil).Str(t, "data.secret")
	secrets["token"] = c.Post(t, "/tokens", kit.Obj{"name": "x"}).Str(t, "data.token")
	secrets["authenticator"], _ = s.UseTOTP(t, c)
	hook := c.Post(t, "/webhooks", kit.Obj{"name": "x", "url": "https://refused.invalid/path",
		"events": kit.List{"form.submission.created"}, "headers": kit.Obj{"Authorization": "Bearer of-the-hook"}})
	secrets["webhook"], secrets["webhook's header"] = hook.Str(t, "data.secret"), "of-the-hook"
	form := kit.Unique("form")
	c.Post(t, "/forms", kit.Obj{"slug": form, "name": "x", "fields": kit.List{},
		"recaptcha": kit.Obj{"site_key": "site", "secret_key": "of-the-form"}})
	secrets["form"] = "of-the-form"
	group := strings.ReplaceAll(kit.Unique("audit"), "-", "")
	c.Put(t, "/settings", kit.List{kit.Obj{"group": group, "key": "api", "value": "of-the-setting"}})
	secrets["setting"] = "of-the-setting"
	other := kit.Unique("audit") + "@example.com"
	user := c.Post(t, "/users",
		kit.Obj{"email": other, "role": "viewer", "password": "a password of another 1"}).Str(t, "data.id")
	c.Put(t, "/users/"+user, kit.Obj{"password": "a password of another 2"})
	c.Delete(t, "/users/"+user)
	secrets["password of another"] = "a password of another"
	a := c.Get(t, "/activity?per_page=100&filter[actor]="+email)
	for _, event := range []string{"key.created", "token.created", "totp.enabled",
		"webhook.created", "form.created", "settings.updated", "user.created", "user.updated",
		"user.deleted"} {
		a.Has(t, "the log", kit.Obj{"data": kit.Item(kit.Obj{"event": event})})
	}
	for of, secret := range secrets {
		if len(secret) < 10 || strings.Contains(string(a.Raw), secret) {
			t.Errorf("the secret of the %s, %q, is in the log", of, secret)
		}
	}
}
