// Package seal encrypts the secrets that are stored, so that a copy of the table alone gives none
// of them away.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
)

// Sealer encrypts and decrypts small secrets. It is safe for concurrent use.
type Sealer interface {
	// Seal encrypts a secret. Equal secrets give different results.
	Seal(plain []byte) ([]byte, error)
	// Open decrypts what Seal made, also before a rotation of the key.
	Open(sealed []byte) ([]byte, error)
	// Current reports whether something is sealed with the key that Seal uses now.
	Current(sealed []byte) (bool, error)
}

// The first byte of what is sealed says how.
const (
	formatPlain = 0 // not at all: where no key is set up
	formatKey   = 1 // with the first key that opens it
)

// KeySize is the size of a key in bytes.
const KeySize = 32

var errSealed = errors.New("seal: cannot be opened with the keys that are set up")

// Plain is for tests and services without a key: nothing is encrypted. What was encrypted cannot be
// opened.
type Plain struct{}

// Seal returns the secret with a mark.
func (Plain) Seal(plain []byte) ([]byte, error) { return append([]byte{formatPlain}, plain...), nil }

// Open returns the secret without its mark.
func (Plain) Open(sealed []byte) ([]byte, error) {
	if len(sealed) == 0 || sealed[0] != formatPlain {
		return nil, errSealed
	}
	return sealed[1:], nil
}

// Current reports true: there is no key to seal anything with.
func (Plain) Current([]byte) (bool, error) { return true, nil }

// ring are keys that are at hand: the first seals, all of them open.
type ring []cipher.AEAD

func newBox(key []byte) (cipher.AEAD, error) {
	if len(key) != KeySize {
		return nil, fmt.Errorf("seal: a key has %d bytes, not %d", len(key), KeySize)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// seal encrypts with the first key. The mark and the nonce stand before the encrypted secret, and
// the mark is authenticated too.
func (r ring) seal(plain []byte) []byte {
	nonce := make([]byte, r[0].NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return r[0].Seal(append([]byte{formatKey}, nonce...), nonce, plain, []byte{formatKey})
}

// open decrypts with whichever key fits.
func (r ring) open(sealed []byte) ([]byte, error) {
	for _, box := range r {
		if rest := sealed[1:]; len(rest) >= box.NonceSize() {
			n := box.NonceSize()
			if plain, err := box.Open(nil, rest[:n], rest[n:], sealed[:1]); err == nil {
				return plain, nil
			}
		}
	}
	return nil, errSealed
}
