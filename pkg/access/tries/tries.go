package tries

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// The limits of signing in (decisions §9, extensions §11).
const (
	maxWrong   = 5   // wrong tries from an address at an account, or from a known browser
	maxAccount = 100 // wrong tries at an account from everywhere but known browsers
	maxNetwork = 50  // wrong tries from a network at all accounts that have not signed in from it
	window     = 15 * time.Minute
	lockTime   = 15 * time.Minute
	// browserTime is how long a browser, and a network, is known after a sign-in.
	browserTime = 180 * 24 * time.Hour
)

// Limits counts tries. It is safe for concurrent use.
type Limits struct{ *db.DB }

// Who tries to sign in.
type Who struct {
	Email   string // as typed
	Address string
	Network string // of the address
	Browser string // what the cookie of a known browser holds; "" where there is none
	UserID  string // of the account that has the address, "" for none
	Epoch   int64  // of that account: another password starts all counts anew
}

// Try is a counted try to sign in.
type Try struct {
	bucket string // of the account and the address, or of the account and the known browser
	// Of the network alone and of the account alone; none for a known browser.
	windows []string
}

// SignIn counts a try as wrong; RATE_LIMITED while it is locked. A browser that has signed in
// before has a count of its own, so that others cannot lock it out. lock adds to the transaction
// that locks.
func (l Limits) SignIn(ctx context.Context, who Who, lock func(*db.Tx)) (Try, error) {
	account := strings.ToLower(who.Email) + "\n" + strconv.FormatInt(who.Epoch, 10)
	limits := []int64{maxNetwork, maxAccount}
	try := Try{bucket: db.TokenHash(account + "\n" + who.Address),
		windows: []string{db.TokenHash("network\n" + who.Network), db.TokenHash(account)}}
	if who.Browser != "" && who.UserID != "" {
		known, err := l.known(ctx, who.UserID, who.Browser)
		if err != nil {
			return try, err
		}
		if known {
			try = Try{bucket: db.TokenHash(account + "\nbrowser\n" + who.Browser)}
		}
	}
	if err := l.count(ctx, try.bucket, lock); err != nil {
		return try, err
	}
	for i, counted := range try.windows {
		ok, err := l.add(ctx, counted, 1, limits[i], window)
		if err == nil && !ok && limits[i] == maxNetwork && who.UserID != "" {
			try.windows = try.windows[1:] // it is not counted
			ok, err = l.known(ctx, who.UserID, networkMark(who.Network))
		}
		if err != nil || !ok {
			return try, cmp.Or(err, locked(window))
		}
	}
	return try, nil
}

// SignedIn adds to the transaction of a sign-in that its try was right. Done comes after it.
func SignedIn(t *db.Tx, try Try) {
	if try.bucket != "" {
		clearWrong(t, try.bucket)
	}
}

// Done takes a try that was right from the counts of its network and its account.
func (l Limits) Done(ctx context.Context, try Try) error {
	for _, counted := range try.windows {
		if _, err := l.add(ctx, counted, -1, math.MaxInt64, window); err != nil {
			return err
		}
	}
	return nil
}

// TakeBack takes back the latest try, which was not wrong.
func (l Limits) TakeBack(ctx context.Context, try Try) error {
	if err := l.Done(ctx, try); err != nil {
		return err
	}
	return l.Retry(ctx, func() error {
		v, err := l.wrong(ctx, try.bucket)
		if err != nil || len(v.Tries) == 0 {
			return err
		}
		v.Tries, v.LockedUntil = v.Tries[:len(v.Tries)-1], cms.Time{}
		tx := l.Begin()
		putWrong(tx, v, cms.At(l.Now().Add(window)))
		return l.Commit(ctx, tx)
	})
}

// Session counts a try in a session as wrong, such as one's password; others cannot lock it.
// RATE_LIMITED while it is locked.
func (l Limits) Session(ctx context.Context, token string) (Try, error) {
	try := Try{bucket: sessionBucket(token)}
	return try, l.count(ctx, try.bucket, func(*db.Tx) {})
}

// Address counts an answer of a passkey from an address as wrong; RATE_LIMITED while that is
// locked.
func (l Limits) Address(ctx context.Context, address string) (Try, error) {
	try := Try{bucket: db.TokenHash("passkey\n" + address)}
	return try, l.count(ctx, try.bucket, func(*db.Tx) {})
}

// ClearSession forgets what was tried in a session, once something was right.
func (l Limits) ClearSession(ctx context.Context, token string) error {
	tx := l.Begin()
	clearWrong(tx, sessionBucket(token))
	return l.Commit(ctx, tx)
}

// Mail counts a mail of a kind to an address; ok is false past the limit.
func (l Limits) Mail(ctx context.Context, kind, email string, limit int64, window time.Duration) (ok bool,
	err error) {
	return l.add(ctx, db.TokenHash(kind+"\n"+strings.ToLower(email)), 1, limit, window)
}

// count counts a try in a bucket; RATE_LIMITED while it is locked. lock adds to the transaction
// that locks it.
func (l Limits) count(ctx context.Context, bucket string, lock func(*db.Tx)) error {
	return l.Retry(ctx, func() error {
		v, err := l.wrong(ctx, bucket)
		if err != nil {
			return err
		}
		now := l.Now()
		if now.Before(v.LockedUntil.Time) {
			return locked(v.LockedUntil.Sub(now.Time))
		}
		if !v.LockedUntil.IsZero() { // the lock is over: count anew
			v.Tries, v.LockedUntil = nil, cms.Time{}
		}
		v.Tries = slices.DeleteFunc(v.Tries, func(t cms.Time) bool { return now.Sub(t.Time) >= window })
		v.Tries = append(v.Tries, now)
		tx := l.Begin()
		if len(v.Tries) >= maxWrong {
			v.LockedUntil = cms.At(now.Add(lockTime))
			lock(tx)
		}
		putWrong(tx, v, cms.At(now.Add(max(window, lockTime))))
		return l.Commit(ctx, tx)
	})
}

// sessionBucket counts what is tried in a session.
func sessionBucket(token string) string { return db.TokenHash("session\n" + token) }

// locked says how long the lock lasts, in whole minutes.
func locked(wait time.Duration) error {
	in := "a minute"
	if minutes := int(math.Ceil(wait.Minutes())); minutes > 1 {
		in = strconv.Itoa(minutes) + " minutes"
	}
	return &cms.Error{Code: cms.CodeRateLimited,
		Message: "Too many wrong tries. Try again in " + in + ".", RetryAfter: wait, Limit: maxWrong}
}
