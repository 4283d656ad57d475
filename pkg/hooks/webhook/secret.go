package webhook

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strings"
	"time"
	"unicode/utf8"
)

// PreviousSecretFor is how long the previous secret still signs after a rotation (decisions §8).
const PreviousSecretFor = 24 * time.Hour

const (
	secretPrefix = "whsec_"
	secretBytes  = 32
	minSecret    = 24  // characters, or bytes if the secret is base64
	maxSecret    = 255 // characters
)

// Secrets are the signing secrets of one subscription.
type Secrets struct {
	Current   string
	Previous  string    // "" when there was no rotation
	RotatedAt time.Time // when Current replaced Previous
}

// NewSecret returns a secret of 32 random bytes in the form of Standard Webhooks: "whsec_" and
// base64.
func NewSecret() string {
	b := make([]byte, secretBytes)
	rand.Read(b) // never fails: it ends the program when the system has no randomness
	return secretPrefix + base64.StdEncoding.EncodeToString(b)
}

// ValidateSecret checks a secret that a user chose. The error's text may be shown to them.
func ValidateSecret(secret string) error {
	n := utf8.RuneCountInString(secret)
	if n < minSecret || n > maxSecret {
		return errors.New("must have 24 to 255 characters")
	}
	encoded, ok := strings.CutPrefix(secret, secretPrefix)
	if !ok {
		return nil
	}
	key, err := base64.StdEncoding.DecodeString(encoded)
	switch {
	case err != nil || strings.ContainsAny(encoded, "\r\n"): // the decoder skips line breaks
		return errors.New("must be valid base64 after whsec_, without line breaks")
	case len(key) < minSecret:
		return errors.New("must have base64 of at least 24 bytes after whsec_")
	}
	return nil
}

// previous returns the previous secret while it still signs, else "".
func (s Secrets) previous(now time.Time) string {
	if now.Before(s.RotatedAt.Add(PreviousSecretFor)) {
		return s.Previous
	}
	return ""
}

// standardKey returns the key of webhook-signature: the decoded base64 after "whsec_", or the
// literal secret if it does not have that form.
func standardKey(secret string) []byte {
	if encoded, ok := strings.CutPrefix(secret, secretPrefix); ok {
		if key, err := base64.StdEncoding.DecodeString(encoded); err == nil {
			return key
		}
	}
	return []byte(secret)
}
