package passkeys

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/access"
	"headless/pkg/cms"
	"headless/pkg/db"
)

// Ask begins a sign-in by passkey. The options are for the browser (WebAuthn,
// PublicKeyCredentialRequestOptionsJSON), and browser is what its cookie is to hold until the
// answer.
func (k *Passkeys) Ask(ctx context.Context) (options any, browser string, err error) {
	if err := k.ready(); err != nil {
		return nil, "", err
	}
	options, begun, err := k.Party.ask()
	if err != nil {
		return nil, "", err
	}
	browser = db.RandomToken()
	return options, browser, k.keep(ctx, toSignIn+browser, begun)
}

// SignIn signs in whose passkey has answered; it counts as both factors. UNAUTHORIZED for an
// unknown passkey, a wrong signature, and a challenge that this browser did not get, or that was
// used; RATE_LIMITED after too many of those from an address.
func (k *Passkeys) SignIn(ctx context.Context, from access.Client, browser string,
	answer []byte) (access.Session, error) {
	if err := k.ready(); err != nil {
		return access.Session{}, err
	}
	try, err := k.Sessions.Tries().Address(ctx, from.Address)
	if err != nil {
		return access.Session{}, err
	}
	begun, err := k.take(ctx, toSignIn+browser)
	if err != nil {
		return access.Session{}, err
	}
	var session access.Session
	err = k.store().Retry(ctx, func() error {
		user, used, err := k.use(ctx, begun, userOf(answer), answer)
		if err != nil {
			if errors.Is(err, errUnknown) {
				err = k.Sessions.Failed(ctx, from, user, err)
			}
			return err
		}
		session, err = k.Sessions.Open(ctx, from, user, access.SignInWith{Try: try, Passkey: used,
			Factors: true})
		return err
	})
	return session, err
}

// use checks the answer of a passkey of a user, and returns the user with the passkey as used now.
// Any fault of the answer is errUnknown.
func (k *Passkeys) use(ctx context.Context, begun ceremony, userID string,
	answer []byte) (user access.User, id string, err error) {
	if uuid.Validate(userID) != nil {
		return user, "", errUnknown
	}
	user, err = k.store().User(ctx, userID)
	if errors.Is(err, db.ErrNotFound) {
		return access.User{}, "", errUnknown
	}
	if err != nil {
		return user, "", err
	}
	at, credential, err := k.Party.answered(user, begun, answer)
	if err != nil || !user.IsActive {
		return user, "", errUnknown
	}
	user.Factors.Passkeys = slices.Clone(user.Factors.Passkeys)
	used := &user.Factors.Passkeys[at]
	used.Credential.SignCount, used.Credential.Flags = credential.SignCount, credential.Flags
	used.LastUsedAt = k.store().Now()
	return user, used.ID, nil
}

// AskAgain begins the confirmation of a session by a passkey.
func (k *Passkeys) AskAgain(ctx context.Context, token string) (options any, err error) {
	if err := k.ready(); err != nil {
		return nil, err
	}
	options, begun, err := k.Party.ask()
	if err != nil {
		return nil, err
	}
	return options, k.keep(ctx, toConfirm+token, begun)
}

// Confirm confirms a session by a passkey of its user, which counts in it from now on.
// VALIDATION_FAILED for any fault of the answer.
func (k *Passkeys) Confirm(ctx context.Context, actor cms.Actor, token string, answer []byte) (cms.Time,
	error) {
	if err := k.ready(); err != nil {
		return cms.Time{}, err
	}
	begun, err := k.take(ctx, toConfirm+token)
	if err == error(errNoCeremony) {
		return cms.Time{}, cms.Problems{"credential": {"took too long, or was used already: try again"}}.Err()
	}
	if err != nil {
		return cms.Time{}, err
	}
	return k.Sessions.Confirm(ctx, actor, token, func(session *access.SessionRecord,
		user *access.User) error {
		fresh, used, err := k.use(ctx, begun, user.ID, answer)
		if errors.Is(err, errUnknown) {
			return cms.Problems{"credential": {"is none of your passkeys"}}.Err()
		}
		*user, session.Passkey = fresh, used
		return err
	})
}
