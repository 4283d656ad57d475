package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// The limits of signing in (decisions §9).
const (
	SessionTime = 12 * time.Hour // from sign-in
	maxTries    = 5
	tryWindow   = 15 * time.Minute
	lockTime    = 15 * time.Minute
)

// Sessions signs users in and out of the admin area.
type Sessions struct {
	Store     *store.Store
	Passwords *Passwords
}

// Session is a signed-in user as the sign-in shows it. The token is shown once and stored only as a hash.
type Session struct {
	Token     string   `json:"token"`
	ExpiresAt cms.Time `json:"expires_at"`
	User      cms.User `json:"user"`
}

var (
	errSignIn    = cms.Errorf(cms.CodeUnauthorized, "The e-mail address or the password is wrong.")
	errNotSigned = cms.Errorf(cms.CodeUnauthorized, "Sign in first.")
)

// SignIn checks the password of an account. The answer, its time and the lock after five wrong tries are the same
// whether the account exists or not. Errors: UNAUTHORIZED, RATE_LIMITED while locked, VALIDATION_FAILED for missing fields.
func (s *Sessions) SignIn(ctx context.Context, body map[string]any) (Session, error) {
	var in struct {
		Email    *string `json:"email"`
		Password *string `json:"password"`
	}
	p := cms.Problems{}
	decodeInput(body, &in, p)
	email, password := given(in.Email, ""), given(in.Password, "")
	if email == "" && len(p["email"]) == 0 {
		p.Add("email", "is required")
	}
	if password == "" && len(p["password"]) == 0 {
		p.Add("password", "is required")
	}
	if err := p.Err(); err != nil {
		return Session{}, err
	}
	// The turn to hash comes first: a try that is turned away for want of it does not count.
	release, err := s.Passwords.slot(ctx)
	if err != nil {
		return Session{}, err
	}
	defer release()
	account := tokenHash(strings.ToLower(email))
	if err := s.countTry(ctx, account); err != nil {
		return Session{}, err
	}
	var user store.User
	if cms.ValidEmail(email) { // else nobody's, and perhaps not fit for a key
		if user, err = s.Store.UserByEmail(ctx, email); err != nil && !errors.Is(err, store.ErrNotFound) {
			return Session{}, err
		}
	}
	ok, err := s.Passwords.matches(password, user.PasswordHash)
	if err != nil {
		return Session{}, err
	}
	if !ok || !user.IsActive {
		return Session{}, errSignIn
	}
	return s.open(ctx, account, user)
}

// countTry counts a try as wrong before the password is looked at, so that parallel tries cannot exceed the limit.
func (s *Sessions) countTry(ctx context.Context, account string) error {
	return s.Store.Retry(ctx, func() error {
		v, err := s.Store.SignIns(ctx, account)
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
		if len(v.Tries) >= maxTries {
			v.LockedUntil = cms.At(now.Add(lockTime))
		}
		tx := s.Store.Begin()
		tx.PutSignIns(v, cms.At(now.Add(max(tryWindow, lockTime))))
		return s.Store.Commit(ctx, tx)
	})
}

// locked tells how long the lock lasts, in whole minutes.
func locked(wait time.Duration) error {
	in := "a minute"
	if minutes := int(math.Ceil(wait.Minutes())); minutes > 1 {
		in = strconv.Itoa(minutes) + " minutes"
	}
	return &cms.Error{Code: cms.CodeRateLimited, Message: "Too many wrong tries. Try again in " + in + ".", RetryAfter: wait, Limit: maxTries}
}

func (s *Sessions) open(ctx context.Context, account string, user store.User) (Session, error) {
	tx := s.Store.Begin()
	session := Session{Token: randomToken(), ExpiresAt: cms.At(tx.At().Add(SessionTime)), User: user.User}
	tx.PutSession(tokenHash(session.Token), store.Session{UserID: user.ID, Epoch: user.Epoch, ExpiresAt: session.ExpiresAt})
	tx.ClearSignIns(account)
	tx.Activity(cms.Actor{Name: user.Email, Source: cms.SourceAdmin}, "user.signed_in", "user "+user.Email)
	return session, s.Store.Commit(ctx, tx)
}

// User is who a token belongs to; UNAUTHORIZED when it is unknown, expired, or ended by a change of the user.
func (s *Sessions) User(ctx context.Context, token string) (cms.User, error) {
	session, err := s.Store.Session(ctx, tokenHash(token))
	if err == nil {
		var user store.User
		user, err = s.Store.User(ctx, session.UserID)
		if err == nil && user.IsActive && user.Epoch == session.Epoch {
			return user.User, nil
		}
	}
	if err == nil || errors.Is(err, store.ErrNotFound) {
		return cms.User{}, errNotSigned
	}
	return cms.User{}, err
}

// SignOut ends the session of a token.
func (s *Sessions) SignOut(ctx context.Context, token string) error {
	tx := s.Store.Begin()
	tx.DeleteSession(tokenHash(token))
	return s.Store.Commit(ctx, tx)
}

// tokenHash is how a token or an address is stored.
func tokenHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
