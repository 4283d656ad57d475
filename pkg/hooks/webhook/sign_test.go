package webhook

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/standard-webhooks/standard-webhooks/libraries/go"

	"headless/pkg/must"
)

// The vector that the Standard Webhooks libraries publish.
const (
	vectorSecret    = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	vectorID        = "msg_p5jXN8AQM9LWM0D4loKWxJek"
	vectorTime      = 1614265330
	vectorBody      = `{"test": 2432232314}`
	vectorSignature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
)

func TestPublishedVectors(t *testing.T) {
	if got := standardSignature(vectorSecret, vectorID, "1614265330", []byte(vectorBody)); got != vectorSignature {
		t.Errorf("standard signature: got %s, want %s", got, vectorSignature)
	}
	// GitHub's documented example of the same scheme as X-Service-Signature.
	const want = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
	if got := serviceSignature("It's a Secret to Everybody", []byte("Hello, World!")); got != want {
		t.Errorf("service signature: got %s, want %s", got, want)
	}
	// RFC 4231, test case 2.
	const rfc = "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
	if got := serviceSignature("Jefe", []byte("what do ya want for nothing?")); got != rfc {
		t.Errorf("RFC 4231: got %s, want %s", got, rfc)
	}
}

func TestHeaders(t *testing.T) {
	m := Message{
		Event: "entry.created", Delivery: vectorID, Attempt: 3, Body: []byte(vectorBody),
		Secrets: Secrets{Current: vectorSecret},
		Extra: map[string]string{
			"X-Tenant": "a", "authorization": "Bearer t", "webhook-id": "forged",
			"X-Service-Signature": "forged",
			"content-type":        "text/plain", "Host": "elsewhere", "Bad\nName": "x", "X-Bad": "a\r\nb",
		},
	}
	want := http.Header{
		"X-Tenant":            {"a"},
		"Authorization":       {"Bearer t"},
		"Content-Type":        {"application/json"},
		"User-Agent":          {"Headless-Content-Service-Webhook/1.0"},
		"X-Service-Event":     {"entry.created"},
		"X-Service-Delivery":  {vectorID},
		"X-Service-Attempt":   {"3"},
		"X-Service-Signature": {serviceSignature(vectorSecret, m.Body)},
		"Webhook-Id":          {vectorID},
		"Webhook-Timestamp":   {"1614265330"},
		"Webhook-Signature":   {vectorSignature},
	}
	got := m.Headers(time.Unix(vectorTime, 0))
	for name := range want {
		if got.Get(name) != want.Get(name) {
			t.Errorf("%s: got %q, want %q", name, got.Get(name), want.Get(name))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("unexpected header %s: %q", name, got[name])
		}
	}
}

// TestStandardLibraryVerifies checks what receivers with the public library see, around a rotation.
func TestStandardLibraryVerifies(t *testing.T) {
	now := time.Now()
	old, current := NewSecret(), NewSecret()
	tests := []struct {
		name            string
		secrets         Secrets
		oldVerifies     bool
		currentVerifies bool
	}{
		{"never rotated", Secrets{Current: current}, false, true},
		{"just rotated", Secrets{current, old, now}, true, true},
		{"by a clock ahead of ours", Secrets{current, old, now.Add(time.Minute)}, true, true},
		{"at the end of the day", Secrets{current, old, now.Add(-PreviousSecretFor + time.Second)},
			true, true},
		{"a day later", Secrets{current, old, now.Add(-PreviousSecretFor)}, false, true},
		{"a literal secret", Secrets{Current: "just some words, no prefix"}, false, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := Message{Event: "x", Delivery: vectorID, Attempt: 1, Body: []byte(vectorBody),
				Secrets: test.secrets}
			h := m.Headers(now)
			verifies := func(secret string) bool {
				wh, err := standardwebhooks.NewWebhook(secret)
				must.Do(t, err)
				return wh.Verify(m.Body, h) == nil
			}
			if verifies(old) != test.oldVerifies || verifies(current) != test.currentVerifies {
				t.Errorf("old %v, current %v: %s", verifies(old), verifies(current),
					h.Get("Webhook-Signature"))
			}
			previous := ""
			if test.oldVerifies {
				previous = serviceSignature(old, m.Body)
			}
			if got := h.Get("X-Service-Signature-Previous"); got != previous {
				t.Errorf("previous signature: got %q, want %q", got, previous)
			}
			if h.Get("X-Service-Signature") != serviceSignature(test.secrets.Current, m.Body) {
				t.Error("X-Service-Signature is not that of the current secret")
			}
		})
	}

	literal := "just some words, no prefix"
	wh, _ := standardwebhooks.NewWebhookRaw([]byte(literal))
	m := Message{Delivery: vectorID, Body: []byte(vectorBody), Secrets: Secrets{Current: literal}}
	if err := wh.Verify(m.Body, m.Headers(now)); err != nil {
		t.Errorf("literal secret: %v", err)
	}
}

func TestSecrets(t *testing.T) {
	a, b := NewSecret(), NewSecret()
	if a == b || ValidateSecret(a) != nil {
		t.Errorf("generated secrets: %v", ValidateSecret(a))
	}
	if key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(a, "whsec_")); err != nil ||
		len(key) != 32 {
		t.Errorf("key of %d bytes, %v", len(key), err)
	}
	for secret, want := range map[string]bool{
		"":                                       false,
		strings.Repeat("a", 23):                  false,
		strings.Repeat("a", 24):                  true,
		strings.Repeat("é", 24):                  true,
		strings.Repeat("a", 256):                 false,
		"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw": true,
		"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS":  false,
		"whsec_MfKQ9r8GKYqrTwjUPD8I":             false,
		"whsec_not base64 at all!!!":             false,
	} {
		if (ValidateSecret(secret) == nil) != want {
			t.Errorf("ValidateSecret(%q) = %v", secret, ValidateSecret(secret))
		}
	}
}

func TestValidateHeaders(t *testing.T) {
	many := map[string]string{}
	for i := range maxHeaders + 1 {
		many["X-"+strings.Repeat("a", i+1)] = ""
	}
	tests := []struct {
		headers map[string]string
		ok      bool
	}{
		{nil, true},
		{map[string]string{"Authorization": "Bearer x", "X-Api-Key": ""}, true},
		{many, false},
		{map[string]string{"X-A": "1", "x-a": "2"}, false},
		{map[string]string{"": "x"}, false},
		{map[string]string{"Two Words": "x"}, false},
		{map[string]string{"X-A": "a\r\nX-Service-Event: b"}, false},
		{map[string]string{"X-A": strings.Repeat("a", 1001)}, false},
		{map[string]string{"Authorization": Masked}, false},
	}
	for _, name := range []string{
		"Content-Type", "USER-AGENT", "x-service-anything", "Webhook-Id", "webhook-signature",
		"Connection", "Keep-Alive",
		"TE", "Trailer", "Transfer-Encoding", "Upgrade", "Proxy-Authorization", "Host", "Content-Length",
		"Content-Encoding", "Accept-Encoding", "Expect",
	} {
		tests = append(tests, struct {
			headers map[string]string
			ok      bool
		}{map[string]string{name: "x"}, false})
	}
	for _, test := range tests {
		if err := ValidateHeaders(test.headers); (err == nil) != test.ok {
			t.Errorf("%v: %v", test.headers, err)
		}
	}
}
