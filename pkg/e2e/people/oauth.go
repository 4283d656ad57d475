package people

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"headless/pkg/e2e/kit"
	"headless/pkg/must"
)

// oauthProgram is a program that asks users to act in their name.
type oauthProgram struct {
	s            *kit.Suite
	id, redirect string
}

// post sends a form to an endpoint of OAuth.
func (p oauthProgram) post(t *testing.T, path string, pairs ...string) kit.Answer {
	t.Helper()
	form := url.Values{"client_id": {p.id}}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return plain(t, p.s, "/oauth"+path, "application/x-www-form-urlencoded", form.Encode())
}

// registerProgram registers a program of a name.
func registerProgram(t *testing.T, s *kit.Suite, name string) oauthProgram {
	t.Helper()
	p := oauthProgram{s: s, redirect: "http://127.0.0.1/callback"}
	a := plain(t, s, "/oauth/register", "application/json",
		`{"client_name": "`+name+`", "redirect_uris": ["`+p.redirect+
			`", "https://app.example/cb"]}`)
	if p.id, _ = a.Get("client_id").(string); a.Status != 201 || p.id == "" ||
		a.Get("token_endpoint_auth_method") != "none" {
		t.Fatalf("registered: %d %s", a.Status, a.Raw)
	}
	return p
}

const oauthProof = "a-verifier-that-is-long-enough-for-the-rule-of-43"

// query returns the parameters with which the program sends a browser. Pairs replace some.
func (p oauthProgram) query(pairs ...string) url.Values {
	sum := sha256.Sum256([]byte(oauthProof))
	q := url.Values{"response_type": {"code"}, "client_id": {p.id}, "redirect_uri": {"http://127.0.0.1:49152/callback"},
		"state": {"s 1"}, "code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])},
		"code_challenge_method": {"S256"}, "resource": {p.s.Target.BaseURL + "/mcp"}}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return q
}

// authorize asks for consent in a browser and returns where it is sent.
func (p oauthProgram) authorize(t *testing.T, q url.Values) (location string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", p.s.Target.BaseURL+"/oauth/authorize?"+q.Encode(), nil)
	must.Do(t, err)
	return kit.Exchange(t, p.s.HTTP, req).Header.Get("Location")
}

// allow lets a user allow a level on the page, and returns the code.
func (p oauthProgram) allow(t *testing.T, b *kit.Browser, level string) (code string) {
	t.Helper()
	to := strings.TrimPrefix(p.authorize(t, p.query()), kit.AdminBase)
	fields := b.Open(t, to, nil).Hidden()
	fields.Set("level", level)
	fields.Set("decision", "allow")
	got := b.Open(t, "/grants/authorize", fields)
	back, err := url.Parse(got.Header.Get("Location"))
	if err != nil || got.Status != 302 || back.Host != "127.0.0.1:49152" || back.Query().Get("state") != "s 1" ||
		back.Query().Get("iss") != p.s.Target.BaseURL {
		t.Fatalf("allowed: %d to %s", got.Status, got.Header.Get("Location"))
	}
	return back.Query().Get("code")
}

// oneAddress walks a program with one address through the flow without naming that.
func oneAddress(t *testing.T, s *kit.Suite, c *kit.Client) {
	a := plain(t, s, "/oauth/register", "application/json", `{"redirect_uris": ["https://one.example/cb"]}`)
	p := oauthProgram{s: s, id: a.Get("client_id").(string)}
	for _, named := range []string{"", "https://one.example/cb"} {
		body := kit.Obj{"level": "read", "decision": "allow"}
		for name, values := range p.query() {
			if name != "redirect_uri" {
				body[name] = values[0]
			}
		}
		back, err := url.Parse(c.OK(t, 200, "POST /grants/authorize", body).Str(t, "data.redirect_to"))
		if err != nil || back.Host != "one.example" {
			t.Fatalf("sent to %v, %v", back, err)
		}
		tokens(t, p.post(t, "/token", "grant_type", "authorization_code", "code", back.Query().Get("code"),
			"code_verifier", oauthProof, "redirect_uri", named))
	}
}

// redeem gets tokens for a code.
func (p oauthProgram) redeem(t *testing.T, code string) kit.Answer {
	t.Helper()
	return p.post(t, "/token", "grant_type", "authorization_code", "code", code, "code_verifier", oauthProof,
		"redirect_uri", "http://127.0.0.1:49152/callback", "resource", p.s.Target.BaseURL+"/mcp")
}

func (p oauthProgram) renew(t *testing.T, refresh string) kit.Answer {
	t.Helper()
	return p.post(t, "/token", "grant_type", "refresh_token", "refresh_token", refresh)
}

// tokens returns both tokens of an answer.
func tokens(t *testing.T, a kit.Answer) (access map[string]string, refresh string) {
	t.Helper()
	a.HasStatus(t, "tokens", 200)
	a.Has(t, "tokens", kit.Obj{"token_type": "Bearer", "expires_in": 3600})
	kit.Same(t, "Cache-Control", a.Header.Get("Cache-Control"), "no-store")
	return map[string]string{"Authorization": "Bearer " + a.Get("access_token").(string)},
		a.Get("refresh_token").(string)
}

// oauthGrants walks a program through registration, consent, tokens, tools and their end.
func oauthGrants(t *testing.T, s *kit.Suite) {
	for path, want := range map[string]kit.Obj{
		"/.well-known/oauth-protected-resource": {"resource": s.Target.BaseURL + "/mcp",
			"authorization_servers.0": s.Target.BaseURL},
		"/.well-known/oauth-protected-resource/mcp": {"resource": s.Target.BaseURL + "/mcp"},
		"/.well-known/oauth-authorization-server": {"issuer": s.Target.BaseURL,
			"code_challenge_methods_supported": kit.List{"S256"}, "token_endpoint": s.Target.BaseURL + "/oauth/token"},
	} {
		a := plain(t, s, path, "", "")
		a.HasStatus(t, path, 200)
		a.Has(t, path, want)
	}
	for name, body := range map[string]string{"http": `{"redirect_uris": ["http://app.example/cb"]}`,
		"a script": `{"redirect_uris": ["javascript:alert(1)"]}`, "none": `{"client_name": "x"}`,
		"a fragment": `{"redirect_uris": ["https://app.example/#x"]}`} {
		a := plain(t, s, "/oauth/register", "application/json", body)
		a.HasStatus(t, name, 400)
		a.Has(t, name, kit.Obj{"error": "invalid_redirect_uri"})
	}
	if a := plain(t, s, "/oauth/authorize", "text/plain", "x"); a.Status != 405 || a.Header.Get("Allow") != "GET" {
		t.Errorf("a POST to the page of the consent: %d", a.Status)
	}
	model := s.Model(t, nil)
	id := s.Key(t, kit.Obj{"scopes": kit.List{"read", "write"}}).Publish(t, model, "Known "+kit.Word(),
		kit.Obj{"body": "text"})
	name := kit.Unique("Agent")
	p := registerProgram(t, s, name)
	email, _, c := s.User(t, "editor")
	b := s.SignedIn(t, email)

	t.Run("refused", func(t *testing.T) {
		for said, q := range map[string]url.Values{
			"unsupported_response_type": p.query("response_type", "token"),
			"invalid_request":           p.query("code_challenge_method", "plain"),
			"invalid_target":            p.query("resource", "https://other.example/mcp"),
		} {
			if to := p.authorize(t, q); !strings.HasPrefix(to, "http://127.0.0.1:49152/callback?") ||
				!strings.Contains(to, "error="+said) || !strings.Contains(to, "state=s+1") {
				t.Errorf("%s: %s", said, to)
			}
		}
		for said, q := range map[string]url.Values{"another address": p.query("redirect_uri",
			"https://app.example/cb/"),
			"another path": p.query("redirect_uri", "http://127.0.0.1/other"), "nobody": p.query("client_id", "none")} {
			b.Open(t, strings.TrimPrefix(p.authorize(t, q), kit.AdminBase), nil).HasStatus(t, said, 400)
		}
		for _, strange := range []string{"\x00", "a\x00b", strings.Repeat("x", 3000)} {
			q, what := p.query("client_id", strange), fmt.Sprintf("%.9q", strange)
			b.Open(t, strings.TrimPrefix(p.authorize(t, q), kit.AdminBase), nil).HasStatus(t, what, 400)
			c.Step(t, kit.Step{Call: "DELETE /grants/" + url.PathEscape(strange), Code: "NOT_FOUND"})
			for _, fields := range [][]string{
				{"/token", "grant_type", "authorization_code", "code", "oac_" + strange + ".x.y", "code_verifier", oauthProof},
				{"/token", "grant_type", "refresh_token", "refresh_token", "ort_x." + strange + ".y"},
			} {
				invalidGrant(t, what, p.post(t, fields[0], fields[1:]...))
			}
			p.post(t, "/revoke", "token", "ort_"+strange+".x.y").HasStatus(t, what+" revoked", 200)
		}
	})
	code := p.allow(t, b, "draft")
	for said, a := range map[string]kit.Answer{
		"a wrong verifier": p.post(t, "/token", "grant_type", "authorization_code", "code", code, "code_verifier",
			strings.Repeat("x", 43), "redirect_uri", "http://127.0.0.1:49152/callback"),
		"another program": oauthProgram{s: s, id: "other"}.redeem(t, code),
	} {
		invalidGrant(t, said, a)
	}
	if a := p.post(t, "/token", "grant_type", "authorization_code", "code", code, "code_verifier",
		oauthProof); a.Get("error") != "invalid_request" {
		t.Errorf("without the address that the code was asked for with: %d %s", a.Status, a.Raw)
	}
	access, refresh := tokens(t, p.redeem(t, code))
	t.Run("tools", func(t *testing.T) { grantedTools(t, s, c, name, access, model, id) })
	for who, access := range map[string]map[string]string{"a program": access, "a key": kit.Credentials(
		s.Key(t, kit.Obj{"role": "admin", "scopes": kit.List{"read", "write"}}))} {
		t.Run("nothing public by "+who, func(t *testing.T) { draftsOnly(t, s, access, model) })
	}
	t.Run("tokens", func(t *testing.T) {
		again, renewed := tokens(t, p.renew(t, refresh))
		_, lost := tokens(t, p.renew(t, refresh)) // its answer was lost
		if _, ok := s.CallTool(t, again, "list_models", kit.Obj{}); !ok {
			t.Error("the new token does not work")
		}
		c.Step(t, kit.Step{Call: "GET /grants",
			Want: kit.Obj{"data.0.name": name, "data.0.scope": "draft", "meta.total": 1.0}})
		tokens(t, p.renew(t, renewed))
		invalidGrant(t, "replayed", p.renew(t, lost))
		if status, h, _ := s.CallMCP(t, again, "tools/list", kit.Obj{}); status != 401 ||
			!strings.Contains(h.Get("WWW-Authenticate"), `error="invalid_token"`) {
			t.Errorf("after a replay: %d %v", status, h)
		}
	})
	t.Run("a code twice", func(t *testing.T) {
		code := p.allow(t, b, "read")
		access, _ := tokens(t, p.redeem(t, code))
		p.redeem(t, code).Has(t, "the code", kit.Obj{"error": "invalid_grant"})
		if status, _, _ := s.CallMCP(t, access, "tools/list", kit.Obj{}); status != 401 {
			t.Errorf("its tokens: %d", status)
		}
		lines := s.Admin(t).Get(t, "/activity?filter[event]=grant.replayed&per_page=100")
		lines.Has(t, "the record says from where",
			kit.Obj{"data": kit.Item(kit.Obj{"program": name, "address": kit.Present, "request_id": kit.Present})})
	})
	t.Run("one address", func(t *testing.T) { oneAddress(t, s, c) })
	t.Run("ends", func(t *testing.T) { grantEnds(t, s, p, b, c) })
}

// grantedTools uses the tools of the level draft.
func grantedTools(t *testing.T, s *kit.Suite, c *kit.Client, name string, access map[string]string, model, id string) {
	_, _, v := s.CallMCP(t, access, "tools/list", kit.Obj{})
	names := strings.Join(kit.Column(kit.Dig(v, "result.tools"), "name"), " ")
	if !strings.Contains(names, "write_draft") || strings.Contains(names, "publish") {
		t.Errorf("the tools are %s", names)
	}
	if text, ok := s.CallTool(t, access, "write_draft",
		kit.Obj{"model": model, "id": id, "data": kit.Obj{"body": "drafted"}}); !ok {
		t.Error(text)
	}
	c.Step(t, kit.Step{Call: "GET /models/" + model + "/entries/" + id + "/draft",
		Want: kit.Obj{"data.data.body": "drafted"}})
	text, ok := s.CallTool(t, access, "comment",
		kit.Obj{"model": model, "id": id, "text": "Is this right?", "field": "data.body"})
	if !ok || !strings.Contains(text, "Is this right?") {
		t.Error(text)
	}
	if text, ok := s.CallTool(t, access, "comment", kit.Obj{"model": model, "id": "none", "text": "x"}); ok ||
		!strings.Contains(text, "ENTRY_NOT_FOUND") {
		t.Error(text)
	}
	c.Step(t, kit.Step{Call: "GET /models/" + model + "/entries/" + id + "/comments",
		Want: kit.Obj{"data.0.field": "data.body"}})
	lines := s.Admin(t).Get(t, "/activity?filter[source]=mcp&per_page=100")
	lines.Has(t, "the activity",
		kit.Obj{"data": kit.Item(kit.Obj{"program": name, "actor": c.Get(t, "/me").Get("data.email")})})
	s.Public().With("Authorization", access["Authorization"]).
		Step(t, kit.Step{Name: "the token does not open the API", Call: "GET /" + model, Code: "UNAUTHORIZED"})
	s.AdminByToken(strings.TrimPrefix(access["Authorization"], "Bearer ")).
		Step(t, kit.Step{Name: "the token does not open the admin area", Call: "GET /me", Code: "UNAUTHORIZED"})
}

// draftsOnly lets an agent that may not publish write what others have planned to publish, and a value that a
// published translation shares. Nothing of it becomes public.
func draftsOnly(t *testing.T, s *kit.Suite, access map[string]string, model string) {
	admin, write := s.Admin(t), func(model, id string, data kit.Obj) bool {
		_, ok := s.CallTool(t, access, "write_draft", kit.Obj{"model": model, "id": id, "data": data})
		return ok
	}
	for _, status := range []string{"draft", "published"} {
		at := "/models/" + model + "/entries"
		id := admin.Post(t, at, kit.Obj{"title": status, "status": status}).Str(t, "data.id")
		at += "/" + id
		if status == "published" {
			admin.Put(t, at+"/draft", kit.Obj{"title": "planned"})
		}
		admin.Put(t, at+"/schedule", kit.Obj{"publish_at": kit.FromNow(time.Hour)})
		release := "/releases/" + admin.Post(t, "/releases", kit.Obj{"name": status,
			"items": kit.List{kit.ReleaseItem(model, id, "publish")}}).Str(t, "data.id")
		if !write(model, id, kit.Obj{"body": "of an agent"}) {
			t.Errorf("it may not write the draft of a %s entry", status)
		}
		admin.Get(t, at+"/schedule").Has(t, "the plan of a "+status+" entry", kit.Obj{"data.changed.by": kit.Present})
		admin.Get(t, release).Has(t, "the item of a "+status+" entry", kit.Obj{"data.items.0.changed.by": kit.Present})
	}
	s.UseLocale(t, "de", "Deutsch")
	shared := s.Model(t, kit.Obj{"localized": true, "fields": kit.List{kit.SharedField("price", "number")}})
	at := "/models/" + shared + "/entries"
	en := admin.Post(t, at, kit.Obj{"title": "en", "locale": "en", "status": "published",
		"data": kit.Obj{"price": 1}}).Str(t, "data.id")
	de := admin.Post(t, at, kit.Obj{"title": "de", "locale": "de", "translation_of": en}).Str(t, "data.id")
	if !write(shared, de, kit.Obj{"price": 2}) {
		t.Error("it may not write the draft of a value that a published translation shares")
	}
	admin.Get(t, at+"/"+en).Has(t, "the published translation", kit.Obj{"data.data.price": 1})
	early := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("rel", "relation", kit.Obj{"model": model})}})
	known := admin.Post(t, "/models/"+early+"/entries", kit.Obj{"title": "t", "status": "published"}).Str(t, "data.id")
	if !write(early, known, kit.Obj{"rel": kit.UnknownID}) {
		t.Error("it reads all and may not refer to what does not exist yet in a draft")
	}
}

// invalidGrant checks that an answer refuses a code or a token.
func invalidGrant(t *testing.T, what string, a kit.Answer) {
	t.Helper()
	a.HasStatus(t, what, 400)
	a.Has(t, what, kit.Obj{"error": "invalid_grant"})
}

// grantEnds ends grants in all ways.
func grantEnds(t *testing.T, s *kit.Suite, p oauthProgram, b *kit.Browser, c *kit.Client) {
	ended := func(how string, access map[string]string) {
		t.Helper()
		if status, _, _ := s.CallMCP(t, access, "tools/list", kit.Obj{}); status != 401 {
			t.Errorf("%s: %d", how, status)
		}
	}
	access, refresh := tokens(t, p.redeem(t, p.allow(t, b, "publish")))
	p.post(t, "/revoke", "token", refresh).HasStatus(t, "revoked", 200)
	ended("revoked", access)
	access, _ = tokens(t, p.redeem(t, p.allow(t, b, "publish")))
	grant := c.Get(t, "/grants").Str(t, "data.0.id")
	c.Step(t, kit.Step{Call: "DELETE /grants/" + grant, Status: 204})
	c.Step(t, kit.Step{Call: "DELETE /grants/" + grant, Code: "NOT_FOUND"})
	ended("in the profile", access)
	access, _ = tokens(t, p.redeem(t, p.allow(t, b, "publish")))
	user := c.Get(t, "/me").Str(t, "data.id")
	admin := s.Admin(t)
	admin.Step(t, kit.Step{Call: "GET /users/" + user + "/open", Want: kit.Obj{"data.grants.0.scope": "publish"}})
	admin.Step(t, kit.Step{Call: "PUT /users/" + user, Body: kit.Obj{"is_active": false}})
	ended("with the account", access)
	admin.Step(t, kit.Step{Call: "PUT /users/" + user, Body: kit.Obj{"is_active": true}})
	ended("after it came back", access)
}

// plain sends a request without an identity to a route that has neither the envelope nor a place in
// the OpenAPI document. Without a body it is a GET.
func plain(t *testing.T, s *kit.Suite, path, contentType, body string) kit.Answer {
	t.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(t.Context(), method, s.Target.BaseURL+path, strings.NewReader(body))
	must.Do(t, err)
	req.Header.Set("Content-Type", contentType)
	a := kit.Exchange(t, s.HTTP, req)
	_ = json.Unmarshal(a.Raw, &a.JSON) // some answers are no JSON
	return a
}
