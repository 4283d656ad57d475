package access

import (
	"context"
	"strings"
	"time"

	"headless/pkg/access/notices"
	"headless/pkg/access/passwords"
	"headless/pkg/access/tokens"
	"headless/pkg/access/tries"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// SessionTime is how long a session lasts by default, from sign-in.
const SessionTime = 12 * time.Hour

// seenEvery is the precision of the time at which a session or an access token was last used.
const seenEvery = 5 * time.Minute

// Sessions signs users in and out of the admin area.
type Sessions struct {
	Store     *Store
	Passwords *passwords.Hasher
	Notices   *notices.Notices
	// PasswordsOff refuses password sign-in, because another way is configured.
	PasswordsOff bool
	Leave        Leave // as in Users
	// Length is how long a session lasts; 0 is SessionTime. Idle is how long it lasts without a
	// request; 0 is Length.
	Length, Idle time.Duration
}

// lastUsedPrecision returns the precision of the time at which a session was last used.
func (s *Sessions) lastUsedPrecision() time.Duration {
	if s.Idle > 0 {
		return min(seenEvery, s.Idle/10)
	}
	return seenEvery
}

// isIdle reports whether a session was not used for so long that it has ended.
func (s *Sessions) isIdle(v SessionRecord) bool {
	return s.Idle > 0 && s.Store.Now().Sub(v.LastSeenAt.Time) >= s.Idle
}

// Client describes the sender of a request.
type Client struct {
	cms.Actor // without a name before the sign-in
	UserAgent string
	// Browser is the cookie of a browser that has signed in before, "" if there is none.
	Browser string
}

// Session is the response to a sign-in. Its token is shown once and stored only as a hash.
type Session struct {
	Token     string   `json:"token"`
	ExpiresAt cms.Time `json:"expires_at"`
	User      cms.User `json:"user"`
	// Browser is the new value of the cookie that identifies the browser.
	Browser string `json:"-"`
}

// Identity is the sender of a request of the admin area, with the sender's permissions.
type Identity struct {
	User    cms.User
	Role    cms.Role
	Session SessionRecord // without an id for an access token
	// NeedsFactor is set if the role requires a second factor that the user does not have or did
	// not use in this session.
	NeedsFactor bool
	HasTOTP     bool
	HasPasskeys bool
	// RecoveryCodes is how many recovery codes are left.
	RecoveryCodes int
	// Confirmed is until when the session permits sensitive changes without a new confirmation. It
	// is zero for an access token, which needs none.
	Confirmed cms.Time
	Term      int64 // of the user
}

// Identify returns the owner of a session token or an access token. UNAUTHORIZED if the token is
// unknown, expired, or ended by a change of the user.
func (s *Sessions) Identify(ctx context.Context, token string) (Identity, error) {
	session, user, err := s.Owner(ctx, token)
	if err == nil {
		var role Role
		if role, err = s.Store.Role(ctx, user.Role); err == nil {
			s.recordUse(ctx, session)
			return Identity{
				User: user.User, Role: role.Role, Session: session, HasTOTP: user.Factors.TOTP != nil,
				Term: user.Term, RecoveryCodes: len(user.Factors.Recovery),
				HasPasskeys: len(user.Factors.Passkeys) > 0, Confirmed: session.confirmedUntil(),
				NeedsFactor: role.RequireTOTP && !session.Strong && !user.Factors.hasSecondFactor(session),
			}, nil
		}
	}
	return Identity{}, db.Missing(err, errNotSigned)
}

// Owner finds the user of a token; UNAUTHORIZED if the token is not valid.
func (s *Sessions) Owner(ctx context.Context, token string) (session SessionRecord, user User, err error) {
	session, user, err = s.findOwner(ctx, token)
	return session, user, db.Missing(err, errNotSigned)
}

func (s *Sessions) findOwner(ctx context.Context, token string) (session SessionRecord, user User, err error) {
	if strings.HasPrefix(token, tokens.Prefix) {
		access, err := tokens.ByHash(ctx, s.Store.DB, db.TokenHash(token))
		if err != nil {
			return session, user, err
		}
		user, err = s.Store.User(ctx, access.UserID)
		if err == nil && (!user.IsActive || user.Resets != access.Resets) {
			err = db.ErrNotFound
		}
		return SessionRecord{AccessToken: access}, user, err
	}
	hash := db.TokenHash(token)
	if session, err = s.Store.Session(ctx, hash); err != nil {
		return session, user, err
	}
	user, err = s.Store.User(ctx, session.UserID)
	if err == nil && user.Epoch != session.Epoch { // a change that keeps this session may lie between the two reads
		session, err = s.Store.Session(ctx, hash)
	}
	if err == nil && (!user.IsActive || user.Epoch != session.Epoch || s.isIdle(session)) {
		err = db.ErrNotFound
	}
	return session, user, err
}

// User returns the owner of a token; UNAUTHORIZED as for Identify.
func (s *Sessions) User(ctx context.Context, token string) (cms.User, error) {
	who, err := s.Identify(ctx, token)
	return who.User, err
}

// recordUse records when a session or an access token was last used. Errors are ignored: it may have
// ended in the meantime.
func (s *Sessions) recordUse(ctx context.Context, session SessionRecord) {
	tx := s.Store.Begin()
	last := session.LastSeenAt
	if session.Hash == "" {
		last = session.AccessToken.LastUsedAt
	}
	if tx.At().Sub(last.Time) < s.lastUsedPrecision() {
		return
	}
	if session.Hash == "" {
		session.AccessToken.LastUsedAt = tx.At()
		tokens.Update(tx, session.AccessToken)
	} else {
		session.LastSeenAt = tx.At()
		PutSession(tx, session)
	}
	_ = s.Store.Commit(ctx, tx)
}

// SignOut ends the session of a token.
func (s *Sessions) SignOut(ctx context.Context, actor cms.Actor, token string) error {
	return s.Store.Retry(ctx, func() error {
		session, err := s.Store.Session(ctx, db.TokenHash(token))
		if err != nil {
			return input.NotFound(err, "session")
		}
		return s.endSession(ctx, actor, session, actor.Name)
	})
}

func (s *Sessions) endSession(ctx context.Context, actor cms.Actor, session SessionRecord, email string) error {
	tx := s.Store.Begin()
	deleteSession(tx, session)
	tx.Audit(actor, "session.ended", "user "+email, session.UserID, nil, nil)
	return s.Store.Commit(ctx, tx)
}

// Tries returns the limits of attempts to sign in and to confirm a session.
func (s *Sessions) Tries() tries.Limits { return tries.Limits{DB: s.Store.DB} }

// confirm reports whether a password is that of a signed-in user. Wrong attempts count for this
// session only, so other people cannot lock it.
func (s *Sessions) confirm(ctx context.Context, token string, user User, password string) (bool, error) {
	release, err := s.Passwords.Slot(ctx)
	if err != nil {
		return false, err
	}
	defer release()
	try, err := s.Tries().Session(ctx, token, user.ID)
	if err != nil {
		return false, err
	}
	ok, err := s.Passwords.Matches(password, user.PasswordHash)
	if ok && err == nil {
		err = s.Tries().ClearSession(ctx, try)
	}
	return ok, err
}
