package db

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"time"

	"headless/pkg/table"
)

// Handed hands small values of a kind to a later request with the same secret, such as the token of a session. Each
// value is read once.
type Handed[T any] struct {
	DB   *DB
	Kind string
	For  time.Duration // how long a value waits to be read
}

// Put stores a value for a secret. It replaces an earlier one.
func (h Handed[T]) Put(ctx context.Context, secret string, value T) error {
	tx := h.DB.Begin()
	tx.Put(table.Item{Key: handedKey(h.Kind, TokenHash(secret)), Body: Pack(value), Expires: tx.At().Add(h.For).Unix()})
	return h.DB.Commit(ctx, tx)
}

// Take reads and deletes the value for a secret; ErrNotFound if there is none, or if another request takes it.
func (h Handed[T]) Take(ctx context.Context, secret string) (value T, err error) {
	key := handedKey(h.Kind, TokenHash(secret))
	item, err := h.DB.Get(ctx, key)
	if err == nil && h.DB.Clock().Unix() >= item.Expires {
		err = ErrNotFound
	}
	if err != nil {
		return value, err
	}
	tx := h.DB.Begin()
	tx.Take(key, ErrNotFound)
	return value, errors.Join(h.DB.Commit(ctx, tx), Unpack(item.Body, &value))
}

// RandomToken returns 256 bits of randomness as 43 characters that need no escaping in URLs.
func RandomToken() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// TokenHash returns the hash to store for a token, or for an address that must not be readable.
func TokenHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
