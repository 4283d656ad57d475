package targets

import (
	"crypto/hmac"
	"crypto/sha1" // #nosec G505 -- the signature that Vercel makes
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
)

// recorded are requests in the form of the providers' public documents, with the build that they are about.
var recorded = []struct {
	provider string
	header   http.Header
	body     string
	want     Build
}{
	{"vercel", nil, `{"id": "uev_CzQPZ", "type": "deployment.succeeded", "createdAt": 1567024758130, "region": "iad1", "payload": {
		"deployment": {"id": "dpl_123", "name": "site", "url": "site-5v8wb1.vercel.app", "meta": {}}, "target": "production",
		"project": {"id": "prj_123"}, "plan": "pro"}}`, Build{State: Ready, Foreign: "dpl_123", URL: "https://site-5v8wb1.vercel.app"}},
	{"vercel", nil, `{"type": "deployment.created", "payload": {"deployment": {"id": "dpl_123"}}}`, Build{State: Building, Foreign: "dpl_123"}},
	{"vercel", nil, `{"type": "project.created", "payload": {}}`, Build{}},
	{"netlify", nil, `{"id": "5f3a", "site_id": "a1", "state": "ready", "name": "site", "deploy_ssl_url": "https://5f3a--site.netlify.app",
		"branch": "main", "error_message": null}`, Build{State: Ready, Foreign: "5f3a", URL: "https://5f3a--site.netlify.app"}},
	{"netlify", nil, `{"id": "5f3a", "state": "error"}`, Build{State: Failed, Foreign: "5f3a"}},
	{"cloudflare", nil, `{"name": "Pages", "text": "...", "data": {"event": "EVENT_DEPLOYMENT_SUCCESS", "project_name": "site",
		"deployment_id": "8f2b", "pages_dev_url": "https://site.pages.dev"}, "ts": 1136214245, "alert_type": "pages_event_alert"}`,
		Build{State: Ready, Foreign: "8f2b", URL: "https://site.pages.dev"}},
	{"cloudflare", nil, `{"text": "Hello World! This is a test message sent from https://cloudflare.com."}`, Build{}},
	{"github", http.Header{"X-Github-Event": {"deployment_status"}}, `{"action": "created", "deployment": {"id": 42},
		"deployment_status": {"state": "failure", "environment_url": ""}}`, Build{State: Failed, Foreign: "42"}},
	{"github", http.Header{"X-Github-Event": {"workflow_run"}}, `{"action": "completed", "workflow_run": {"id": 30433642,
		"status": "completed", "conclusion": "success", "html_url": "https://github.com/o/r/actions/runs/30433642"}}`,
		Build{State: Ready, Foreign: "30433642", URL: "https://github.com/o/r/actions/runs/30433642"}},
	{"github", http.Header{"X-Github-Event": {"ping"}}, `{"zen": "x"}`, Build{}},
	{"url", nil, `{"state": "building", "id": "7", "url": "javascript:alert(1)"}`, Build{State: Building, Foreign: "7"}},
}

// sign signs a body as a provider does.
func sign(provider string, h http.Header, body, secret string) {
	sum := func(m []byte) string { return hex.EncodeToString(m) }
	switch provider {
	case "vercel":
		h.Set("x-vercel-signature", sum(mac(sha1.New, secret, []byte(body))))
	case "netlify":
		hashed := sha256.Sum256([]byte(body))
		encode := base64.RawURLEncoding.EncodeToString
		signed := encode([]byte(`{"alg":"HS256"}`)) + "." + encode([]byte(`{"iss":"netlify","sha256":"`+sum(hashed[:])+`"}`))
		m := hmac.New(sha256.New, []byte(secret))
		m.Write([]byte(signed))
		h.Set("X-Webhook-Signature", signed+"."+encode(m.Sum(nil)))
	case "cloudflare":
		h.Set("cf-webhook-auth", secret)
	default:
		h.Set("X-Hub-Signature-256", "sha256="+sum(mac(sha256.New, secret, []byte(body))))
	}
}

func TestProviders(t *testing.T) {
	for _, r := range recorded {
		p, h := providers[r.provider], http.Header{}
		for name, values := range r.header {
			h[name] = values
		}
		if p.signed(h, []byte(r.body), "secret") {
			t.Errorf("%s: an unsigned request is taken", r.provider)
		}
		sign(r.provider, h, r.body, "secret")
		if !p.signed(h, []byte(r.body), "secret") || p.signed(h, []byte(r.body), "other") {
			t.Errorf("%s: the signature is judged wrongly", r.provider)
		}
		if changed := strings.Replace(r.body, "{", "{ ", 1); r.provider != "cloudflare" && p.signed(h, []byte(changed), "secret") {
			t.Errorf("%s: a changed body is taken", r.provider)
		}
		if got, ok := p.state(h, []byte(r.body)); ok != (r.want.State != "") || ok && got != r.want {
			t.Errorf("%s: %s is %+v", r.provider, r.body, got)
		}
	}
}

// TestGitHubExample checks the signature of GitHub's documentation.
func TestGitHubExample(t *testing.T) {
	h := http.Header{"X-Hub-Signature-256": {"sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"}}
	if !githubSigned(h, []byte("Hello, World!"), "It's a Secret to Everybody") {
		t.Error("the documented signature is refused")
	}
}
