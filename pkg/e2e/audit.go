package e2e

import (
	"strings"
	"testing"
)

// auditScenarios check what the activity log records (extensions §11).
var auditScenarios = []scenario{
	{name: "audit/records", run: auditRecords},
	{name: "audit/no secrets", run: auditSecrets},
}

// own makes an admin that only this scenario uses, so that the log can be filtered by its address.
func (s *suite) own(t *testing.T) (email string, c *client) {
	t.Helper()
	email, _, c = s.user(t, "admin")
	return email, c
}

func auditRecords(t *testing.T, s *suite) {
	email, c := s.own(t)
	group := strings.ReplaceAll(unique("audit"), "-", "")
	put := func(body obj) answer {
		body["group"] = group
		return c.ok(t, 200, "PUT /settings", list{body})
	}
	put(obj{"key": "motto", "value": "One", "is_public": true})
	id := put(obj{"key": "motto", "value": "Two"}).Header.Get("X-Request-Id")
	put(obj{"key": "hidden", "value": "not for the log"})
	c.ok(t, 200, "GET /redirects.csv", nil)
	mine := "filter[actor]=" + email
	setting := func(a answer, when, key string) any { return a.get("data.0." + when).(obj)[group+"."+key] }
	a := c.step(t, step{name: "one change", call: "GET /activity?" + mine + "&filter[request_id]=" +
		id, status: 200, want: obj{
		"data.#": 1, "data.0.event": "settings.updated", "data.0.request_id": id, "data.0.address": present,
	}})
	if before, after := setting(a, "before", "motto"), setting(a, "after", "motto"); dig(before,
		"value") != "One" || dig(after, "value") != "Two" {
		t.Errorf("from %v to %v", before, after)
	}
	a = c.ok(t, 200, "GET /activity?"+mine+"&filter[event]=settings.updated&per_page=1", nil)
	if after := setting(a, "after", "hidden"); dig(after, "is_set") != true || dig(after, "value") != nil {
		t.Errorf("a private setting is kept as %v", after)
	}
	c.run(t,
		step{name: "exports", call: "GET /activity?" + mine + "&filter[event]=export.made",
			status: 200, want: obj{"data.#": 1, "data.0.subject": "redirects"}},
		step{name: "of days to come", call: "GET /activity?" + mine +
			"&filter[time][gte]=2100-01-01", status: 200, want: obj{"data": list{}}},
		step{name: "of the days before", call: "GET /activity?" + mine +
			"&filter[time][lt]=2020-01-01T00:00:00Z", status: 200, want: obj{"data": list{}}},
		step{name: "no time", call: "GET /activity?filter[time][lt]=yesterday", status: 400,
			code: "BAD_REQUEST"},
	)
	file := c.ok(t, 200, "GET /activity.csv?"+mine, nil)
	for _, want := range []string{"time,actor,source,event,subject,subject_id,address,request_id,before,after\r\n",
		"settings.updated", id} {
		if !strings.Contains(string(file.Raw), want) {
			t.Errorf("no %q in %s", want, file.Raw)
		}
	}
	c.step(t, step{name: "the export is recorded", call: "GET /activity?" + mine +
		"&filter[subject]=activity", status: 200, want: obj{"data.0.event": "export.made"}})
	for _, key := range []string{"motto", "hidden"} {
		c.ok(t, 204, "DELETE /settings/"+group+"/"+key, nil)
	}
}

// auditSecrets makes one of everything that has a secret, and checks that no secret is in the log.
func auditSecrets(t *testing.T, s *suite) {
	email, c := s.own(t)
	secrets := map[string]string{"password": password,
		"session": strings.TrimPrefix(c.header["Authorization"], "Bearer ")}
	key := c.ok(t, 201, "POST /keys", obj{"name": unique("key")})
	secrets["key"] = key.str(t, "data.secret")
	secrets["rotated key"] = c.ok(t, 200, "POST /keys/"+key.str(t, "data.id")+"/rotate", nil).str(t,
		"data.secret")
	secrets["token"] = c.ok(t, 201, "POST /tokens", obj{"name": "x"}).str(t, "data.token")
	secrets["authenticator"], _ = s.useTOTP(t, c)
	hook := c.ok(t, 201, "POST /webhooks", obj{"name": "x", "url": "https://refused.invalid/path",
		"events": list{"form.submission.created"}, "headers": obj{"Authorization": "Bearer of-the-hook"}})
	secrets["webhook"], secrets["webhook's header"] = hook.str(t, "data.secret"), "of-the-hook"
	form := unique("form")
	c.ok(t, 201, "POST /forms", obj{"slug": form, "name": "x", "fields": list{},
		"recaptcha": obj{"site_key": "site", "secret_key": "of-the-form"}})
	secrets["form"] = "of-the-form"
	group := strings.ReplaceAll(unique("audit"), "-", "")
	c.ok(t, 200, "PUT /settings", list{obj{"group": group, "key": "api", "value": "of-the-setting"}})
	secrets["setting"] = "of-the-setting"
	other := unique("audit") + "@example.com"
	user := c.ok(t, 201, "POST /users",
		obj{"email": other, "role": "viewer", "password": "a password of another 1"}).str(t, "data.id")
	c.ok(t, 200, "PUT /users/"+user, obj{"password": "a password of another 2"})
	c.ok(t, 204, "DELETE /users/"+user, nil)
	secrets["password of another"] = "a password of another"
	a := c.ok(t, 200, "GET /activity?per_page=100&filter[actor]="+email, nil)
	for _, event := range []string{"key.created", "token.created", "totp.enabled",
		"webhook.created", "form.created", "settings.updated", "user.created", "user.updated",
		"user.deleted"} {
		if find(a.get("data"), "event", event) == nil {
			t.Errorf("no record of %s", event)
		}
	}
	for of, secret := range secrets {
		if len(secret) < 10 || strings.Contains(string(a.Raw), secret) {
			t.Errorf("the secret of the %s, %q, is in the log", of, secret)
		}
	}
}
