package embedded

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headless/pkg/api/openapi"
	"headless/pkg/must"
)

// TestOtherMethods sends each path of the API and the admin area the methods that it does not have: 405 with Allow
// (decisions §1). Some paths have a page beside their routes, so GET is not asked of them.
func TestOtherMethods(t *testing.T) {
	c := newClient(t, "read", "write", "delete")
	ask := func(method, path, token, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		c.server.ServeHTTP(w, r)
		return w
	}
	var session struct{ Data struct{ Token string } }
	must.Do(t, json.Unmarshal(ask("POST", "/admin/login", "",
		`{"email":"admin@example.com","password":"a long enough password"}`).Body.Bytes(), &session))
	braces := regexp.MustCompile(`\{\w+\}`)
	for prefix, text := range map[string][]byte{"/api/v1": openapi.JSON(), "/admin": openapi.AdminJSON()} {
		var doc struct {
			Paths map[string]map[string]any
		}
		must.Do(t, json.Unmarshal(text, &doc))
		delete(doc.Paths, "/{model}/tree") // other methods take it for an entry
		for pattern, has := range doc.Paths {
			delete(has, "parameters")
			path := prefix + braces.ReplaceAllString(pattern, "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f")
			for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "BREW"} {
				if has[strings.ToLower(method)] != nil {
					continue
				}
				w := ask(method, path, session.Data.Token, "")
				allowed := strings.Split(strings.ToLower(w.Header().Get("Allow")), ", ")
				if w.Code != http.StatusMethodNotAllowed {
					t.Errorf("%s %s: %d", method, prefix+pattern, w.Code)
				}
				for _, allow := range allowed {
					if has[allow] == nil && !slices.Contains([]string{"get", "head", "options"}, allow) {
						t.Errorf("%s %s: Allow has %s", method, prefix+pattern, allow)
					}
				}
				for other := range has {
					if !slices.Contains(allowed, other) {
						t.Errorf("%s %s: Allow %q has no %s", method, prefix+pattern, allowed, other)
					}
				}
			}
		}
	}
	for _, path := range []string{"/password/forgot", "/password/reset", "/invitations/accept"} { // JSON has no page
		if w := ask("GET", "/admin"+path, session.Data.Token, ""); w.Code != 405 || w.Header().Get("Allow") != "POST" {
			t.Errorf("GET %s: %d, Allow %q", path, w.Code, w.Header().Get("Allow"))
		}
	}
}
