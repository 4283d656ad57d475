package db

import (
	"fmt"

	"headless/pkg/seal"
	"headless/pkg/table"
)

// UseSealer makes the store encrypt secrets. Call it before the first request.
func (s *DB) UseSealer(sealer seal.Sealer) { s.sealer = sealer }

// Seal encrypts a secret for storage.
func (s *DB) Seal(plain []byte) ([]byte, error) { return keyError(s.sealed().Seal(plain)) }

// Unseal decrypts a stored secret.
func (s *DB) Unseal(sealed []byte) ([]byte, error) { return keyError(s.sealed().Open(sealed)) }

// Reseal encrypts a stored secret with the current key, if another key or none was used.
func (s *DB) Reseal(sealed []byte) ([]byte, error) { return keyError(seal.Reseal(s.sealed(), sealed)) }

// SealText encrypts a secret that is stored as text.
func (s *DB) SealText(plain string) (string, error) { return keyError(seal.Text(s.sealed(), plain)) }

// UnsealText decrypts a secret that is stored as text. A secret from the time before sealing is
// returned unchanged.
func (s *DB) UnsealText(stored string) (string, error) {
	return keyError(seal.OpenText(s.sealed(), stored))
}

// ResealText is Reseal for a secret that is stored as text.
func (s *DB) ResealText(stored string) (string, error) {
	return keyError(seal.ResealText(s.sealed(), stored))
}

// IsSealed reports whether a secret that is stored as text is encrypted.
func IsSealed(stored string) bool { return seal.IsText(stored) }

// keyError wraps the error of a key that cannot be read or does not fit, so that it counts as
// table.ErrUnavailable.
func keyError[T any](v T, err error) (T, error) {
	if err != nil {
		err = fmt.Errorf("%w: %w", table.ErrUnavailable, err)
	}
	return v, err
}

func (s *DB) sealed() seal.Sealer {
	if s.sealer == nil {
		return seal.Plain{}
	}
	return s.sealer
}
