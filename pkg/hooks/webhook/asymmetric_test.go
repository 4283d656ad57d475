package webhook

import (
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"testing"
	"time"
)

// verify checks the v1a signatures of a header against a public key, as a receiver does.
func verify(t *testing.T, public, header, message string) bool {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(public, "whpk_"))
	if err != nil || len(key) != ed25519.PublicKeySize {
		t.Fatalf("public key %q: %v", public, err)
	}
	for _, signature := range strings.Fields(header) {
		if encoded, ok := strings.CutPrefix(signature, "v1a,"); ok {
			raw, err := base64.StdEncoding.DecodeString(encoded)
			if err == nil && ed25519.Verify(key, []byte(message), raw) {
				return true
			}
		}
	}
	return false
}

func TestAsymmetricSignatures(t *testing.T) {
	now := time.Unix(vectorTime, 0)
	m := Message{
		Delivery: vectorID, Attempt: 1, Body: []byte(vectorBody), Ed25519: true,
		Secrets: Secrets{Current: NewSecret(), Previous: vectorSecret, RotatedAt: now.Add(-time.Hour)},
	}
	message := vectorID + ".1614265330." + vectorBody
	header := m.Headers(now).Get("Webhook-Signature")
	if n := len(strings.Fields(header)); n != 4 || !strings.HasPrefix(header, "v1,") ||
		strings.Fields(header)[1] != vectorSignature {
		t.Errorf("signatures %s", header)
	}
	for _, secret := range []string{m.Secrets.Current, vectorSecret} {
		if !verify(t, PublicKey(secret), header, message) {
			t.Errorf("not verified by %s", PublicKey(secret))
		}
	}
	if verify(t, PublicKey(vectorSecret), header, message+" ") ||
		verify(t, PublicKey(NewSecret()), header, message) {
		t.Error("a forged request was verified")
	}
	if m.Ed25519 = false; strings.Contains(m.Headers(now).Get("Webhook-Signature"), "v1a") {
		t.Error("v1a signatures that nobody asked for")
	}
}
