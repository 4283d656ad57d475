package access

import (
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
	maxTries        = 5   // wrong ones from an address to an account, or from a known browser
	maxAccountTries = 100 // wrong ones to an account from everywhere but known browsers
	tryWindow       = 15 * time.Minute
	lockTime        = 15 * time.Minute
	browserTime     = 180 * 24 * time.Hour // how long a browser is known after a sign-in
)

// signInTry is a counted try to sign in.
type signInTry struct {
	bucket  string // of the account and the address, or of the account and the known browser
	account string // of the account alone; "" for a known browser
}

// countSignIn counts a try as wrong before the password is looked at, so that parallel tries cannot exceed the limit. A browser that has
// signed in before has a count of its own, so that others cannot lock it out. Another password starts all counts anew.
func (s *Sessions) countSignIn(ctx context.Context, from Client, email string, user User) (signInTry, error) {
	account := strings.ToLower(email) + "\n" + strconv.FormatInt(user.Epoch, 10)
	try := signInTry{bucket: tokenHash(account + "\n" + from.Address), account: tokenHash(account)}
	if from.Browser != "" && user.ID != "" {
		known, err := s.Store.KnownBrowser(ctx, user.ID, tokenHash(from.Browser))
		if err != nil {
			return try, err
		}
		if known {
			try = signInTry{bucket: tokenHash(account + "\nbrowser\n" + from.Browser)}
		}
	}
	record := func(tx *db.Tx) {
		if user.ID != "" {
			tx.Audit(from.Actor, "user.locked", "user "+user.Email, user.ID, nil, nil)
		}
	}
	if err := s.countTry(ctx, try.bucket, record); err != nil || try.account == "" {
		return try, err
	}
	ok, err := s.Store.CountTry(ctx, try.account, 1, maxAccountTries, tryWindow)
	if !ok && err == nil {
		err = locked(tryWindow)
	}
	return try, err
}

// countTry counts a try in a bucket; RATE_LIMITED while it is locked. Lock adds to the transaction that locks it.
func (s *Sessions) countTry(ctx context.Context, bucket string, lock func(*db.Tx)) error {
	return s.Store.Retry(ctx, func() error {
		v, err := s.Store.SignIns(ctx, bucket)
		if err != nil {
			return err
		}
		now := s.Store.Now()
		if now.Before(v.LockedUntil.Time) {
			return locked(v.LockedUntil.Sub(now.Time))
		}
		if !v.LockedUntil.IsZero() { // the lock is over: count anew
			v.Tries, v.LockedUntil = nil, cms.Time{}
		}
		v.Tries = slices.DeleteFunc(v.Tries, func(t cms.Time) bool { return now.Sub(t.Time) >= tryWindow })
		v.Tries = append(v.Tries, now)
		tx := s.Store.Begin()
		if len(v.Tries) >= maxTries {
			v.LockedUntil = cms.At(now.Add(lockTime))
			lock(tx)
		}
		PutSignIns(tx, v, cms.At(now.Add(max(tryWindow, lockTime))))
		return s.Store.Commit(ctx, tx)
	})
}

// uncount takes back the latest try, which was not wrong.
func (s *Sessions) uncount(ctx context.Context, try signInTry) error {
	return s.Store.Retry(ctx, func() error {
		v, err := s.Store.SignIns(ctx, try.bucket)
		if err != nil || len(v.Tries) == 0 {
			return err
		}
		v.Tries, v.LockedUntil = v.Tries[:len(v.Tries)-1], cms.Time{}
		tx := s.Store.Begin()
		PutSignIns(tx, v, cms.At(s.Store.Now().Add(tryWindow)))
		return s.Store.Commit(ctx, tx)
	})
}

// confirm reports whether a password is that of a signed-in user. Wrong ones count for the session alone: others cannot lock it.
func (s *Sessions) confirm(ctx context.Context, token string, user User, password string) (bool, error) {
	release, err := s.Passwords.Slot(ctx)
	if err != nil {
		return false, err
	}
	defer release()
	if err := s.countTry(ctx, sessionBucket(token), func(*db.Tx) {}); err != nil {
		return false, err
	}
	ok, err := s.Passwords.Matches(password, user.PasswordHash)
	if ok && err == nil {
		err = s.clearTries(ctx, token)
	}
	return ok, err
}

// clearTries forgets what was tried in a session, once something was right.
func (s *Sessions) clearTries(ctx context.Context, token string) error {
	tx := s.Store.Begin()
	ClearSignIns(tx, sessionBucket(token))
	return s.Store.Commit(ctx, tx)
}

// sessionBucket counts what is tried in a session.
func sessionBucket(token string) string { return tokenHash("session\n" + token) }

// locked says how long the lock lasts, in whole minutes.
func locked(wait time.Duration) error {
	in := "a minute"
	if minutes := int(math.Ceil(wait.Minutes())); minutes > 1 {
		in = strconv.Itoa(minutes) + " minutes"
	}
	return &cms.Error{Code: cms.CodeRateLimited, Message: "Too many wrong tries. Try again in " + in + ".", RetryAfter: wait, Limit: maxTries}
}
