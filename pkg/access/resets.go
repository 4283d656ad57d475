package access

import (
	"context"
	"errors"
	"time"

	"headless/pkg/access/passwords"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/table"
)

// The limits of forgotten passwords (extensions §11).
const (
	resetTime    = 24 * time.Hour
	forgotLimit  = 3 // mails to an address
	forgotWindow = time.Hour
	// forgotNetwork is how many requests a network may make in forgotWindow.
	forgotNetwork = 30
)

var errDeadToken = cms.Problems{"token": {"is wrong, expired or used already"}}.Err()

// Forgot mails a link for a new password to the user with an address, if there is one. The response
// does not reveal whether there is.
func (s *Sessions) Forgot(ctx context.Context, from Client, body map[string]any) error {
	in, p := input.Decode[struct {
		Email string `json:"email"`
	}](body)
	p.Require("email", in.Email)
	if err := p.Err(); err != nil {
		return err
	}
	ok, err := s.Tries().Network(ctx, "forgot", from.Network(), forgotNetwork, forgotWindow)
	if err != nil || !ok {
		return err
	}
	ok, err = s.Tries().Mail(ctx, "forgot", in.Email, forgotLimit, forgotWindow)
	if err != nil || !ok || !cms.ValidEmail(in.Email) {
		return err
	}
	user, err := s.Store.UserByEmail(ctx, in.Email)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	token := db.RandomToken()
	tx := s.Store.Begin()
	// A token is stored even without a user, so that the response takes as long.
	putReset(tx, db.TokenHash(token), Reset{UserID: user.ID, Address: user.Email, Epoch: user.Epoch,
		ExpiresAt: cms.At(tx.At().Add(resetTime))})
	if user.IsActive && s.Notices != nil && !s.PasswordsOff {
		s.Notices.Add(tx, from.Actor, user.Email, cms.Notice{Subject: cms.Phrased("Set a new password"),
			Language: user.Language, Paragraphs: []cms.Phrase{
				cms.Phrased("Somebody, perhaps you, asked for a new password for this address."),
				cms.Phrased("Set it within 24 hours:\n{1}", s.Notices.SiteURL+"/admin/password/reset?token="+token),
				cms.Phrased("If it was not you, do nothing: your password stays as it is.")}})
		tx.Audit(from.Actor, "password.forgotten", "user "+user.Email, user.ID, nil, nil)
	}
	return s.Store.Commit(ctx, tx)
}

// OpenReset reads the reset that a token is for, and its user. For a token that confirms an address, address is true.
// VALIDATION_FAILED on token if it is used, expired, replaced or wrong; FORBIDDEN for a new password if nobody signs
// in by password.
func (s *Sessions) OpenReset(ctx context.Context, token string, address bool) (Reset, User, error) {
	var user User
	if err := s.NeedPasswords(); err != nil && !address {
		return Reset{}, user, err
	}
	reset, err := s.Store.Reset(ctx, db.TokenHash(token))
	if err == nil {
		user, err = s.Store.User(ctx, reset.UserID)
	}
	if errors.Is(err, db.ErrNotFound) || err == nil && (address != (reset.Email != "") || !reset.isFor(user, token)) {
		err = errDeadToken
	}
	return reset, user, err
}

// Reset sets a new password with a token from a mail. It ends all sessions and access tokens of the
// user and unlocks the account; the second factor stays. If the password is refused, the token
// stays valid. Errors: VALIDATION_FAILED.
func (s *Sessions) Reset(ctx context.Context, from Client, body map[string]any) error {
	in, p := input.Decode[struct {
		Token    string `json:"token"`
		Password string `json:"password"`
	}](body)
	reset, user, err := s.OpenReset(ctx, in.Token, false)
	if err != nil {
		return err
	}
	checkPassword(p, in.Password, user.Email)
	if err := p.Err(); err != nil {
		return err
	}
	actor := from.Named(user.Email)
	return s.setPassword(ctx, actor, user.ID, in.Password, func(now User, tx *db.Tx) error {
		if !reset.isFor(now, in.Token) {
			return errDeadToken
		}
		deleteReset(tx, db.TokenHash(in.Token))
		return nil
	})
}

// ForcePassword sets a user's password and removes the second factor and passkeys. It is for
// operators with access to the data. NOT_FOUND if there is no such user.
func (s *Sessions) ForcePassword(ctx context.Context, email, password string) error {
	p := cms.Problems{}
	checkPassword(p, password, email)
	if err := p.Err(); err != nil {
		return err
	}
	user, err := s.Store.UserByEmail(ctx, email)
	if err != nil {
		return input.NotFound(err, "user")
	}
	if err := s.setPassword(ctx, cms.Actor{Source: cms.SourceAdmin}, user.ID, password, nil); err != nil {
		return err
	}
	err = s.ResetTOTP(ctx, cms.Actor{Source: cms.SourceAdmin}, user.ID)
	if err == error(errNoTOTP) {
		err = nil
	}
	if err == nil && len(user.Factors.Passkeys) > 0 {
		err = s.RemovePasskeys(ctx, cms.Actor{Source: cms.SourceAdmin}, user.ID, "")
	}
	return err
}

func (s *Sessions) setPassword(ctx context.Context, actor cms.Actor, id, password string,
	check func(User, *db.Tx) error) error {
	hash, err := s.Passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	return s.Store.withUser(ctx, id, func(user User) error {
		tx := s.Store.Begin()
		if check != nil {
			if err := check(user, tx); err != nil {
				return err
			}
		}
		user.Factors.WrongCodes = 0
		user.PasswordHash, user.Epoch, user.Resets, user.UpdatedAt = hash, user.Epoch+1,
			user.Resets+1, tx.At()
		PutFactors(tx, user)
		tx.Audit(actor, "password.reset", "user "+user.Email, user.ID, nil, nil)
		s.Notices.Changed(tx, actor, user.User, cms.Phrased("A new password was set for your account."))
		return s.Store.Commit(ctx, tx)
	})
}

// checkPassword reports a missing password, and one that is refused for the user with an address.
func checkPassword(p cms.Problems, password, email string) {
	p.Require("password", password)
	if len(p["password"]) > 0 {
		return
	}
	if why := passwords.Refusal(password, email); why != "" {
		p.Add("password", "%s", why)
	}
}

// Reset lets the owner of its token set a new password or, if it has a new e-mail address, confirm
// that address.
type Reset struct {
	UserID    string   `json:"user_id"`
	Address   string   `json:"address"` // of the user; a new address makes the token invalid
	Email     string   `json:"email,omitempty"`
	Epoch     int64    `json:"epoch"` // of the user; a new epoch makes the token invalid
	ExpiresAt cms.Time `json:"expires_at"`
}

// isFor reports whether its token is valid for a user as the account is now.
func (r Reset) isFor(user User, token string) bool {
	return user.IsActive && user.Epoch == r.Epoch && user.Email == r.Address &&
		(r.Email == "" || user.EmailToken == db.TokenHash(token))
}

// putReset stores a reset under the hash of its token.
func putReset(t *db.Tx, tokenHash string, v Reset) {
	t.Put(table.Item{Key: resetKey(tokenHash), Body: db.Pack(v), Expires: v.ExpiresAt.Unix()})
}

// deleteReset deletes a used token.
func deleteReset(t *db.Tx, tokenHash string) { t.Delete(resetKey(tokenHash)) }

// Reset reads a reset that has not expired; ErrNotFound if there is none.
func (s *Store) Reset(ctx context.Context, tokenHash string) (Reset, error) {
	v, _, err := db.Read[Reset](ctx, s.DB, resetKey(tokenHash))
	if err == nil && !s.Now().Before(v.ExpiresAt.Time) {
		err = db.ErrNotFound
	}
	return v, err
}
