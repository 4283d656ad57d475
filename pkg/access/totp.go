package access

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"headless/pkg/access/otp"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// recoveryCodes is how many recovery codes a user gets.
const recoveryCodes = 10

// useCode marks a code of the user's authenticator app, or a recovery code, as used; ok is false if
// the code is wrong. The caller must commit the changed factors. An unreadable secret is an error,
// not a wrong code.
func (s *Sessions) useCode(user *User, code string) (ok bool, err error) {
	code = strings.ToLower(strings.NewReplacer(" ", "", "-", "").Replace(code))
	if user.Factors.TOTP == nil {
		return false, nil
	}
	if i := slices.Index(user.Factors.Recovery, db.TokenHash(code)); i >= 0 {
		user.Factors.Recovery = slices.Delete(slices.Clone(user.Factors.Recovery), i, i+1)
		return true, nil
	}
	secret, err := s.Store.Unseal(user.Factors.TOTP)
	if err != nil {
		return false, err
	}
	if step, ok := otp.Matches(secret, code, s.Store.Now().Time, user.Factors.LastStep); ok {
		user.Factors.LastStep = step
		return true, nil
	}
	return false, nil
}

// TOTPSetup is a new secret for an authenticator app, shown once.
type TOTPSetup struct {
	Secret string `json:"secret"`
	URI    string `json:"uri"` // for a QR code
}

var (
	errHasTOTP = cms.Errorf(cms.CodeConflict, "You already have a second factor. Remove it first.")
	// ErrWeak is for users whose role requires a second factor, who have passkeys but signed in by
	// password alone.
	ErrWeak = cms.Errorf(cms.CodeTOTPRequired,
		"You signed in by password alone. Confirm with one of your passkeys at /admin/confirm first.")
	errNoTOTP      = cms.Errorf(cms.CodeNotFound, "There is no second factor.")
	errNoTOTPSetup = cms.Errorf(cms.CodeConflict, "Ask for a secret first.")
)

// RefuseWeak returns ErrWeak for the session of a user whose role requires a second factor, and who has passkeys, if it
// was opened by a password alone: who has only the password must not take the account over.
func (s *Sessions) RefuseWeak(ctx context.Context, token string) error {
	who, err := s.Identify(ctx, token)
	if err == nil && who.NeedsFactor && who.HasPasskeys {
		err = ErrWeak
	}
	return err
}

// StartTOTP makes a secret for an authenticator app; it counts after it is confirmed. Errors:
// VALIDATION_FAILED for a wrong password, CONFLICT if there is a second factor already.
func (s *Sessions) StartTOTP(ctx context.Context, token string, body map[string]any) (TOTPSetup, error) {
	in, p := input.Decode[struct {
		Password string `json:"password"`
	}](body)
	_, user, err := s.Owner(ctx, token)
	if err != nil {
		return TOTPSetup{}, err
	}
	p.Require("password", in.Password)
	if err := p.Err(); err != nil {
		return TOTPSetup{}, err
	}
	if err := s.RefuseWeak(ctx, token); err != nil {
		return TOTPSetup{}, err
	}
	right, err := s.confirm(ctx, token, user, in.Password)
	if err != nil {
		return TOTPSetup{}, err
	}
	if !right {
		return TOTPSetup{}, cms.Problems{"password": {"is wrong"}}.Err()
	}
	secret := otp.NewSecret()
	sealed, err := s.Store.Seal(secret)
	if err != nil {
		return TOTPSetup{}, err
	}
	err = s.Store.Retry(ctx, func() error {
		if _, user, err = s.Owner(ctx, token); err != nil {
			return err
		}
		if user.Factors.TOTP != nil {
			return errHasTOTP
		}
		user.Factors.Pending = sealed
		tx := s.Store.Begin()
		PutFactors(tx, user)
		return s.Store.Commit(ctx, tx)
	})
	return TOTPSetup{otp.Text(secret), otp.URI(user.Email, secret)}, err
}

// ConfirmTOTP turns the second factor on, given a code of the app, and returns the recovery codes,
// which are shown once. The user's other sessions stay valid. Errors: VALIDATION_FAILED for a wrong
// code, CONFLICT if no secret was requested.
func (s *Sessions) ConfirmTOTP(ctx context.Context, actor cms.Actor, token string,
	body map[string]any) ([]string, error) {
	code, err := codeIn(body)
	if err != nil {
		return nil, err
	}
	var codes []string
	err = s.changeFactors(ctx, token, func(user *User) error {
		if user.Factors.Pending == nil {
			return errNoTOTPSetup
		}
		secret, err := s.Store.Unseal(user.Factors.Pending)
		if err != nil {
			return err
		}
		step, ok := otp.Matches(secret, strings.ReplaceAll(code, " ", ""), s.Store.Now().Time, 0)
		if !ok {
			return errWrongCode()
		}
		user.Factors.TOTP, user.Factors.Pending, user.Factors.LastStep = user.Factors.Pending, nil, step
		codes = user.Factors.renewCodes()
		return nil
	}, actor, "totp.enabled", cms.Phrased("A second factor was set up for your account."))
	return codes, err
}

// renewCodes gives a user new recovery codes in place of the former ones, and returns them as people read them.
func (f *Factors) renewCodes() (codes []string) {
	f.Recovery = nil
	for range recoveryCodes {
		plain, shown := otp.NewRecoveryCode()
		codes = append(codes, shown)
		f.Recovery = append(f.Recovery, db.TokenHash(plain))
	}
	return codes
}

// RenewRecoveryCodes makes new recovery codes, given a code of the app or a recovery code, and returns them, which are
// shown once. The former ones end. Errors: NOT_FOUND, VALIDATION_FAILED for a wrong code.
func (s *Sessions) RenewRecoveryCodes(ctx context.Context, actor cms.Actor, token string,
	body map[string]any) (codes []string, err error) {
	err = s.changeTOTP(ctx, token, body, func(f *Factors) { codes = f.renewCodes() },
		actor, "totp.codes_renewed", cms.Phrased("Your account got new recovery codes. The former ones no longer work."))
	return codes, err
}

// RemoveTOTP turns the second factor off, given a code of the app or a recovery code. Errors:
// NOT_FOUND, VALIDATION_FAILED for a wrong code.
func (s *Sessions) RemoveTOTP(ctx context.Context, actor cms.Actor, token string, body map[string]any) error {
	return s.changeTOTP(ctx, token, body, func(f *Factors) { *f = f.withoutTOTP() },
		actor, "totp.disabled", cms.Phrased("The second factor of your account was removed."))
}

// changeTOTP changes the factors of a user who has a second factor and sends a code of it.
func (s *Sessions) changeTOTP(ctx context.Context, token string, body map[string]any, change func(*Factors),
	actor cms.Actor, event string, notice cms.Phrase) error {
	code, err := codeIn(body)
	if err != nil {
		return err
	}
	return s.changeFactors(ctx, token, func(user *User) error {
		if user.Factors.TOTP == nil {
			return errNoTOTP
		}
		if ok, err := s.useCode(user, code); !ok {
			return cmp.Or(err, errWrongCode())
		}
		change(&user.Factors)
		return nil
	}, actor, event, notice)
}

// ResetTOTP turns the second factor of a user off, for admins. NOT_FOUND if there is none.
func (s *Sessions) ResetTOTP(ctx context.Context, actor cms.Actor, userID string) error {
	return s.Store.withUser(ctx, userID, func(user User) error {
		if user.Factors.TOTP == nil {
			return errNoTOTP
		}
		user.Factors = user.Factors.withoutTOTP()
		return s.saveFactors(ctx, actor, user, "totp.disabled",
			cms.Phrased("An admin removed the second factor of your account."))
	})
}

func errWrongCode() error { return cms.Problems{"code": {"is wrong"}}.Err() }

// codeIn reads a body with a code.
func codeIn(body map[string]any) (string, error) {
	in, p := input.Decode[struct {
		Code string `json:"code"`
	}](body)
	p.Require("code", in.Code)
	return in.Code, p.Err()
}

// changeFactors changes the factors of the session's user, as an attempt.
func (s *Sessions) changeFactors(ctx context.Context, token string, change func(*User) error,
	actor cms.Actor, event string, notice cms.Phrase) error {
	return s.attempt(ctx, token, func(_ SessionRecord, user User) error {
		if err := change(&user); err != nil {
			return err
		}
		return s.saveFactors(ctx, actor, user, event, notice)
	})
}

func (s *Sessions) saveFactors(ctx context.Context, actor cms.Actor, user User, event string, notice cms.Phrase) error {
	tx := s.Store.Begin()
	PutFactors(tx, user)
	tx.Audit(actor, event, "user "+user.Email, user.ID, nil, nil)
	s.Notices.Changed(tx, actor, user.User, notice)
	return s.Store.Commit(ctx, tx)
}
