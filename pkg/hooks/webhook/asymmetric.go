package webhook

import (
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
)

// publicKeyPrefix marks public keys, as Standard Webhooks does.
const publicKeyPrefix = "whpk_"

// signingKey returns the Ed25519 key of a secret. It is derived from the secret, so that there is
// nothing else to keep secret, and a rotation replaces both.
func signingKey(secret string) ed25519.PrivateKey {
	seed, err := hkdf.Key(sha256.New, standardKey(secret), nil, "webhook ed25519", ed25519.SeedSize)
	if err != nil {
		panic("webhook: a seed cannot be derived: " + err.Error()) // only lengths above 8 KB fail
	}
	return ed25519.NewKeyFromSeed(seed)
}

// PublicKey returns the key that verifies the v1a signatures of a secret: "whpk_" and base64. It
// cannot sign.
func PublicKey(secret string) string {
	key := signingKey(secret).Public().(ed25519.PublicKey)
	return publicKeyPrefix + base64.StdEncoding.EncodeToString(key)
}

// asymmetricSignature returns the v1a signature of Standard Webhooks: Ed25519 of
// "id.timestamp.body".
func asymmetricSignature(secret, id, timestamp string, body []byte) string {
	message := append([]byte(id+"."+timestamp+"."), body...)
	return "v1a," + base64.StdEncoding.EncodeToString(ed25519.Sign(signingKey(secret), message))
}
