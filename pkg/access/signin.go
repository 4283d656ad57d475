package access

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/access/tries"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

var (
	errSignIn    = cms.Errorf(cms.CodeUnauthorized, "The e-mail address or the password is wrong.")
	errNotSigned = cms.Errorf(cms.CodeUnauthorized, "Sign in first.")
	errNeedsCode = cms.Errorf(cms.CodeTOTPRequired, "Enter the code of your authenticator app, or a recovery code.")
	errBadCode   = cms.Errorf(cms.CodeUnauthorized, "The code is wrong.")
	errNoAccount = cms.Errorf(cms.CodeForbidden, "Sign in with your organization. Password sign-in is off.")
)

// signInInput is the body of a sign-in.
type signInInput struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Code     string `json:"code"`
}

// NeedPasswords returns FORBIDDEN if nobody signs in by password.
func (s *Sessions) NeedPasswords() error {
	if s.PasswordsOff {
		return errNoAccount
	}
	return nil
}

// SignIn checks the password of an account, and the code of its second factor. The response and its
// duration are the same whether or not the account exists. Errors: UNAUTHORIZED, TOTP_REQUIRED
// without a code, RATE_LIMITED while locked, VALIDATION_FAILED for missing fields.
func (s *Sessions) SignIn(ctx context.Context, from Client, body map[string]any) (Session, error) {
	in, p := input.Decode[signInInput](body)
	p.Require("email", in.Email)
	p.Require("password", in.Password)
	if err := p.Err(); err != nil {
		return Session{}, err
	}
	if err := s.NeedPasswords(); err != nil {
		return Session{}, err
	}
	// Wait for the slot to hash first: an attempt that is refused for lack of a slot does not
	// count.
	release, err := s.Passwords.Slot(ctx)
	if err != nil {
		return Session{}, err
	}
	defer release()
	var user User
	if cms.ValidEmail(in.Email) { // other texts belong to no user, and may not be valid in a key
		if user, err = s.Store.UserByEmail(ctx, in.Email); err != nil && !errors.Is(err, db.ErrNotFound) {
			return Session{}, err
		}
	}
	try, err := s.Tries().SignIn(ctx, tries.Who{
		Email: in.Email, Address: from.Address, Network: from.Network(),
		Browser: from.Browser, UserID: user.ID, Epoch: user.Epoch,
	})
	if err != nil {
		return Session{}, err
	}
	ok, err := s.Passwords.Matches(in.Password, user.PasswordHash)
	if err != nil {
		return Session{}, err
	}
	if !ok || !user.IsActive {
		return Session{}, s.Failed(ctx, from, user, try, errSignIn)
	}
	if user.Factors.TOTP == nil {
		return s.Open(ctx, from, user, SignInWith{Try: try})
	}
	if in.Code == "" {
		return Session{}, cmp.Or(s.Tries().TakeBack(ctx, try), error(errNeedsCode))
	}
	return s.signInByCode(ctx, from, user, in.Code, try)
}

// Network returns the network by which clients of this address are counted.
func (c Client) Network() string {
	if a, err := netip.ParseAddr(c.Address); err == nil {
		return input.Network(a)
	}
	return c.Address
}

// signInByCode signs in and marks the code as used. A code that is used twice at the same time
// signs in once.
func (s *Sessions) signInByCode(ctx context.Context, from Client, user User, code string,
	try tries.Try) (session Session, err error) {
	err = s.Store.Retry(ctx, func() error {
		ok, err := s.useCode(&user, code)
		switch {
		case err != nil:
			return cmp.Or(s.Tries().TakeBack(ctx, try), err)
		case !ok || user.Factors.WrongCodes >= maxWrongCodes:
			return cmp.Or(s.wrongCode(ctx, from.Actor, user.ID), s.Failed(ctx, from, user, try, errBadCode))
		}
		user.Factors.WrongCodes = 0
		session, err = s.Open(ctx, from, user, SignInWith{Try: try, Factors: true})
		if !errors.Is(err, db.ErrOvertaken) {
			return err
		}
		was := user.Epoch
		if user, err = s.Store.User(ctx, user.ID); err != nil || user.Epoch != was || !user.IsActive {
			return cmp.Or(err, error(errSignIn))
		}
		return db.ErrOvertaken
	})
	return session, err
}

// Wrong codes in a row after a right password. After tellWrongCodes the user gets a mail. After
// maxWrongCodes every code is refused until the user has a new password.
const (
	tellWrongCodes = 3
	maxWrongCodes  = 100
)

// wrongCode counts a wrong code after a right password.
func (s *Sessions) wrongCode(ctx context.Context, actor cms.Actor, userID string) error {
	return s.Store.Retry(ctx, func() error {
		user, err := s.Store.User(ctx, userID)
		if err != nil || user.Factors.WrongCodes >= maxWrongCodes {
			return err
		}
		user.Factors.WrongCodes++
		tx := s.Store.Begin()
		PutFactors(tx, user)
		switch user.Factors.WrongCodes {
		case tellWrongCodes:
			s.Notices.Changed(tx, actor, user.User, cms.Phrased("Somebody entered your password, and then wrong codes "+
				"of your second factor. Whoever it was could not sign in, but knows your password."))
		case maxWrongCodes:
			s.Notices.Changed(tx, actor, user.User, cms.Phrased("Somebody entered your password, and then 100 wrong "+
				"codes of your second factor. Sign-in by password is off until you set a new password."))
			tx.Audit(actor, "user.locked", "user "+user.Email, user.ID, nil, nil)
		}
		return s.Store.Commit(ctx, tx)
	})
}

// Failed records a failed sign-in, and that its try locked the account, and returns why. An address
// that belongs to no account is not recorded.
func (s *Sessions) Failed(ctx context.Context, from Client, user User, try tries.Try, why error) error {
	tx := s.Store.Begin()
	subject := "unknown user"
	if user.ID != "" {
		subject = "user " + user.Email
		if try.Locks {
			tx.Audit(from.Actor, "user.locked", subject, user.ID, nil, nil)
		}
	}
	tx.Audit(from.Actor, "user.sign_in_failed", subject, "", nil, nil)
	return cmp.Or(s.Store.Commit(ctx, tx), why)
}

// SignInWith describes how somebody signed in.
type SignInWith struct {
	Try     tries.Try
	Strong  bool     // by an OpenID Connect provider, which is responsible for a second factor
	At      cms.Time // when the user proved their identity, if that was before; see SessionRecord.ProvenAt
	Passkey string   // id of the passkey
	Factors bool     // save the user's factors, since a code or a passkey was used
	// Also, if set, adds to the transaction that stores the session.
	Also func(*db.Tx)
}

// Open creates a session.
func (s *Sessions) Open(ctx context.Context, from Client, user User, how SignInWith) (Session, error) {
	tx := s.Store.Begin()
	session := Session{Token: db.RandomToken(), ExpiresAt: cms.At(tx.At().Add(cmp.Or(s.Length, SessionTime))),
		User: user.User, Browser: cmp.Or(from.Browser, db.RandomToken())}
	PutSession(tx, SessionRecord{
		ID: uuid.Must(uuid.NewV7()).String(), UserID: user.ID, Epoch: user.Epoch,
		ExpiresAt: session.ExpiresAt, CreatedAt: tx.At(), LastSeenAt: tx.At(),
		Address: from.Address, UserAgent: truncate(from.UserAgent, maxUserAgent), Strong: how.Strong,
		Passkey: how.Passkey, ProvenAt: how.At,
		Hash: db.TokenHash(session.Token),
	})
	tries.SignedIn(tx, how.Try)
	if how.Factors {
		PutFactors(tx, user)
	}
	if how.Also != nil {
		how.Also(tx)
	}
	tries.Remember(tx, user.ID, session.Browser, from.Network())
	tx.Audit(from.Named(user.Email), "user.signed_in", "user "+user.Email, "", nil, nil)
	err := s.Store.Commit(ctx, tx)
	if err == nil {
		err = s.Tries().Done(ctx, how.Try)
	}
	return session, err
}

// maxUserAgent is the stored length of a User-Agent header, in characters.
const maxUserAgent = 300

func truncate(s string, most int) string {
	r := []rune(strings.ToValidUTF8(s, ""))
	return string(r[:min(len(r), most)])
}
