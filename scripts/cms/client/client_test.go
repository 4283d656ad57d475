package client

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const password = "a long password 1"

// TestConfirms: a session that is too old for a change confirms by the password, if there is one.
func TestConfirms(t *testing.T) {
	confirmed := false
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case r.URL.Path == "/admin/confirm" && strings.Contains(string(body), password):
			confirmed = true
			_, _ = io.WriteString(w, `{"data":{}}`)
		case r.URL.Path == "/admin/keys" && confirmed:
			_, _ = io.WriteString(w, `{"data":{"id":"made"}}`)
		default:
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"error":{"code":"CONFIRMATION_REQUIRED","message":"x"}}`)
		}
	}))
	t.Cleanup(service.Close)
	c := &Client{service.URL, "a token"}
	for _, test := range []struct {
		password string
		problem  string
	}{{"", "cms login"}, {"wrong password 1", "cms login"}, {password, ""}} {
		t.Setenv("CMS_PASSWORD", test.password)
		var made struct{ ID string }
		err := c.JSON("POST", "/admin/keys", map[string]string{"name": "x"}, &made)
		if test.problem == "" && (err != nil || made.ID != "made") ||
			test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)) {
			t.Errorf("with password %q: %q, %v", test.password, made.ID, err)
		}
	}
}
