package db

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Cursors are sealed, since they hold sort keys, which may be values that the reader may not see.
// The same position of the same query always has the same cursor, so that the ETag of a list does
// not change.

const (
	// cursorKeySize is the size of the stored key: one half encrypts, the other makes nonces.
	cursorKeySize = 64
	// Cursors are padded to multiples of these sizes, so that their length shows next to nothing.
	shortCursor, longCursor = 128, 512
)

// cursorSealer seals cursors with the stored key.
type cursorSealer struct {
	box      cipher.AEAD
	nonceKey []byte
}

// EncodeCursor returns the cursor of the list after a position. A cursor works only with the query
// that it came from: check identifies that query.
func (s *DB) EncodeCursor(ctx context.Context, check []byte, position string) (string, error) {
	sealer, err := s.cursorSealer(ctx)
	if err != nil {
		return "", err
	}
	plain := padCursor(position)
	nonce := sealer.nonce(check, plain)
	return base64.RawURLEncoding.EncodeToString(sealer.box.Seal(nonce, nonce, plain, check)), nil
}

// DecodeCursor returns the position of a cursor, "" for the cursor "". Errors: BAD_REQUEST for what
// is not a cursor of this query.
func (s *DB) DecodeCursor(ctx context.Context, check []byte, cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) < shortCursor {
		return "", errCursor
	}
	sealer, err := s.cursorSealer(ctx)
	if err != nil {
		return "", err
	}
	n := sealer.box.NonceSize()
	plain, err := sealer.box.Open(nil, raw[:n], raw[n:], check)
	if err != nil {
		return "", errCursor
	}
	return string(plain[:bytes.LastIndexByte(plain, 1)]), nil
}

var errCursor = cms.Errorf(cms.CodeBadRequest, "This cursor belongs to another query. "+
	"Use next_cursor of the page before, with the same sort and filters.")

// padCursor adds a byte 1 and zeros to a position.
func padCursor(position string) []byte {
	size := shortCursor
	if len(position) >= shortCursor {
		size = (len(position)/longCursor + 1) * longCursor
	}
	plain := make([]byte, size)
	plain[copy(plain, position)] = 1
	return plain
}

// nonce derives the nonce from what is sealed: only equal cursors have equal nonces.
func (c *cursorSealer) nonce(check, plain []byte) []byte {
	digest := sha256.Sum256(check)
	mac := hmac.New(sha256.New, c.nonceKey)
	mac.Write(digest[:])
	mac.Write(plain)
	return mac.Sum(nil)[:c.box.NonceSize()]
}

// cursorSealer returns the sealer with the stored key. It reads the key once, and makes it if there
// is none.
func (s *DB) cursorSealer(ctx context.Context) (*cursorSealer, error) {
	if sealer := s.cursors.Load(); sealer != nil {
		return sealer, nil
	}
	item, err := s.Get(ctx, cursorKey)
	if errors.Is(err, ErrNotFound) {
		fresh := make([]byte, cursorKeySize)
		_, _ = rand.Read(fresh) // never fails
		// If it does not write, another process was faster.
		if _, err = table.TryWrite(ctx, s.Table, table.PutNext(table.Item{Key: cursorKey, Body: fresh}, 0)); err == nil {
			item, err = s.Get(ctx, cursorKey)
		}
	}
	if err == nil {
		err = s.KeepCursorKey(item)
	}
	return s.cursors.Load(), err
}

// AskCursorKey returns the key of the row that has the key of cursors, nil after the first call. A
// process reads the row together with what it reads first and gives it to KeepCursorKey, so that its
// first list takes no round trip more.
func (s *DB) AskCursorKey() []table.Key {
	if s.askedKey.Swap(true) {
		return nil
	}
	return []table.Key{cursorKey}
}

// KeepCursorKey keeps the stored key of cursors; item is nil if there is none yet.
func (s *DB) KeepCursorKey(item *table.Item) error {
	if item == nil {
		return nil
	}
	block, err := aes.NewCipher(item.Body[:cursorKeySize/2])
	if err != nil {
		return err
	}
	box, err := cipher.NewGCM(block)
	if err != nil {
		return err
	}
	s.cursors.Store(&cursorSealer{box, item.Body[cursorKeySize/2:]})
	return nil
}
