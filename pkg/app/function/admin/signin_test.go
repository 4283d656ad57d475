package admin

import (
	"testing"

	"headless/pkg/app"
	"headless/pkg/app/awsconf/awsssm/ssmtest"
	"headless/pkg/app/function"
	"headless/pkg/oidc"
)

// TestClientSecretIsInAParameter: no variable of the function holds the secret.
func TestClientSecretIsInAParameter(t *testing.T) {
	const name = "/headless/x/oidc-client-secret"
	store := ssmtest.New(t)
	store.Put(name, "a secret")
	b := &function.Base{Config: app.Config{OIDC: oidc.Config{Issuer: "https://login.example.com"}},
		Getenv: func(variable string) string {
			if variable == "OIDC_CLIENT_SECRET_PARAMETER" {
				return name
			}
			return store.Getenv(variable)
		},
		AWS: store.Config}
	cfg := signIn(b)
	if asked := store.Asked(); len(asked) != 0 {
		t.Errorf("the start reads %s", asked)
	}
	if text, err := cfg.ReadSecret(); err != nil || text != "a secret\n" {
		t.Errorf("read %q, %v", text, err)
	}
}
