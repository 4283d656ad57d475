// Package seal encrypts stored secrets, so that a copy of the table alone does not reveal them.
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
	// Open decrypts the result of Seal, even after a rotation of the key.
	Open(sealed []byte) ([]byte, error)
	// Current reports whether a secret is sealed with the key that Seal now uses.
	Current(sealed []byte) (bool, error)
}

// The first byte of a sealed secret is its format.
const (
	formatPlain = 0 // not encrypted: no key is configured
	formatKey   = 1 // encrypted with one of the keys
)

// keySize is the size of a key in bytes.
const keySize = 32

var errSealed = errors.New("seal: none of the configured keys opens this secret")

// Plain is a Sealer for tests and services without a key: it encrypts nothing. It cannot open
// encrypted secrets.
type Plain struct{}

// Seal returns the secret after the format byte.
func (Plain) Seal(plain []byte) ([]byte, error) { return append([]byte{formatPlain}, plain...), nil }

// Open returns the secret without its format byte.
func (Plain) Open(sealed []byte) ([]byte, error) {
	if len(sealed) == 0 || sealed[0] != formatPlain {
		return nil, errSealed
	}
	return sealed[1:], nil
}

// Current reports true, since there is no key.
func (Plain) Current([]byte) (bool, error) { return true, nil }

// ring is a list of keys: the first one seals, and any of them can open.
type ring []cipher.AEAD

func newBox(key []byte) (cipher.AEAD, error) {
	if len(key) != keySize {
		return nil, fmt.Errorf("seal: a key has %d bytes, not %d", len(key), keySize)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// seal encrypts with the first key. The result is the format byte, the nonce and the ciphertext;
// the format byte is authenticated too.
func (r ring) seal(plain []byte) []byte {
	nonce := make([]byte, r[0].NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return r[0].Seal(append([]byte{formatKey}, nonce...), nonce, plain, []byte{formatKey})
}

// openSealed decrypts with the key that fits.
func (r ring) openSealed(sealed []byte) ([]byte, error) {
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
