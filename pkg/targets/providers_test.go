package targets

import (
	"crypto/hmac"
	"crypto/sha1" // #nosec G505 -- the signature that Vercel makes
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
)

// change sets fields of the recorded body; a dot leads into an object.
type change map[string]any

// sent are requests as the providers send them (testdata/README.md), with the build that they are about.
var sent = []struct {
	file  string
	event string // of GitHub and Netlify, a header
	is    change
	want  Build
}{
	{"vercel", "", nil, vercelBuild(Building)},
	{"vercel", "", change{"type": "deployment.succeeded"}, vercelBuild(Ready)},
	{"vercel", "", change{"type": "deployment.ready"}, vercelBuild(Ready)},
	{"vercel", "", change{"type": "deployment.promoted"}, vercelBuild(Ready)},
	{"vercel", "", change{"type": "deployment.error"}, vercelBuild(Failed)},
	{"vercel", "", change{"type": "deployment.canceled"}, vercelBuild(Failed)},
	{"vercel", "", change{"type": "project.created"}, Build{}},
	{"vercel", "", change{"payload.target": nil}, Build{}}, // a preview
	{"vercel", "", change{"payload.target": "staging"}, vercelBuild(Building)},

	{"netlify", "deploy_created", nil, netlifyBuild(Ready)},
	{"netlify", "deploy_building", change{"state": "building"}, netlifyBuild(Building)},
	{"netlify", "deploy_building", change{"state": "enqueued"}, netlifyBuild(Building)},
	{"netlify", "deploy_building", change{"state": "preparing"}, netlifyBuild(Building)},
	{"netlify", "deploy_request_pending", change{"state": "pending_review"}, netlifyBuild(Building)},
	{"netlify", "deploy_failed", change{"state": "error"}, netlifyBuild(Failed)},
	{"netlify", "deploy_request_rejected", change{"state": "rejected"}, netlifyBuild(Failed)},
	{"netlify", "deploy_created", change{"context": "deploy-preview"}, Build{}},
	{"netlify", "deploy_created", change{"context": "branch-deploy"}, netlifyBuild(Ready)},
	{"netlify", "deploy_deleted", nil, Build{}},
	{"netlify", "deploy_locked", nil, Build{}},
	{"netlify", "deploy_unlocked", nil, Build{}},

	{"cloudflare", "", nil, cloudflareBuild(Ready)},
	{"cloudflare", "", change{"data.event": "EVENT_DEPLOYMENT_STARTED"}, cloudflareBuild(Building)},
	{"cloudflare", "", change{"data.event": "EVENT_DEPLOYMENT_FAILED"}, cloudflareBuild(Failed)},
	{"cloudflare", "", change{"data.environment": "ENVIRONMENT_PREVIEW"}, Build{}},
	{"cloudflare", "", change{"data": nil}, Build{}}, // the test message of the dashboard

	{"github-deployment_status", "deployment_status", nil, Build{State: Ready, Foreign: "145988746"}},
	{"github-deployment_status", "deployment_status", change{"deployment_status.environment_url": "https://example.com"},
		Build{State: Ready, Foreign: "145988746", URL: "https://example.com"}},
	{"github-deployment_status", "deployment_status", change{"deployment_status.target_url": "https://example.com/log"},
		Build{State: Ready, Foreign: "145988746", URL: "https://example.com/log"}},
	{"github-deployment_status", "deployment_status", change{"deployment_status.state": "waiting"},
		Build{State: Building, Foreign: "145988746"}},
	{"github-deployment_status", "deployment_status", change{"deployment_status.state": "queued"},
		Build{State: Building, Foreign: "145988746"}},
	{"github-deployment_status", "deployment_status", change{"deployment_status.state": "pending"},
		Build{State: Building, Foreign: "145988746"}},
	{"github-deployment_status", "deployment_status", change{"deployment_status.state": "in_progress"},
		Build{State: Building, Foreign: "145988746"}},
	{"github-deployment_status", "deployment_status", change{"deployment_status.state": "failure"},
		Build{State: Failed, Foreign: "145988746"}},
	{"github-deployment_status", "deployment_status", change{"deployment_status.state": "error"},
		Build{State: Failed, Foreign: "145988746"}},
	{"github-deployment_status", "deployment_status", change{"deployment_status.state": "inactive"}, Build{}},
	{"github-deployment_status", "deployment_status", change{"deployment.transient_environment": true}, Build{}},

	{"github-workflow_run", "workflow_run", nil, runBuild(Ready)},
	{"github-workflow_run", "workflow_run", change{"action": "requested", "workflow_run.conclusion": nil},
		runBuild(Building)},
	{"github-workflow_run", "workflow_run", change{"action": "in_progress", "workflow_run.conclusion": nil},
		runBuild(Building)},
	{"github-workflow_run", "workflow_run", change{"workflow_run.conclusion": "neutral"}, runBuild(Ready)},
	{"github-workflow_run", "workflow_run", change{"workflow_run.conclusion": "skipped"}, runBuild(Ready)},
	{"github-workflow_run", "workflow_run", change{"workflow_run.conclusion": "failure"}, runBuild(Failed)},
	{"github-workflow_run", "workflow_run", change{"workflow_run.conclusion": "cancelled"}, runBuild(Failed)},
	{"github-workflow_run", "workflow_run", change{"workflow_run.conclusion": "timed_out"}, runBuild(Failed)},
	{"github-workflow_run", "workflow_run", change{"workflow_run.conclusion": "startup_failure"}, runBuild(Failed)},
	{"github-workflow_run", "workflow_run", change{"workflow_run.event": "pull_request"}, Build{}},
	{"github-workflow_run", "ping", nil, Build{}},

	{"url", "", change{"state": "building", "id": "7", "url": "javascript:alert(1)"},
		Build{State: Building, Foreign: "7"}},
}

func vercelBuild(state string) Build {
	return Build{State: state, Foreign: "dpl_2p92SueSKLagubfcRtheS3Cvmcj3",
		URL: "https://nextjsblog-demo-new-gogovbsz1.vercel.app"}
}

func netlifyBuild(state string) Build {
	return Build{State: state, Foreign: "5ebc34bf4fea0b01f02efa3a",
		URL: "https://5ebc34bf4fea0b01f02efa3a--www-jvt-me.netlify.app"}
}

func cloudflareBuild(state string) Build {
	return Build{State: state, Foreign: "8f2b", URL: "https://site.pages.dev"}
}

func runBuild(state string) Build {
	return Build{State: state, Foreign: "289782451", URL: "https://github.com/octo-org/octo-repo/actions/runs/289782451"}
}

func recorded(t *testing.T, file string) []byte {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", file+".json"))
	must.Do(t, err)
	return body
}

// changed is a recorded body with other values.
func changed(t *testing.T, file string, is change) string {
	t.Helper()
	body := map[string]any{}
	if file != "url" {
		must.Do(t, json.Unmarshal(recorded(t, file), &body))
	}
	for path, value := range is {
		in, names := body, strings.Split(path, ".")
		for _, name := range names[:len(names)-1] {
			in = in[name].(map[string]any)
		}
		in[names[len(names)-1]] = value
	}
	text, err := json.Marshal(body)
	must.Do(t, err)
	return string(text)
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
	for _, r := range sent {
		name, _, _ := strings.Cut(r.file, "-")
		p, h, body := providers[name], http.Header{}, changed(t, r.file, r.is)
		if r.event != "" {
			h.Set(map[string]string{"netlify": "X-Netlify-Event", "github": "X-GitHub-Event"}[name], r.event)
		}
		if p.signed(h, []byte(body), "secret") {
			t.Errorf("%s: an unsigned request is taken", name)
		}
		sign(name, h, body, "secret")
		if !p.signed(h, []byte(body), "secret") || p.signed(h, []byte(body), "other") {
			t.Errorf("%s: the signature is judged wrongly", name)
		}
		if other := body + " "; name != "cloudflare" && p.signed(h, []byte(other), "secret") {
			t.Errorf("%s: a changed body is taken", name)
		}
		if got, ok := p.state(h, []byte(body)); ok != (r.want.State != "") || ok && got != r.want {
			t.Errorf("%s, event %q, %v: %t, %+v", r.file, r.event, r.is, ok, got)
		}
	}
}

// TestVercelExample checks a signature that was recorded with its secret and body.
func TestVercelExample(t *testing.T) {
	h := http.Header{"X-Vercel-Signature": {"cecad6333f8652af7d4e9c7b6ad87f1c922a76d3"}}
	if !vercelSigned(h, recorded(t, "vercel"), "AiK52QASLJXmCXX3X9gO2Zyh") {
		t.Error("the recorded signature is refused")
	}
}

// TestMeantBuild: a build that is asked for while another one runs does not take over the news of that one.
func TestMeantBuild(t *testing.T) {
	newest := []Build{{ID: "c", State: Requested}, {ID: "b", State: Requested}, {ID: "a", State: Building, Foreign: "1"}}
	for foreign, want := range map[string]int{"1": 2, "2": 1, "": 1} {
		if got := meant(newest, foreign); got != want {
			t.Errorf("of the build %q: %d, want %d", foreign, got, want)
		}
	}
	if got := meant(newest[2:], "2"); got != -1 {
		t.Errorf("a build that nobody asked for: %d", got)
	}
}

// TestGitHubExample checks the signature of GitHub's documentation.
func TestGitHubExample(t *testing.T) {
	h := http.Header{"X-Hub-Signature-256": {"sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"}}
	if !githubSigned(h, []byte("Hello, World!"), "It's a Secret to Everybody") {
		t.Error("the documented signature is refused")
	}
}
