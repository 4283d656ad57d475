package main

import (
	"strings"
	"testing"

	"headless/pkg/app/awsconf/awsssm/ssmtest"
)

// parameterStore starts a stand-in of Parameter Store that the program uses.
func parameterStore(t *testing.T) *ssmtest.Store {
	t.Helper()
	store := ssmtest.New(t)
	for name, value := range map[string]string{"AWS_ENDPOINT_URL_SSM": store.URL, "AWS_REGION": "eu-west-1",
		"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "testtest", "OIDC_CLIENT_SECRET": "",
		"AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null"} {
		t.Setenv(name, value)
	}
	return store
}

func TestSecretsInit(t *testing.T) {
	store := parameterStore(t)
	text := output(t, 0, "secrets", "init", "--stack", "headless-prod", "--kms-key", "arn:key")
	stored := store.All()
	keys, origin := stored["/headless/headless-prod/secrets"], stored["/headless/headless-prod/origin-verify"]
	if len(stored) != 2 || keys.Type != "SecureString" || keys.KeyID != "arn:key" ||
		len(keys.Value) != 64 {
		t.Fatalf("stored %v", stored)
	}
	if origin.Type != "String" || len(origin.Value) != 64 || origin.Value == keys.Value {
		t.Fatalf("origin-verify is %+v", origin)
	}
	if strings.Contains(text, keys.Value) || strings.Contains(text, origin.Value) {
		t.Errorf("it prints a secret: %s", text)
	}

	t.Setenv("OIDC_CLIENT_SECRET", "of the client")
	output(t, 0, "secrets", "init", "--stack", "headless-prod")
	stored = store.All()
	if stored["/headless/headless-prod/secrets"] != keys ||
		stored["/headless/headless-prod/origin-verify"] != origin {
		t.Error("a second call changed what was there")
	}
	if p := stored["/headless/headless-prod/oidc-client-secret"]; p.Value != "of the client" ||
		p.Type != "SecureString" {
		t.Errorf("oidc-client-secret is %+v", p)
	}

	text = output(t, 0, "secrets", "init", "--stack", "headless-prod", "--rotate-origin")
	if next := store.All()["/headless/headless-prod/origin-verify"]; next.Value == origin.Value ||
		!strings.Contains(text, "origin-verify: version 2") {
		t.Errorf("rotated: %+v, %s", next, text)
	}
	for _, name := range []string{"", "Headless", "a/b"} {
		expect(t, 2, "secrets", "init", "--stack", name)
	}
}

// TestFirstLink: the link of the first admin is printed until somebody has used one.
func TestFirstLink(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TABLE_NAME", "")
	link := func() string {
		text := output(t, 0, "users", "create", "me@example.com", "--data", dir,
			"--link", "https://cms.example.com/")
		_, token, ok := strings.Cut(text, "\nhttps://cms.example.com/admin/invitations/accept?token=")
		if !ok || len(token) < 30 {
			t.Fatalf("printed %s", text)
		}
		return token
	}
	if first, second := link(), link(); first == second {
		t.Error("two calls print the same link")
	}
	expect(t, 1, "users", "create", "me@example.com", "--data", dir, "--link", "cms.example.com")
	expect(t, 1, "users", "create", "nobody", "--data", dir, "--link", "https://cms.example.com")
	expect(t, 2, "users", "create", "me@example.com", "--link", "https://cms.example.com")
	t.Setenv("ADMIN_PASSWORD", "a long enough password")
	output(t, 0, "users", "create", "me@example.com", "--data", dir)
	if text := output(t, 0, "users", "create", "you@example.com", "--data", dir, "--link",
		"https://cms.example.com"); !strings.Contains(text, "nothing was changed") {
		t.Errorf("after the first user: %s", text)
	}
}
