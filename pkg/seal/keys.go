package seal

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strings"
	"sync"
	"time"
)

// Keeper stores the text of the keys: one key per line, in hexadecimal, the newest first. Its calls
// have their own timeouts.
type Keeper interface {
	// Read returns the text, "" if there is none yet.
	Read() (string, error)
	// Create stores the text if there is none, and otherwise changes nothing.
	Create(text string) error
	// Replace replaces the text.
	Replace(text string) error
}

// Keys seals with the keys of a keeper. It reads the keeper when a key is first needed, and makes
// the first key if there is none.
type Keys struct {
	keeper Keeper
	now    func() time.Time

	mu     sync.Mutex
	text   string
	ring   ring
	readAt time.Time
}

const (
	// SealAge is how long a process seals with the keys that it has read. So after a rotation,
	// other processes may use the older key for this long.
	SealAge = 5 * time.Minute
	// openAge keeps a process from reading the keeper again for every secret that no key opens.
	openAge = 10 * time.Second
)

// NewKeys returns Keys without reading the keeper. now is the clock, time.Now outside tests.
func NewKeys(keeper Keeper, now func() time.Time) *Keys { return &Keys{keeper: keeper, now: now} }

// Seal encrypts with the newest key.
func (k *Keys) Seal(plain []byte) ([]byte, error) {
	ring, err := k.loadRing(SealAge, true)
	if err != nil {
		return nil, err
	}
	return ring.seal(plain), nil
}

// Open decrypts with the key that fits. It accepts secrets that were stored before there was a key.
func (k *Keys) Open(sealed []byte) ([]byte, error) {
	if len(sealed) == 0 || sealed[0] != formatKey {
		return Plain{}.Open(sealed)
	}
	var plain []byte
	ring, err := k.loadRing(never, false)
	if err == nil {
		plain, err = ring.openSealed(sealed)
	}
	if errors.Is(err, errSealed) { // another process may have rotated the key
		if ring, err = k.loadRing(openAge, false); err == nil {
			plain, err = ring.openSealed(sealed)
		}
	}
	return plain, err
}

// Current reports whether a secret is sealed with the newest key.
func (k *Keys) Current(sealed []byte) (bool, error) {
	if len(sealed) == 0 || sealed[0] != formatKey {
		return false, nil
	}
	ring, err := k.loadRing(SealAge, false)
	if err != nil || len(ring) == 0 {
		return false, err
	}
	_, err = ring[:1].openSealed(sealed)
	return err == nil, nil
}

// maxKeys is how many keys are stored: an AWS parameter has 4 KB.
const maxKeys = 40

// Rotate makes a new key, which seals from now on. The older keys still open what they sealed, such
// as the secrets in a backup.
func (k *Keys) Rotate() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.readKeys(); err != nil {
		return err
	}
	older := strings.Fields(k.text)
	older = older[:min(len(older), maxKeys-1)]
	if err := k.keeper.Replace(newKey() + strings.Join(older, "\n") + "\n"); err != nil {
		return err
	}
	return k.readKeys()
}

const never = time.Duration(1<<63 - 1)

// loadRing returns the keys, reading them again if they were read more than age ago. If that fails, it
// returns the keys read before. With create, it makes the first key if there is none.
func (k *Keys) loadRing(age time.Duration, create bool) (ring, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ring == nil || k.now().Sub(k.readAt) > age {
		if err := k.readKeys(); err != nil && k.ring == nil {
			return nil, err
		}
	}
	if k.ring == nil && create {
		if err := k.keeper.Create(newKey()); err != nil {
			return nil, err
		}
		if err := k.readKeys(); err != nil { // the key of another process, if that was faster
			return nil, err
		}
		if k.ring == nil {
			return nil, errors.New("seal: the key that was just made is missing")
		}
	}
	return k.ring, nil
}

// readKeys reads the keys from the keeper.
func (k *Keys) readKeys() error {
	text, err := k.keeper.Read()
	if err != nil {
		return err
	}
	var boxes ring
	for line := range strings.FieldsSeq(text) {
		key, err := hex.DecodeString(line)
		if err != nil {
			return errors.New("seal: a line of the keys is not hexadecimal")
		}
		box, err := newBox(key)
		if err != nil {
			return err
		}
		boxes = append(boxes, box)
	}
	k.text, k.ring, k.readAt = text, boxes, k.now()
	return nil
}

// newKey returns a line with a new key.
func newKey() string {
	key := make([]byte, keySize)
	_, _ = rand.Read(key) // never fails
	return hex.EncodeToString(key) + "\n"
}
