package passkeys

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"headless/pkg/access"
	"headless/pkg/access/tries"
	"headless/pkg/cms"
	"headless/pkg/db"
)

// The limit of challenges for a network (extensions §11).
const (
	askLimit  = 60
	askWindow = 5 * time.Minute
)

// Ask starts a sign-in by passkey. The options are for the browser (WebAuthn,
// PublicKeyCredentialRequestOptionsJSON). browser is the value of a cookie that the response to the
// challenge must carry. RATE_LIMITED after too many challenges for a network.
func (k *Passkeys) Ask(ctx context.Context, from access.Client) (options any, browser string, err error) {
	if err := k.checkReady(); err != nil {
		return nil, "", err
	}
	ok, err := k.Sessions.Tries().Network(ctx, "passkey options", from.Network(), askLimit, askWindow)
	if err != nil {
		return nil, "", err
	}
	if !ok {
		return nil, "", &cms.Error{Code: cms.CodeRateLimited, RetryAfter: askWindow, Limit: askLimit,
			Message: "Too many sign-ins by passkey were started from your network. Try again in 5 minutes."}
	}
	options, begun, err := k.Party.beginSignIn()
	if err != nil {
		return nil, "", err
	}
	browser = db.RandomToken()
	return options, browser, k.ceremonies().Put(ctx, toSignIn+browser, *begun)
}

// SignIn signs in the user of the passkey that signed the challenge; it counts as both factors.
// Errors: UNAUTHORIZED for an unknown passkey, a wrong signature, and a challenge that was used or
// made for another browser; RATE_LIMITED after too many attempts with a passkey or from a network.
func (k *Passkeys) SignIn(ctx context.Context, from access.Client, browser string,
	answer []byte) (access.Session, error) {
	if err := k.checkReady(); err != nil {
		return access.Session{}, err
	}
	who := userOf(answer)
	if uuid.Validate(who) != nil {
		who = ""
	}
	try, err := k.Sessions.Tries().Passkey(ctx, tries.Who{UserID: who, Network: from.Network(),
		Browser: from.Browser}, credentialOf(answer))
	if err != nil {
		return access.Session{}, err
	}
	begun, err := k.takeCeremony(ctx, toSignIn+browser)
	if err != nil {
		return access.Session{}, err
	}
	var session access.Session
	err = k.store().Retry(ctx, func() error {
		user, used, err := k.useCredential(ctx, begun, who, answer)
		if err != nil {
			if errors.Is(err, errUnknown) {
				err = k.Sessions.Failed(ctx, from, user, tries.Try{}, err)
			}
			return err
		}
		session, err = k.Sessions.Open(ctx, from, user, access.SignInWith{Try: try, Passkey: used, Factors: true})
		return err
	})
	return session, err
}

// useCredential verifies the response of a user's passkey. It returns the user with the passkey's new counter
// and time of use. The error is errUnknown for any fault of the response.
func (k *Passkeys) useCredential(ctx context.Context, begun ceremony, userID string,
	answer []byte) (user access.User, id string, err error) {
	if uuid.Validate(userID) != nil {
		return user, "", errUnknown
	}
	user, err = k.store().User(ctx, userID)
	if err != nil {
		return user, "", db.Missing(err, errUnknown)
	}
	at, credential, err := k.Party.verifyAnswer(user, begun, answer)
	if err != nil || !user.IsActive {
		return user, "", errUnknown
	}
	user.Factors.Passkeys = slices.Clone(user.Factors.Passkeys)
	used := &user.Factors.Passkeys[at]
	used.Credential.SignCount, used.Credential.Flags = credential.SignCount, credential.Flags
	used.LastUsedAt = k.store().Now()
	return user, used.ID, nil
}

// AskAgain starts the confirmation of a session by a passkey.
func (k *Passkeys) AskAgain(ctx context.Context, token string) (options any, err error) {
	if err := k.checkReady(); err != nil {
		return nil, err
	}
	options, begun, err := k.Party.beginSignIn()
	if err != nil {
		return nil, err
	}
	return options, k.ceremonies().Put(ctx, toConfirm+token, *begun)
}

// Confirm confirms a session by a passkey of its user. The passkey counts as the second factor in
// it from now on. VALIDATION_FAILED for any fault of the response.
func (k *Passkeys) Confirm(ctx context.Context, actor cms.Actor, token string, answer []byte) (cms.Time, error) {
	if err := k.checkReady(); err != nil {
		return cms.Time{}, err
	}
	begun, err := k.takeCeremony(ctx, toConfirm+token)
	if err == error(errNoCeremony) {
		return cms.Time{}, cms.Problems{"credential": {"took too long, or was already used: try again"}}.Err()
	}
	if err != nil {
		return cms.Time{}, err
	}
	return k.Sessions.Confirm(ctx, actor, token, func(session *access.SessionRecord, user *access.User) error {
		fresh, used, err := k.useCredential(ctx, begun, user.ID, answer)
		if errors.Is(err, errUnknown) {
			return cms.Problems{"credential": {"is not one of your passkeys"}}.Err()
		}
		*user, session.Passkey = fresh, used
		return err
	})
}
