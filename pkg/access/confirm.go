package access

import (
	"cmp"
	"context"
	"errors"
	"time"

	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/table"
)

// ConfirmTime is how long a sign-in or a confirmation permits sensitive changes: of keys, users,
// roles and the secrets of webhooks.
const ConfirmTime = time.Hour

var errTokenConfirms = cms.Errorf(cms.CodeForbidden, "Access tokens need no confirmation.")

// LastProof is when the session's user last proved their identity: by the sign-in or a confirmation. It is zero for an
// access token, which needs no confirmation.
func (r SessionRecord) LastProof() cms.Time {
	if r.Hash == "" {
		return cms.Time{}
	}
	at := r.CreatedAt
	if !r.ProvenAt.IsZero() && r.ProvenAt.Before(at.Time) {
		at = r.ProvenAt
	}
	if at.Before(r.ConfirmedAt.Time) {
		at = r.ConfirmedAt
	}
	return at
}

// confirmedUntil is when the session's user must confirm their identity again.
func (r SessionRecord) confirmedUntil() cms.Time {
	if at := r.LastProof(); !at.IsZero() {
		return cms.At(at.Add(ConfirmTime))
	}
	return cms.Time{}
}

// ConfirmByPassword confirms a session. The body has the user's password, or a code of the
// authenticator app. Errors: VALIDATION_FAILED for a wrong one, RATE_LIMITED after too many
// attempts.
func (s *Sessions) ConfirmByPassword(ctx context.Context, actor cms.Actor, token string,
	body map[string]any) (until cms.Time, err error) {
	in, p := input.Decode[struct {
		Password string `json:"password"`
		Code     string `json:"code"`
	}](body)
	password, code := in.Password, in.Code
	if password == "" && code == "" && len(p) == 0 {
		p.Add("password", "is required, unless you send a code")
	}
	if err := p.Err(); err != nil {
		return cms.Time{}, err
	}
	if code == "" {
		release, err := s.Passwords.Slot(ctx)
		if err != nil {
			return cms.Time{}, err
		}
		defer release()
	}
	return s.Confirm(ctx, actor, token, func(_ *SessionRecord, user *User) error {
		if code == "" {
			right, err := s.Passwords.Matches(password, user.PasswordHash)
			if err == nil && !right {
				err = cms.Problems{"password": {"is wrong"}}.Err()
			}
			return err
		}
		if right, err := s.useCode(user, code); !right {
			return cmp.Or(err, errWrongCode())
		}
		return nil
	})
}

// Confirm records that the session's user has confirmed their identity, and returns how long that
// counts. check verifies the proof, and may change the session and the user's factors.
func (s *Sessions) Confirm(ctx context.Context, actor cms.Actor, token string,
	check func(*SessionRecord, *User) error) (until cms.Time, err error) {
	err = s.attempt(ctx, token, func(session SessionRecord, user User) error {
		if session.Hash == "" {
			return errTokenConfirms
		}
		if err := check(&session, &user); err != nil {
			return err
		}
		tx := s.Store.Begin()
		session.ConfirmedAt = tx.At()
		PutSession(tx, session)
		PutFactors(tx, user)
		tx.Audit(actor, "session.confirmed", "user "+user.Email, user.ID, nil, nil)
		until = session.confirmedUntil()
		return s.Store.Commit(ctx, tx)
	})
	return until, err
}

// attempt makes a change that needs a proof of the session's user. It counts as an attempt; after a change the count is
// cleared.
func (s *Sessions) attempt(ctx context.Context, token string, change func(SessionRecord, User) error) error {
	_, user, err := s.Owner(ctx, token)
	if err != nil {
		return err
	}
	try, err := s.Tries().Session(ctx, token, user.ID)
	if err != nil {
		return err
	}
	err = s.Store.Retry(ctx, func() error {
		session, user, err := s.Owner(ctx, token)
		if err != nil {
			return err
		}
		return change(session, user)
	})
	switch {
	case err == nil:
		err = s.Tries().ClearSession(ctx, try)
	case errors.Is(err, table.ErrUnavailable):
		_ = s.Tries().TakeBack(ctx, try) // err already has the cause
	}
	return err
}
