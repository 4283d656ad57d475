package apikeys

import (
	"crypto/sha256"
	"crypto/subtle"
	"time"
)

// Opens reports whether a secret is valid for the key at a time: the current secret, or the
// previous one until its overlap ends. It compares in constant time.
func (k *Key) Opens(secret string, now time.Time) bool {
	sum := sha256.Sum256([]byte(secret))
	right := subtle.ConstantTimeCompare(sum[:], k.SecretHash)
	if now.Before(k.PreviousExpiresAt.Time) {
		right |= subtle.ConstantTimeCompare(sum[:], k.PreviousHash)
	}
	return right == 1
}
