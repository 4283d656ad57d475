package apikeys

import (
	"crypto/sha256"
	"crypto/subtle"
	"time"
)

// Opens reports whether a secret opens the key at a time, comparing in constant time: the secret of
// today, or for a while the one before a rotation.
func (k *Key) Opens(secret string, now time.Time) bool {
	sum := sha256.Sum256([]byte(secret))
	right := subtle.ConstantTimeCompare(sum[:], k.SecretHash)
	if now.Before(k.PreviousExpiresAt.Time) {
		right |= subtle.ConstantTimeCompare(sum[:], k.PreviousHash)
	}
	return right == 1
}
