package db

import (
	"crypto/rand"
	"encoding/base64"
)

// RandomToken is 256 bits of randomness in 43 characters that an address may hold.
func RandomToken() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}
