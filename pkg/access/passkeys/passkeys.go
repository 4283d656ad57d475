package passkeys

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"headless/pkg/access"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/slice"
)

// maxPasskeys is how many passkeys a user may have.
const maxPasskeys = 20

// Passkeys are the passkeys of users.
type Passkeys struct {
	Sessions *access.Sessions
	Party    *Party // nil: the service has no host name, so there are no passkeys
}

// Passkey is a passkey as its user sees it.
type Passkey struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	CreatedAt  cms.Time `json:"created_at"`
	LastUsedAt cms.Time `json:"last_used_at"`
}

var (
	errNoParty = cms.Errorf(cms.CodeConflict, "Passkeys need a host name, and the URL of this service has none.")
	errOff     = cms.Errorf(cms.CodeForbidden, "Sign in with your organization. Other ways to sign in are off.")
	errTooMany = cms.Errorf(cms.CodeConflict, "You have %d passkeys, which is the maximum. Remove one first.",
		maxPasskeys)
	errNoCeremony = cms.Errorf(cms.CodeUnauthorized, "This took too long, or was already done. Try again.")
	errUnknown    = cms.Errorf(cms.CodeUnauthorized, "This passkey is unknown. Use another one, or sign in another way.")
	errCloned     = errors.New("passkeys: the signature counter went back")
)

func (k *Passkeys) store() *access.Store { return k.Sessions.Store }

// checkReady returns an error if passkeys cannot be used.
func (k *Passkeys) checkReady() error {
	switch {
	case k.Sessions.PasswordsOff:
		return errOff
	case k.Party == nil:
		return errNoParty
	}
	return nil
}

// List lists the passkeys of a user; NOT_FOUND if there is no such user.
func (k *Passkeys) List(ctx context.Context, userID string, p db.Paging) (db.Page[Passkey], error) {
	user, err := k.store().User(ctx, userID)
	if err != nil {
		return db.Page[Passkey]{}, input.NotFound(err, "user")
	}
	return db.PageOf(slice.Map(user.Factors.Passkeys, toShown), p), nil
}

func toShown(p access.Passkey) Passkey { return Passkey{p.ID, p.Name, p.CreatedAt, p.LastUsedAt} }

// owner returns a session and its user if they may change passkeys. It refuses access tokens. It
// also refuses a session that lacks the second factor required by the user's role, if the user has
// a passkey to show it with.
func (k *Passkeys) owner(ctx context.Context, token string) (session access.SessionRecord,
	user access.User, err error) {
	if err := k.Sessions.RefuseWeak(ctx, token); err != nil {
		return session, user, err
	}
	session, user, err = k.Sessions.Owner(ctx, token)
	if err == nil && session.Hash == "" {
		err = cms.Errorf(cms.CodeForbidden, "An access token cannot change passkeys. Sign in instead.")
	}
	return session, user, err
}

// Begin starts the registration of a passkey in a session; the options are for the browser
// (WebAuthn, PublicKeyCredentialCreationOptionsJSON). CONFLICT if the user has the maximum number.
func (k *Passkeys) Begin(ctx context.Context, token string) (options any, err error) {
	if err := k.checkReady(); err != nil {
		return nil, err
	}
	_, user, err := k.owner(ctx, token)
	if err != nil {
		return nil, err
	}
	if len(user.Factors.Passkeys) >= maxPasskeys {
		return nil, errTooMany
	}
	options, begun, err := k.Party.register(user)
	if err != nil {
		return nil, err
	}
	return options, k.ceremonies().Put(ctx, toRegister+token, *begun)
}

// Add adds a passkey that a device has made. It counts as the second factor in this session from
// now on. Errors: VALIDATION_FAILED, CONFLICT.
func (k *Passkeys) Add(ctx context.Context, actor cms.Actor, token, name string, answer []byte) (Passkey, error) {
	if err := k.checkReady(); err != nil {
		return Passkey{}, err
	}
	p := cms.Problems{}
	input.CheckName(p, name)
	if len(answer) == 0 {
		p.Add("credential", "is required")
	}
	if err := p.Err(); err != nil {
		return Passkey{}, err
	}
	begun, err := k.takeCeremony(ctx, toRegister+token)
	if err == error(errNoCeremony) {
		return Passkey{}, cms.Problems{"credential": {"took too long, or was already used: try again"}}.Err()
	}
	if err != nil {
		return Passkey{}, err
	}
	var made access.Passkey
	err = k.store().Retry(ctx, func() error {
		session, user, err := k.owner(ctx, token)
		if err != nil {
			return err
		}
		credential, err := k.Party.verifyRegistration(user, begun, answer)
		if err != nil {
			return cms.Problems{"credential": {"is not a passkey for this request"}}.Err()
		}
		if err := k.checkFree(ctx, user, credential); err != nil {
			return err
		}
		tx := k.store().Begin()
		made = access.Passkey{ID: uuid.Must(uuid.NewV7()).String(), Name: name, CreatedAt: tx.At(),
			Credential: credential}
		user.Factors.Passkeys = append(slices.Clone(user.Factors.Passkeys), made)
		access.PutFactors(tx, user)
		session.Passkey = made.ID
		access.PutSession(tx, session)
		tx.Audit(actor, "passkey.added", "user "+user.Email, user.ID, nil, map[string]any{"name": name})
		k.Sessions.Notices.Changed(tx, actor, user.User, cms.Phrased("Added to your account: the passkey {1}.", name))
		return k.store().Commit(ctx, tx)
	})
	return toShown(made), err
}

// checkFree returns an error if a passkey is registered already, or if the user has too many.
func (k *Passkeys) checkFree(ctx context.Context, user access.User, credential access.Credential) error {
	if len(user.Factors.Passkeys) >= maxPasskeys {
		return errTooMany
	}
	users, err := k.store().Users(ctx)
	for _, u := range users.List {
		if slices.ContainsFunc(u.Factors.Passkeys, func(p access.Passkey) bool {
			return string(p.Credential.ID) == string(credential.ID)
		}) {
			return cms.Problems{"credential": {"is already registered"}}.Err()
		}
	}
	return err
}

// Rename gives a passkey of the session's user another name. Errors: VALIDATION_FAILED, NOT_FOUND.
func (k *Passkeys) Rename(ctx context.Context, token, id, name string) (Passkey, error) {
	p := cms.Problems{}
	if input.CheckName(p, name); len(p) > 0 {
		return Passkey{}, p.Err()
	}
	var renamed access.Passkey
	err := k.store().Retry(ctx, func() error {
		_, user, err := k.owner(ctx, token)
		if err != nil {
			return err
		}
		at := user.Factors.PasskeyAt(id)
		if at < 0 {
			return input.NotFound(db.ErrNotFound, "passkey")
		}
		user.Factors.Passkeys = slices.Clone(user.Factors.Passkeys)
		user.Factors.Passkeys[at].Name = name
		renamed = user.Factors.Passkeys[at]
		tx := k.store().Begin()
		access.PutFactors(tx, user)
		return k.store().Commit(ctx, tx)
	})
	return toShown(renamed), err
}

// Remove removes a passkey of the session's user; NOT_FOUND if there is none.
func (k *Passkeys) Remove(ctx context.Context, actor cms.Actor, token, id string) error {
	_, user, err := k.owner(ctx, token)
	if err != nil {
		return err
	}
	if id == "" {
		return input.NotFound(db.ErrNotFound, "passkey")
	}
	return k.Sessions.RemovePasskeys(ctx, actor, user.ID, id)
}

// ceremonyTime is how long a user has for a ceremony.
const ceremonyTime = 5 * time.Minute

// Purposes of a ceremony. They are prefixes of the session or browser token that it is bound to.
const (
	toRegister = "register\n"
	toSignIn   = "sign in\n"
	toConfirm  = "confirm\n"
)

// ceremonies keeps each until it ends, for the session or browser that it is bound to.
func (k *Passkeys) ceremonies() db.Handed[ceremony] {
	return db.Handed[ceremony]{DB: k.store().DB, Kind: "ceremony", For: ceremonyTime}
}

// takeCeremony reads and deletes a ceremony, so that it is used once even if it fails; errNoCeremony if
// there is none.
func (k *Passkeys) takeCeremony(ctx context.Context, to string) (ceremony, error) {
	begun, err := k.ceremonies().Take(ctx, to)
	return begun, db.Missing(err, errNoCeremony)
}
