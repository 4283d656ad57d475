package admin

import (
	"cmp"
	"testing"

	"headless/pkg/app/awsconf/awsssm/ssmtest"
	"headless/pkg/app/function"
	"headless/pkg/must"
)

// TestClientSecretIsInAParameter: no variable of the function holds the secret.
func TestClientSecretIsInAParameter(t *testing.T) {
	const name = "/headless/x/oidc-client-secret"
	store := ssmtest.New(t)
	store.Put(name, "a secret")
	variables := map[string]string{"OIDC_ISSUER": "https://login.example.com", "OIDC_CLIENT_ID": "cms",
		"OIDC_ROLES": "editors=editor", "OIDC_CLIENT_SECRET_PARAMETER": name}
	b := &function.Base{AWS: store.Config, Getenv: func(variable string) string {
		return cmp.Or(variables[variable], store.Getenv(variable))
	}}
	cfg, err := signIn(b)
	must.Do(t, err)
	if asked := store.Asked(); len(asked) != 0 {
		t.Errorf("the start reads %s", asked)
	}
	if text, err := cfg.ReadSecret(); err != nil || text != "a secret\n" {
		t.Errorf("read %q, %v", text, err)
	}
}
