package admin_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// TestFreshBrowser: a browser that has no files of the pages yet, or those of another version, gets
// the styles in the page, and the policy of that page allows them alone. The others load them.
func TestFreshBrowser(t *testing.T) {
	site := newSite(t)
	b := site.browse(t)
	sheet := regexp.MustCompile(`(?s)<style [^>]*>(.*)</style>`)
	outside := browser{site, nil}.get(t, "/login")
	if !sheet.MatchString(outside.Body.String()) || len(outside.Result().Cookies()) > 0 {
		t.Errorf("the page of the sign-in: %v %s", outside.Header(), outside.Body)
	}
	first := b.get(t, "/")
	inPage := sheet.FindStringSubmatch(first.Body.String())
	if inPage == nil || contains(first, `rel="stylesheet"`) {
		t.Fatalf("no styles in the page: %s", first.Body)
	}
	sum := sha256.Sum256([]byte(inPage[1]))
	wants := "style-src 'self' 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "';"
	if policy := first.Header().Get("Content-Security-Policy"); !strings.Contains(policy, wants) {
		t.Errorf("the policy is %s, without %s", policy, wants)
	}
	var kept *http.Cookie
	for _, cookie := range first.Result().Cookies() {
		if cookie.Name == "headless_files" {
			kept = cookie
		}
	}
	if kept == nil || !kept.HttpOnly || kept.MaxAge <= 0 {
		t.Fatalf("the cookie is %v", kept)
	}
	second := b.get(t, "/", kept)
	if sheet.MatchString(second.Body.String()) || !contains(second, `rel="stylesheet"`) ||
		!strings.Contains(second.Header().Get("Content-Security-Policy"), "style-src 'self';") {
		t.Errorf("the second page: %v %s", second.Header(), second.Body)
	}
	kept.Value = "older"
	if third := b.get(t, "/", kept); !sheet.MatchString(third.Body.String()) {
		t.Errorf("after another version: %s", third.Body)
	}
}
