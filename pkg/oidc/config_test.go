package oidc

import (
	"strings"
	"testing"
)

func TestFromEnv(t *testing.T) {
	valid := map[string]string{"OIDC_ISSUER": "https://login.example.com", "OIDC_CLIENT_ID": "x",
		"OIDC_ROLES": "a=admin, b = c=editor"}
	for _, test := range []struct{ name, value, wrong string }{
		{"OIDC_ISSUER", "http://login.example.com", "OIDC_ISSUER"},
		{"OIDC_ISSUER", "http://127.0.0.1.example.com", "OIDC_ISSUER"},
		{"OIDC_ISSUER", "login.example.com", "OIDC_ISSUER"},
		{"OIDC_ISSUER", "https://user@login.example.com", "OIDC_ISSUER"},
		{"OIDC_ISSUER", "http://localhost:5556/dex", ""},
		{"OIDC_ISSUER", "http://127.0.0.1:9", ""},
		{"OIDC_ISSUER", "http://[::1]:9", ""},
		{"OIDC_CLIENT_ID", "", "OIDC_CLIENT_ID"},
		{"OIDC_ROLES", "", "OIDC_ROLES"},
		{"OIDC_ROLES", "a", "OIDC_ROLES"},
		{"PASSWORD_LOGIN", "off", ""},
		{"PASSWORD_LOGIN", "no", "PASSWORD_LOGIN"},
	} {
		_, err := FromEnv(func(name string) string {
			if name == test.name {
				return test.value
			}
			return valid[name]
		})
		if (err == nil) != (test.wrong == "") || err != nil &&
			!strings.HasPrefix(err.Error(), test.wrong+":") {
			t.Errorf("%s=%q: %v", test.name, test.value, err)
		}
	}
	c, err := FromEnv(func(name string) string { return valid[name] })
	if err != nil || c.RoleOf([]string{"x", "b = c"}) != "editor" ||
		c.RoleOf([]string{"c"}) != "" || c.RolesClaim != "groups" {
		t.Errorf("%+v %v", c, err)
	}
	if _, err := FromEnv(func(name string) string {
		return map[string]string{"OIDC_ROLES": "admins"}[name]
	}); err == nil || !strings.HasPrefix(err.Error(), "OIDC_ROLES:") {
		t.Errorf("wrong roles without a provider: %v", err)
	}
	if _, err := FromEnv(
		func(name string) string { return map[string]string{"PASSWORD_LOGIN": "off"}[name] }); err == nil {
		t.Error("nobody can sign in")
	}
}
