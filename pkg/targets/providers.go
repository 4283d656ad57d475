package targets

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha1" // #nosec G505 -- the signature that Vercel makes
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"hash"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// provider reads what a provider sends about builds.
type provider struct {
	signed func(header http.Header, body []byte, secret string) bool
	// state returns the build that a request is about; ok is false for other events.
	state func(header http.Header, body []byte) (b Build, ok bool)
}

// providers are the providers by name. Their formats are those of their public documents; testdata/README.md
// names them. Builds of pull requests and previews are other events: they are not the site.
var providers = map[string]*provider{
	"vercel":     {vercelSigned, vercelState},
	"netlify":    {netlifySigned, netlifyState},
	"cloudflare": {cloudflareSigned, cloudflareState},
	"github":     {githubSigned, githubState},
	"url":        {githubSigned, urlState},
}

func mac(of func() hash.Hash, secret string, body []byte) []byte {
	m := hmac.New(of, []byte(secret))
	m.Write(body)
	return m.Sum(nil)
}

// hexEqual compares a signature in hexadecimal.
func hexEqual(text string, want []byte) bool {
	got, err := hex.DecodeString(text)
	return err == nil && hmac.Equal(got, want)
}

// namedBuild returns the build of a state that words translates.
func namedBuild(words map[string]string, state, foreign, url string) (Build, bool) {
	known, ok := words[state]
	if !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		url = ""
	}
	return Build{State: known, Foreign: foreign, URL: url}, ok
}

// vercelSigned: x-vercel-signature is the HMAC-SHA1 of the body.
func vercelSigned(h http.Header, body []byte, secret string) bool {
	return hexEqual(h.Get("X-Vercel-Signature"), mac(sha1.New, secret, body))
}

func vercelState(_ http.Header, body []byte) (Build, bool) {
	var v struct {
		Type    string
		Payload struct {
			URL        string
			Target     json.RawMessage // null: a preview
			Deployment struct{ ID, URL string }
		}
	}
	_ = json.Unmarshal(body, &v) // an empty type is another event
	if string(v.Payload.Target) == "null" {
		return Build{}, false
	}
	url := cmp.Or(v.Payload.Deployment.URL, v.Payload.URL)
	if url != "" {
		url = "https://" + strings.TrimPrefix(url, "https://")
	}
	return namedBuild(map[string]string{"deployment.created": Building, "deployment.succeeded": Ready,
		"deployment.ready": Ready, "deployment.promoted": Ready, "deployment.error": Failed, "deployment.canceled": Failed},
		v.Type, v.Payload.Deployment.ID, url)
}

// netlifySigned: X-Webhook-Signature is a JWS, HS256, whose claims name the issuer and the hash of the body.
func netlifySigned(h http.Header, body []byte, secret string) bool {
	parts := strings.Split(h.Get("X-Webhook-Signature"), ".")
	if len(parts) != 3 {
		return false
	}
	sum, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || !hmac.Equal(sum, mac(sha256.New, secret, []byte(parts[0]+"."+parts[1]))) {
		return false
	}
	var head struct{ Alg string }
	var claims struct{ Iss, Sha256 string }
	for i, into := range []any{&head, &claims} {
		raw, err := base64.RawURLEncoding.DecodeString(parts[i])
		if err != nil || json.Unmarshal(raw, into) != nil {
			return false
		}
	}
	hashed := sha256.Sum256(body)
	return head.Alg == "HS256" && claims.Iss == "netlify" && hexEqual(claims.Sha256, hashed[:])
}

func netlifyState(h http.Header, body []byte) (Build, bool) {
	var v struct {
		ID, State, Context string
		URL                string `json:"deploy_ssl_url"`
	}
	_ = json.Unmarshal(body, &v)
	switch h.Get("X-Netlify-Event") {
	case "deploy_deleted", "deploy_locked", "deploy_unlocked": // they show the state of a deploy that was long over
		return Build{}, false
	}
	if v.Context == "deploy-preview" {
		return Build{}, false
	}
	return namedBuild(map[string]string{"new": Building, "pending_review": Building, "accepted": Building,
		"enqueued": Building, "building": Building, "uploading": Building, "uploaded": Building,
		"preparing": Building, "prepared": Building, "processing": Building, "processed": Building,
		"retrying": Building, "ready": Ready, "error": Failed, "rejected": Failed}, v.State, v.ID, v.URL)
}

// cloudflareSigned: cf-webhook-auth is the secret itself.
func cloudflareSigned(h http.Header, _ []byte, secret string) bool {
	return subtle.ConstantTimeCompare([]byte(h.Get("Cf-Webhook-Auth")), []byte(secret)) == 1
}

func cloudflareState(_ http.Header, body []byte) (Build, bool) {
	var v struct {
		Data struct {
			Event       string
			Environment string
			Deployment  string `json:"deployment_id"`
			URL         string `json:"pages_dev_url"`
		}
	}
	_ = json.Unmarshal(body, &v)
	if v.Data.Environment == "ENVIRONMENT_PREVIEW" {
		return Build{}, false
	}
	return namedBuild(map[string]string{"EVENT_DEPLOYMENT_STARTED": Building, "EVENT_DEPLOYMENT_SUCCESS": Ready,
		"EVENT_DEPLOYMENT_FAILED": Failed}, v.Data.Event, v.Data.Deployment, v.Data.URL)
}

// githubSigned: X-Hub-Signature-256 is sha256= and the HMAC-SHA256 of the body.
func githubSigned(h http.Header, body []byte, secret string) bool {
	text, ok := strings.CutPrefix(h.Get("X-Hub-Signature-256"), "sha256=")
	return ok && hexEqual(text, mac(sha256.New, secret, body))
}

func githubState(h http.Header, body []byte) (Build, bool) {
	var v struct {
		Action     string
		Deployment struct {
			ID        int64
			Transient bool `json:"transient_environment"`
		}
		Status struct {
			State  string
			URL    string `json:"environment_url"`
			Target string `json:"target_url"`
		} `json:"deployment_status"`
		Run struct {
			ID                int64
			Conclusion, Event string
			URL               string `json:"html_url"`
		} `json:"workflow_run"`
	}
	_ = json.Unmarshal(body, &v)
	id := func(n int64) string { return strconv.FormatInt(n, 10) }
	if v.Deployment.Transient || v.Run.Event == "pull_request" || v.Run.Event == "pull_request_target" {
		return Build{}, false
	}
	switch h.Get("X-Github-Event") {
	case "deployment_status":
		return namedBuild(map[string]string{"waiting": Building, "queued": Building, "pending": Building,
			"in_progress": Building, "success": Ready, "failure": Failed, "error": Failed},
			v.Status.State, id(v.Deployment.ID), cmp.Or(v.Status.URL, v.Status.Target))
	case "workflow_run":
		state := v.Action
		passed := []string{"success", "neutral", "skipped"} // as GitHub counts them
		if state == "completed" && !slices.Contains(passed, v.Run.Conclusion) {
			state = "failed"
		}
		return namedBuild(map[string]string{"requested": Building, "in_progress": Building, "completed": Ready,
			"failed": Failed}, state, id(v.Run.ID), v.Run.URL)
	}
	return Build{}, false
}

// urlState reads {"state", "id", "url"}, for builds of one's own. They are signed as GitHub's.
func urlState(_ http.Header, body []byte) (Build, bool) {
	var v struct{ State, ID, URL string }
	_ = json.Unmarshal(body, &v)
	return namedBuild(map[string]string{Building: Building, Ready: Ready, Failed: Failed}, v.State, v.ID, v.URL)
}
