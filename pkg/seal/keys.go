package seal

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strings"
	"sync"
	"time"
)

// Keeper keeps the text of the keys: one key a line, in hexadecimal, the newest first. Its calls
// bound their own time.
type Keeper interface {
	// Read returns the text, "" where there is none yet.
	Read() (string, error)
	// Create stores the text where there is none, and changes nothing where there is one.
	Create(text string) error
	// Replace stores the text in place of the one that is there.
	Replace(text string) error
}

// Keys seals with the keys of a keeper. It asks the keeper when a key is first needed, and makes
// the first key where there is none.
type Keys struct {
	keeper Keeper
	now    func() time.Time

	mu     sync.Mutex
	text   string
	ring   ring
	readAt time.Time
}

const (
	// SealAge is the age up to which a process seals with the keys that it read: so long after a
	// rotation, other processes may still use the older key.
	SealAge = 5 * time.Minute
	// openAge keeps a process from asking the keeper for each secret that no key opens.
	openAge = 10 * time.Second
)

// NewKeys asks the keeper for nothing yet. now is the clock, time.Now outside tests.
func NewKeys(keeper Keeper, now func() time.Time) *Keys { return &Keys{keeper: keeper, now: now} }

// Seal encrypts with the newest key.
func (k *Keys) Seal(plain []byte) ([]byte, error) {
	ring, err := k.load(SealAge, true)
	if err != nil {
		return nil, err
	}
	return ring.seal(plain), nil
}

// Open decrypts with whichever key fits, and takes what was stored before there was a key.
func (k *Keys) Open(sealed []byte) ([]byte, error) {
	if len(sealed) == 0 || sealed[0] != formatKey {
		return Plain{}.Open(sealed)
	}
	var plain []byte
	ring, err := k.load(never, false)
	if err == nil {
		plain, err = ring.open(sealed)
	}
	if errors.Is(err, errSealed) { // another process has rotated the key since
		if ring, err = k.load(openAge, false); err == nil {
			plain, err = ring.open(sealed)
		}
	}
	return plain, err
}

// Current reports whether something is sealed with the newest key.
func (k *Keys) Current(sealed []byte) (bool, error) {
	if len(sealed) == 0 || sealed[0] != formatKey {
		return false, nil
	}
	ring, err := k.load(SealAge, false)
	if err != nil || len(ring) == 0 {
		return false, err
	}
	_, err = ring[:1].open(sealed)
	return err == nil, nil
}

// maxKeys is how many keys are kept: a parameter of AWS holds 4 KB.
const maxKeys = 40

// Rotate makes a new key, which seals from now on. The older ones go on opening what they sealed,
// such as the secrets of a backup.
func (k *Keys) Rotate() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.read(); err != nil {
		return err
	}
	older := strings.Fields(k.text)
	older = older[:min(len(older), maxKeys-1)]
	if err := k.keeper.Replace(newKey() + strings.Join(older, "\n") + "\n"); err != nil {
		return err
	}
	return k.read()
}

const never = time.Duration(1<<63 - 1)

// load returns the keys as they were read at most an age ago. Where they cannot be read again,
// those read before do. create makes the first key where there is none.
func (k *Keys) load(age time.Duration, create bool) (ring, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ring == nil || k.now().Sub(k.readAt) > age {
		if err := k.read(); err != nil && k.ring == nil {
			return nil, err
		}
	}
	if k.ring == nil && create {
		if err := k.keeper.Create(newKey()); err != nil {
			return nil, err
		}
		if err := k.read(); err != nil { // the key of another process, where that was faster
			return nil, err
		}
		if k.ring == nil {
			return nil, errors.New("seal: there is no key, though one was made")
		}
	}
	return k.ring, nil
}

// read reads the keys from the keeper.
func (k *Keys) read() error {
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

// newKey makes a line with a key.
func newKey() string {
	key := make([]byte, KeySize)
	_, _ = rand.Read(key) // never fails
	return hex.EncodeToString(key) + "\n"
}
