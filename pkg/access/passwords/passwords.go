// Package passwords hashes, checks and generates passwords.
package passwords

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
	"golang.org/x/crypto/argon2"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// Limits of a password, in characters. The upper one bounds the work of a hash.
const (
	Min = 12
	Max = 500
)

// hashSlots is how many passwords are hashed at once. Each takes 19 MiB, so many simultaneous
// sign-ins stay below 80 MiB.
const hashSlots = 4

// hashWait is how long a sign-in waits for a slot.
const hashWait = 3 * time.Second

// Hasher hashes and checks passwords with argon2id.
type Hasher struct {
	params argon2id.Params
	slots  chan struct{}
	dummy  string // compared with if there is no account, so that it takes as long
}

// New returns a Hasher. memory is the memory of one hash in KiB; 0 is the recommended 19 MiB.
func New(memory uint32) *Hasher {
	memory = cmp.Or(memory, 19*1024)
	p := argon2id.Params{Memory: memory, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}
	none := func(n int) string { return base64.RawStdEncoding.EncodeToString(make([]byte, n)) }
	return &Hasher{
		params: p, slots: make(chan struct{}, hashSlots),
		dummy: fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, p.Memory,
			p.Iterations, p.Parallelism, none(16), none(32)),
	}
}

// Slot waits for the right to hash; call release afterwards. SERVICE_UNAVAILABLE if the wait is too
// long.
func (p *Hasher) Slot(ctx context.Context) (release func(), err error) {
	timer := time.NewTimer(hashWait)
	defer timer.Stop()
	select {
	case p.slots <- struct{}{}:
		return func() { <-p.slots }, nil
	case <-timer.C:
		return nil,
			&cms.Error{Code: cms.CodeUnavailable, Message: "Too many people are signing in right now. Try again in a moment.",
				RetryAfter: 2 * time.Second}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Hash returns the stored form of a password.
func (p *Hasher) Hash(ctx context.Context, password string) (string, error) {
	release, err := p.Slot(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	return argon2id.CreateHash(password, &p.params)
}

// Matches compares a password with a hash. If hash is "", it compares with a dummy hash, which
// takes as long. The caller must hold a slot.
func (p *Hasher) Matches(password, hash string) (bool, error) {
	known := hash != ""
	if !known {
		hash = p.dummy
	}
	if utf8.RuneCountInString(password) > Max {
		password, known = "", false
	}
	ok, err := argon2id.ComparePasswordAndHash(password, hash)
	return ok && known, err
}

// Generate returns a random password.
func Generate() string { return db.RandomToken()[:24] }
