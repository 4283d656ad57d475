package admin

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"headless/pkg/app"
	"headless/pkg/app/function"
	"headless/pkg/oidc"
)

// TestClientSecretIsInAParameter: no variable of the function holds the secret.
func TestClientSecretIsInAParameter(t *testing.T) {
	asked := ""
	store := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Name string }
		_ = json.NewDecoder(r.Body).Decode(&in)
		asked = in.Name
		_, _ = w.Write([]byte(`{"Parameter":{"Value":"a secret"}}`))
	}))
	t.Cleanup(store.Close)
	variables := map[string]string{"AWS_ENDPOINT_URL_SSM": store.URL,
		"OIDC_CLIENT_SECRET_PARAMETER": "/headless/x/oidc-client-secret"}
	b := &function.Base{Config: app.Config{OIDC: oidc.Config{Issuer: "https://login.example.com"}},
		Getenv: func(name string) string { return variables[name] },
		AWS: aws.Config{Region: "eu-west-1", HTTPClient: http.DefaultClient,
			Credentials: credentials.NewStaticCredentialsProvider("id", "secret", "")}}
	cfg := signIn(b)
	if asked != "" {
		t.Errorf("the start reads %s", asked)
	}
	if text, err := cfg.ReadSecret(); err != nil || text != "a secret\n" {
		t.Errorf("read %q, %v", text, err)
	}
	if asked != variables["OIDC_CLIENT_SECRET_PARAMETER"] {
		t.Errorf("asked for %q", asked)
	}
}
