package device

import (
	"context"

	"headless/pkg/access"
	"headless/pkg/cms"
	"headless/pkg/db"
)

// Program is a program that waits for a decision, as its user sees it.
type Program struct {
	UserCode  string   `json:"user_code"`
	Name      string   `json:"name"`
	Address   string   `json:"address"`
	CreatedAt cms.Time `json:"created_at"`
	ExpiresAt cms.Time `json:"expires_at"`
}

// Find returns the program that shows a user code, for the user of a session. Errors:
// VALIDATION_FAILED for a wrong code, RATE_LIMITED after 10 of them in 10 minutes, FORBIDDEN for an
// access token.
func (l Logins) Find(ctx context.Context, token, code string) (Program, error) {
	_, user, err := l.owner(ctx, token)
	if err != nil {
		return Program{}, err
	}
	v, err := l.findByCode(ctx, user.ID, code)
	if err != nil {
		return Program{}, err
	}
	code, _ = userCode(code)
	return Program{code, v.Name, v.Address, v.CreatedAt, v.ExpiresAt}, nil
}

// Decide approves or denies the program that shows a user code, in the name of the user of a
// session. Errors as of Find.
func (l Logins) Decide(ctx context.Context, actor cms.Actor, token, code string, approve bool) error {
	return l.store().Retry(ctx, func() error {
		session, user, err := l.owner(ctx, token)
		if err != nil {
			return err
		}
		v, err := l.findByCode(ctx, user.ID, code)
		if err != nil {
			return err
		}
		event := "device.denied"
		v.Decision, v.UserID = denied, user.ID
		if approve {
			event, v.Decision = "device.approved", approved
			v.Epoch, v.Strong, v.Passkey, v.ProvenAt = user.Epoch, session.Strong, session.Passkey, session.LastProof()
		}
		tx := l.store().Begin()
		replaceLogin(tx, v)
		tx.Take(userCodeKey(v.CodeHash), db.ErrOvertaken)
		tx.Audit(actor, event, "user "+user.Email, user.ID, nil, map[string]any{"name": v.Name, "address": v.Address})
		return l.store().Commit(ctx, tx)
	})
}

// owner returns a session and its user; it refuses access tokens.
func (l Logins) owner(ctx context.Context, token string) (access.SessionRecord, access.User, error) {
	session, user, err := l.Sessions.Owner(ctx, token)
	if err == nil && session.Hash == "" {
		err = errByToken
	}
	return session, user, err
}

// findByCode returns the login of a user code. Each try counts as wrong before the code is looked up, so
// that parallel tries cannot exceed the limit.
func (l Logins) findByCode(ctx context.Context, userID, typed string) (login, error) {
	if typed == "" {
		return login{}, cms.Problems{"user_code": {"is required"}}.Err()
	}
	if ok, err := l.countLogins(ctx, userID, 1); err != nil || !ok {
		if err == nil {
			err = &cms.Error{Code: cms.CodeRateLimited, RetryAfter: lifetime, Limit: codeLimit,
				Message: "Too many wrong codes. Try again in 10 minutes."}
		}
		return login{}, err
	}
	code, ok := userCode(typed)
	if !ok {
		return login{}, errCode
	}
	v, err := byUserCode(ctx, l.store().DB, code)
	if isUnknown(err) {
		return login{}, errCode
	}
	if err == nil {
		_, err = l.countLogins(ctx, userID, -1)
	}
	return v, err
}

func (l Logins) countLogins(ctx context.Context, userID string, n int64) (ok bool, err error) {
	return l.Sessions.Tries().User(ctx, "device codes", userID, n, codeLimit, lifetime)
}
