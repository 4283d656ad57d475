package device

import (
	"cmp"
	"context"
	"net/url"
	"time"
	"unicode/utf8"

	"headless/pkg/access"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// The limits of logins (extensions §17).
const (
	lifetime = 10 * time.Minute // of both codes
	interval = 5 * time.Second  // between two questions of a program
	// beginLimit is how many logins a network may begin in lifetime.
	beginLimit = 60
	// codeLimit is how many wrong user codes a user may enter in lifetime.
	codeLimit = 10
)

var (
	errPending  = cms.Errorf(cms.CodeAuthorizationPending, "The user has not decided yet. Ask again in 5 seconds.")
	errSlowDown = cms.Errorf(cms.CodeSlowDown, "Ask every 5 seconds at most.")
	errDenied   = cms.Errorf(cms.CodeAccessDenied, "The user has denied this, or may not sign in any more.")
	errExpired  = cms.Errorf(cms.CodeExpiredToken,
		"The device code is unknown, older than 10 minutes, or was used already. Begin again.")
	errByToken = cms.Errorf(cms.CodeForbidden, "An access token cannot sign in programs. Sign in instead.")
	errCode    = cms.Problems{"user_code": {"is wrong, expired or used already"}}.Err()
)

// Logins signs in programs.
type Logins struct{ Sessions *access.Sessions }

func (l Logins) store() *access.Store { return l.Sessions.Store }

// Started is the response to a program that begins a login.
type Started struct {
	DeviceCode              string `json:"device_code"`
	UserCode                string `json:"user_code"`
	VerificationURI         string `json:"verification_uri"` // of the page where the user enters the code
	VerificationURIComplete string `json:"verification_uri_complete"`
	ExpiresIn               int    `json:"expires_in"` // in seconds
	Interval                int    `json:"interval"`   // in seconds
}

// Begin begins the login of a program. page is the URL where its user enters the code. The body may
// have the name of the program; else its User-Agent is the name. What else RFC 8628 has is ignored.
// Errors: VALIDATION_FAILED, RATE_LIMITED after too many logins from a network.
func (l Logins) Begin(ctx context.Context, from access.Client, page string, body map[string]any) (Started, error) {
	in, p := input.Decode[struct {
		Name string `json:"name"`
	}](body, "client_id", "scope")
	if utf8.RuneCountInString(in.Name) > maxName {
		p.Add("name", "has more than %d characters", maxName)
	}
	if err := p.Err(); err != nil {
		return Started{}, err
	}
	ok, err := l.Sessions.Tries().Network(ctx, "device logins", from.Network(), beginLimit, lifetime)
	if err == nil && !ok {
		err = &cms.Error{Code: cms.CodeRateLimited, RetryAfter: lifetime, Limit: beginLimit,
			Message: "Too many programs began to sign in from your network. Try again in 10 minutes."}
	}
	if err != nil {
		return Started{}, err
	}
	started := Started{DeviceCode: db.RandomToken(), VerificationURI: page,
		ExpiresIn: int(lifetime.Seconds()), Interval: int(interval.Seconds())}
	err = l.store().Retry(ctx, func() error {
		started.UserCode = newUserCode()
		tx := l.store().Begin()
		shown := cmp.Or(input.ShownName(in.Name, maxName), input.ShownName(from.UserAgent, maxName), "A program")
		create(tx, login{Name: shown, Address: from.Address, CreatedAt: tx.At(), ExpiresAt: cms.At(tx.At().Add(lifetime)),
			CodeHash: db.TokenHash(started.UserCode), hash: db.TokenHash(started.DeviceCode)})
		return l.store().Commit(ctx, tx)
	})
	started.VerificationURIComplete = page + "?user_code=" + url.QueryEscape(started.UserCode)
	return started, err
}

// Redeem answers a program that asks for the decision of its user. After an approval it opens a
// session, once. Errors: AUTHORIZATION_PENDING, SLOW_DOWN for a question within 5 seconds of the one
// that was answered last, ACCESS_DENIED, EXPIRED_TOKEN, VALIDATION_FAILED without a device code.
func (l Logins) Redeem(ctx context.Context, from access.Client, body map[string]any) (session access.Session,
	err error) {
	in, p := input.Decode[struct {
		DeviceCode string `json:"device_code"`
	}](body, "grant_type", "client_id")
	p.Require("device_code", in.DeviceCode)
	if err := p.Err(); err != nil {
		return session, err
	}
	err = l.store().Retry(ctx, func() error {
		v, err := byDeviceCode(ctx, l.store().DB, db.TokenHash(in.DeviceCode))
		switch {
		case isUnknown(err):
			return errExpired
		case err != nil:
			return err
		case v.Decision == approved:
			session, err = l.openSession(ctx, from, v)
			return err
		case v.Decision == denied:
			return errDenied
		}
		return l.wait(ctx, v)
	})
	return session, err
}

// wait records that a program asked, and tells it to wait.
func (l Logins) wait(ctx context.Context, v login) error {
	tx := l.store().Begin()
	if !v.PolledAt.IsZero() && tx.At().Sub(v.PolledAt.Time) < interval {
		return errSlowDown
	}
	v.PolledAt = tx.At()
	replaceLogin(tx, v)
	return cmp.Or(l.store().Commit(ctx, tx), error(errPending))
}

// openSession opens the session of an approved program and deletes its login.
func (l Logins) openSession(ctx context.Context, from access.Client, v login) (access.Session, error) {
	user, err := l.store().User(ctx, v.UserID)
	if isUnknown(err) || err == nil && (!user.IsActive || user.Epoch != v.Epoch) {
		return access.Session{}, errDenied
	}
	if err != nil {
		return access.Session{}, err
	}
	from.UserAgent = v.Name
	return l.Sessions.Open(ctx, from, user, access.SignInWith{Strong: v.Strong, At: v.ProvenAt,
		Passkey: v.Passkey, Also: func(tx *db.Tx) { tx.Remove(loginKey(v.hash), v.version) }})
}
