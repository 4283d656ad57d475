// Package secrets gives functions the keys that seal secrets. Functions that neither read nor write
// secrets do not use it.
package secrets

import (
	"time"

	"headless/pkg/app/awsconf/awsssm"
	"headless/pkg/app/function"
	"headless/pkg/seal"
)

// Use makes the store of a function seal secrets with the keys of the parameter that
// SECRETS_PARAMETER names. The parameter is read when a secret is first used. Without that
// variable, secrets are stored unencrypted, and keys is nil.
func Use(b *function.Base) (keys *seal.Keys) {
	name := b.Getenv("SECRETS_PARAMETER")
	if name == "" {
		return nil
	}
	keys = seal.NewKeys(awsssm.New(b.AWS, b.Getenv, name, KMSKey(b)), time.Now)
	b.Keys.UseSealer(keys)
	return keys
}

// KMSKey returns the key that encrypts the parameter, "" for the one that AWS manages.
func KMSKey(b *function.Base) string { return b.Getenv("SECRETS_KMS_KEY") }
