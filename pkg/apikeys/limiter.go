package apikeys

import (
	"context"
	"errors"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/sync/semaphore"

	"headless/pkg/table"
)

// A process takes the tokens of a key's minute from a shared counter in blocks, so that most
// requests write nothing. The tokens taken by all processes never exceed the limit. Blocks are
// small at first and near the limit, because unused tokens of a process are lost at the end of the
// minute.
const (
	blockShare  = 60   // a block is at most 1/60 of the limit: the requests of one second
	restShare   = 8    // and at most 1/8 of the tokens that are left in the minute
	maxLimiters = 1000 // keys of which a process keeps tokens, and ten times as many addresses
)

// limiters hold the tokens of this process, by key, or by key and address.
type limiters struct {
	mu     sync.Mutex
	byName map[string]*limiter
}

// limiter holds the tokens of one key or address.
type limiter struct {
	turn *semaphore.Weighted // a lock with room for one owner, who may use tokens
	tokens
}

// tokens are the tokens of a key's minute that a process has.
type tokens struct {
	minute int64
	limit  int64
	taken  int64 // tokens taken by all processes, as of the latest block
	left   int64 // tokens that this process has not used yet
	used   int64 // tokens that this process used in the minute
	owed   int64 // of these, tokens that it has not taken from the counter yet
	spent  bool  // the counter is at its limit
}

// lockFor waits for and locks a limiter, one of at most most; call done to unlock it.
func (l *limiters) lockFor(ctx context.Context, name string, most int) (k *limiter, done func(), err error) {
	l.mu.Lock()
	if k = l.byName[name]; k == nil {
		if l.byName == nil || len(l.byName) >= most {
			l.byName = map[string]*limiter{}
		}
		k = &limiter{turn: semaphore.NewWeighted(1)}
		l.byName[name] = k
	}
	l.mu.Unlock()
	if err := k.turn.Acquire(ctx, 1); err != nil {
		return nil, nil, err
	}
	return k, func() { k.turn.Release(1) }, nil
}

// moveTo prepares the limiter for a minute. It drops tokens of another minute or limit.
func (k *limiter) moveTo(minute, limit int64) {
	if k.minute != minute || k.limit != limit {
		k.tokens = tokens{minute: minute, limit: limit}
	}
}

// blockSize returns how many tokens to take next.
func (k *limiter) blockSize() int64 {
	return max(1, min(k.used, k.limit/blockShare, (k.limit-k.taken)/restShare))
}

// Count counts one request of a key in the current minute. It returns the number of requests so
// far, and ok false if the limit is reached. If the counter cannot be reached, requests pass
// uncounted.
func (s *Store) Count(ctx context.Context, keyID string, limit int64) (n int64, ok bool, err error) {
	k, done, err := s.limiters.lockFor(ctx, keyID, maxLimiters)
	if err != nil {
		return 0, false, err
	}
	defer done()
	return s.takeToken(ctx, k, keyID, limit, 0)
}

// takeToken uses one token of a limiter, as Count does. The first tokens of a minute, up to lent, are
// taken from the shared counter only together with the next one.
func (s *Store) takeToken(ctx context.Context, k *limiter, name string, limit, lent int64) (n int64, ok bool,
	err error) {
	now := s.Clock().Unix()
	k.moveTo(now/60, limit)
	if k.used < lent {
		k.used, k.owed = k.used+1, k.owed+1
		return k.used, true, nil
	}
	if k.left == 0 && !k.spent {
		if err := s.takeBlock(ctx, k, name, now); err != nil {
			return min(k.taken, limit), ctx.Err() == nil, ctx.Err()
		}
	}
	if k.left == 0 {
		return limit, false, nil
	}
	k.left, k.used = k.left-1, k.used+1
	return k.taken - k.left, true, nil
}

// takeBlock takes the next tokens from the counter, or marks them as spent.
func (s *Store) takeBlock(ctx context.Context, k *limiter, name string, now int64) error {
	for size := k.blockSize(); ; size = 1 {
		n, err := s.addTokens(ctx, limitKey(name, k.minute), size+k.owed, k.limit, now+120)
		switch {
		case errors.Is(err, table.ErrLimit) && size > 1:
			continue
		case errors.Is(err, table.ErrLimit):
			k.taken, k.spent = k.limit, true
			return nil
		case err != nil:
			return err
		}
		k.taken, k.left, k.owed = n, size, 0
		return nil
	}
}

// addTokens tries twice, since the first request fails on a connection that died while the process
// was frozen. Counting a request twice does no harm.
func (s *Store) addTokens(ctx context.Context, key table.Key, size, limit, expires int64) (n int64, err error) {
	for range 2 {
		if n, err = s.Table.Add(ctx, key, size, limit, expires); !errors.Is(err, table.ErrUnavailable) {
			break
		}
	}
	return n, err
}

// Allowance is what a process can say about the next request of a key without reading.
type Allowance int

// The allowances.
const (
	AllowanceOpen  Allowance = iota // the request will pass, as far as this process knows
	AllowanceNear                   // the request may be refused: count it before responding
	AllowanceSpent                  // the request will be refused
)

// Allowance predicts the result of Count, without reading or writing.
func (s *Store) Allowance(keyID string, limit int64) Allowance {
	s.limiters.mu.Lock()
	k := s.limiters.byName[keyID]
	s.limiters.mu.Unlock()
	if k == nil {
		return AllowanceOpen
	}
	if !k.turn.TryAcquire(1) {
		return AllowanceNear // another request is taking tokens
	}
	defer k.turn.Release(1)
	switch {
	case k.minute != s.Clock().Unix()/60 || k.limit != limit:
		return AllowanceOpen
	case k.left > 0:
		return AllowanceOpen
	case k.spent:
		return AllowanceSpent
	case k.taken >= limit-limit/restShare:
		return AllowanceNear
	}
	return AllowanceOpen
}

// validPublicKey reports whether a text can be the public part of a key.
func validPublicKey(s string) bool {
	return s != "" && len(s) <= 100 && utf8.ValidString(s) && !strings.Contains(s, "\x00")
}

// Unchanged reports whether the stored key has the same version as k. It uses an eventually
// consistent read, which costs half as much and may miss the last second.
func (s *Store) Unchanged(ctx context.Context, k *Key) (bool, error) {
	items, err := s.Table.Get(ctx, table.Eventual, publicKeyKey(k.PublicKey))
	return err == nil && items[0] != nil && items[0].Version == k.version, err
}
