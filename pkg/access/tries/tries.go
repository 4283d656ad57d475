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
	maxWrong   = 5   // wrong tries for an account from an address or a known browser
	maxAccount = 100 // wrong tries for an account from everywhere except known browsers, or in all sessions of a user
	maxNetwork = 50  // wrong tries from a network for all accounts that have never signed in from it
	maxPasskey = 100 // passkey sign-ins from a network that were not right
	window     = 15 * time.Minute
	lockTime   = 15 * time.Minute
	// browserTime is how long a browser or a network stays known after a sign-in.
	browserTime = 180 * 24 * time.Hour
)

// Limits counts tries. It is safe for concurrent use.
type Limits struct{ *db.DB }

// Who describes somebody who tries to sign in.
type Who struct {
	Email   string // as typed
	Address string
	Network string // of the address
	Browser string // what the cookie of a known browser holds; "" where there is none
	UserID  string // of the account with this e-mail address, "" if none; a new account has counts of its own
	Epoch   int64  // of that account; a new password resets all counts
}

// Try is a counted attempt to sign in.
type Try struct {
	// Locks is set if the try locks its bucket, unless it turns out to be right.
	Locks  bool
	bucket string // of the account and the address, or of the account and the known browser
	// Windows of the network and of the account; none for a known browser.
	windows []string
}

// SignIn counts a try as wrong; RATE_LIMITED while it is locked. A known browser has a bucket of
// its own, so that others cannot lock it out.
func (l Limits) SignIn(ctx context.Context, who Who) (Try, error) {
	account := strings.ToLower(who.Email) + "\n" + who.UserID + "\n" + strconv.FormatInt(who.Epoch, 10)
	limits := []int64{maxNetwork, maxAccount}
	try := Try{bucket: db.TokenHash(account + "\n" + who.Address),
		windows: []string{db.TokenHash("network\n" + who.Network), db.TokenHash(account)}}
	if who.Browser != "" && who.UserID != "" {
		known, err := l.isKnown(ctx, who.UserID, who.Browser)
		if err != nil {
			return try, err
		}
		if known {
			try = Try{bucket: db.TokenHash(account + "\nbrowser\n" + who.Browser)}
		}
	}
	if err := l.countTry(ctx, &try); err != nil {
		return try, err
	}
	for i, counted := range try.windows {
		ok, err := l.addTries(ctx, counted, 1, limits[i], window)
		if err == nil && !ok && limits[i] == maxNetwork && who.UserID != "" {
			try.windows = try.windows[1:] // addTries did not count it
			ok, err = l.isKnown(ctx, who.UserID, networkMark(who.Network))
		}
		if err != nil || !ok {
			return try, cmp.Or(err, lockedError(window))
		}
	}
	return try, nil
}

// SignedIn clears the bucket of a correct try in the transaction of the sign-in. Call Done after
// the commit.
func SignedIn(t *db.Tx, try Try) {
	if try.bucket != "" {
		clearWrong(t, try.bucket)
	}
}

// Done removes a correct try from the counts of its network and its account.
func (l Limits) Done(ctx context.Context, try Try) error {
	for _, counted := range try.windows {
		if _, err := l.addTries(ctx, counted, -1, math.MaxInt64, window); err != nil {
			return err
		}
	}
	return nil
}

// TakeBack removes the latest try, which was not wrong, from all counts.
func (l Limits) TakeBack(ctx context.Context, try Try) error {
	if err := l.Done(ctx, try); err != nil {
		return err
	}
	return l.Retry(ctx, func() error {
		v, err := l.readWrong(ctx, try.bucket)
		if err != nil || len(v.Tries) == 0 {
			return err
		}
		v.Tries, v.LockedUntil = v.Tries[:len(v.Tries)-1], cms.Time{}
		tx := l.Begin()
		putWrong(tx, v, cms.At(l.Now().Add(window)))
		return l.Commit(ctx, tx)
	})
}

// Session counts an attempt in a session, such as to confirm the password, as wrong: in the session, and in all
// sessions of its user, since a session opens others when it approves programs. RATE_LIMITED while it is locked.
func (l Limits) Session(ctx context.Context, token, userID string) (Try, error) {
	try := Try{bucket: db.TokenHash("session\n" + token), windows: []string{db.TokenHash("sessions\n" + userID)}}
	if err := l.countTry(ctx, &try); err != nil {
		return try, err
	}
	ok, err := l.addTries(ctx, try.windows[0], 1, maxAccount, window)
	if err == nil && !ok {
		err = lockedError(window)
	}
	return try, err
}

// Passkey counts a sign-in by a passkey as wrong; RATE_LIMITED while the passkey is locked, which
// holds for unknown browsers only, or after too many wrong ones from a network. who names the user
// of the passkey. credential is the id of the passkey, "" if the response has none: then the
// network alone counts.
func (l Limits) Passkey(ctx context.Context, who Who, credential string) (Try, error) {
	try := Try{}
	network := db.TokenHash("passkeys\n" + who.Network)
	ok, err := l.addTries(ctx, network, 1, maxPasskey, window)
	if err != nil || !ok {
		return try, cmp.Or(err, lockedError(window))
	}
	try.windows = []string{network}
	if credential == "" {
		return try, nil
	}
	bucket := "passkey\n" + credential
	if who.Browser != "" {
		known, err := l.isKnown(ctx, who.UserID, who.Browser)
		if err != nil {
			return try, err
		}
		if known {
			bucket += "\nbrowser\n" + who.Browser
		}
	}
	try.bucket = db.TokenHash(bucket)
	return try, l.countTry(ctx, &try)
}

// Network counts a request of a kind by a stranger from a network; ok is false above the limit.
func (l Limits) Network(ctx context.Context, kind, network string, limit int64, window time.Duration) (ok bool,
	err error) {
	return l.addTries(ctx, db.TokenHash(kind+" of a network\n"+network), 1, limit, window)
}

// User adds n, -1 to take one back, to the wrong tries of a kind by a user; ok is false above the
// limit.
func (l Limits) User(ctx context.Context, kind, userID string, n, limit int64, window time.Duration) (ok bool,
	err error) {
	return l.addTries(ctx, db.TokenHash(kind+" of a user\n"+userID), n, limit, window)
}

// ClearSession clears the wrong tries in the session of a correct one.
func (l Limits) ClearSession(ctx context.Context, try Try) error {
	tx := l.Begin()
	clearWrong(tx, try.bucket)
	if err := l.Commit(ctx, tx); err != nil {
		return err
	}
	return l.Done(ctx, try)
}

// Mail counts a mail of a kind to an address; ok is false above the limit.
func (l Limits) Mail(ctx context.Context, kind, email string, limit int64, window time.Duration) (ok bool,
	err error) {
	return l.addTries(ctx, db.TokenHash(kind+"\n"+strings.ToLower(email)), 1, limit, window)
}

// countTry counts a try in its bucket, and sets Locks; RATE_LIMITED while the bucket is locked.
func (l Limits) countTry(ctx context.Context, try *Try) error {
	return l.Retry(ctx, func() error {
		v, err := l.readWrong(ctx, try.bucket)
		if err != nil {
			return err
		}
		now := l.Now()
		if now.Before(v.LockedUntil.Time) {
			return lockedError(v.LockedUntil.Sub(now.Time))
		}
		if !v.LockedUntil.IsZero() { // the lock has ended: start counting again
			v.Tries, v.LockedUntil = nil, cms.Time{}
		}
		v.Tries = slices.DeleteFunc(v.Tries, func(t cms.Time) bool { return now.Sub(t.Time) >= window })
		v.Tries = append(v.Tries, now)
		tx := l.Begin()
		if try.Locks = len(v.Tries) >= maxWrong; try.Locks {
			v.LockedUntil = cms.At(now.Add(lockTime))
		}
		putWrong(tx, v, cms.At(now.Add(max(window, lockTime))))
		return l.Commit(ctx, tx)
	})
}

// lockedError returns RATE_LIMITED with the duration of the lock, in whole minutes.
func lockedError(wait time.Duration) error {
	in := "a minute"
	if minutes := int(math.Ceil(wait.Minutes())); minutes > 1 {
		in = strconv.Itoa(minutes) + " minutes"
	}
	return &cms.Error{Code: cms.CodeRateLimited,
		Message: "Too many wrong tries. Try again in " + in + ".", RetryAfter: wait, Limit: maxWrong}
}
