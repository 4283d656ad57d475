package awsconf

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"testing"

	"headless/pkg/must"
)

func TestConfig(t *testing.T) {
	full := map[string]string{"AWS_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "id",
		"AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "token"}
	cfg, err := Config(env(full))
	must.Do(t, err)
	got, err := cfg.Credentials.Retrieve(context.Background())
	must.Do(t, err)
	if got.AccessKeyID != "id" || got.SecretAccessKey != "secret" || got.SessionToken != "token" ||
		cfg.Region != "eu-west-1" {
		t.Errorf("got %+v in %s", got, cfg.Region)
	}
	for _, missing := range []string{"AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		part := map[string]string{}
		for name, value := range full {
			if name != missing {
				part[name] = value
			}
		}
		if _, err := Config(env(part)); err == nil {
			t.Errorf("no error without %s", missing)
		}
	}
}

func TestEndpoint(t *testing.T) {
	both := env(map[string]string{"AWS_ENDPOINT_URL": "http://all", "AWS_ENDPOINT_URL_S3": "http://s3"})
	if got := Endpoint(both, "S3"); got == nil || *got != "http://s3" {
		t.Errorf("S3 is at %v", got)
	}
	if got := Endpoint(both, "SQS"); got == nil || *got != "http://all" {
		t.Errorf("SQS is at %v", got)
	}
	if got := Endpoint(env(nil), "SQS"); got != nil {
		t.Errorf("without settings SQS is at %s", *got)
	}
}

func TestAmazonRoots(t *testing.T) {
	count := 0
	for block, rest := pem.Decode(amazonRoots); block != nil; block, rest = pem.Decode(rest) {
		if _, err := x509.ParseCertificate(block.Bytes); err != nil {
			t.Error(err)
		}
		count++
	}
	if count != 5 {
		t.Errorf("%d roots, want 5", count)
	}
}

func TestCertificatesAreVerified(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	own := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	for _, c := range []struct {
		name  string
		roots []byte
		host  string
		ok    bool
	}{
		{"known root", own, "example.com", true},
		{"known root, another name", own, "example.org", false},
		{"unknown root", amazonRoots, "example.com", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := tlsConfig(c.roots)
			config.ServerName = c.host
			conn, err := tls.Dial("tcp", server.Listener.Addr().String(), config)
			if err == nil {
				conn.Close()
			}
			if (err == nil) != c.ok {
				t.Errorf("connected: %t, want %t (%v)", err == nil, c.ok, err)
			}
		})
	}
}

func TestSessionsAreResumed(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	config := tlsConfig(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	client := http.Client{Transport: &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}}
	for _, resumed := range []bool{false, true} {
		resp, err := client.Get(server.URL)
		must.Do(t, err)
		resp.Body.Close()
		if resp.TLS.DidResume != resumed {
			t.Errorf("resumed: %t, want %t", resp.TLS.DidResume, resumed)
		}
	}
	config.VerifyConnection = verifyWith(amazonRoots)
	if resp, err := client.Get(server.URL); err == nil {
		resp.Body.Close()
		t.Error("a resumed session was not verified")
	}
}

func env(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}
