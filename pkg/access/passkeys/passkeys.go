package passkeys

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/access"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// most is how many passkeys a user may have.
const most = 20

// Passkeys are the passkeys of users.
type Passkeys struct {
	Sessions *access.Sessions
	Party    *Party // nil: the service has no name, so there are none
}

// Passkey is a passkey as its user sees it.
type Passkey struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	CreatedAt  cms.Time `json:"created_at"`
	LastUsedAt cms.Time `json:"last_used_at"`
}

var (
	errNoParty = cms.Errorf(cms.CodeConflict,
		"Passkeys need an address with a name: the service has none.")
	errOff = cms.Errorf(cms.CodeForbidden,
		"Sign in by your organization: other ways to sign in are off.")
	errTooMany = cms.Errorf(cms.CodeConflict, "You have %d passkeys, as many as are allowed: remove one.",
		most)
	errNoCeremony = cms.Errorf(cms.CodeUnauthorized, "This took too long, or was done already. Try again.")
	errUnknown    = cms.Errorf(cms.CodeUnauthorized, "This passkey is not known here.")
	errCloned     = errors.New("passkeys: the counter went back")
)

func (k *Passkeys) store() *access.Store { return k.Sessions.Store }

// ready refuses ceremonies where they are not possible.
func (k *Passkeys) ready() error {
	switch {
	case k.Sessions.PasswordsOff:
		return errOff
	case k.Party == nil:
		return errNoParty
	}
	return nil
}

// List lists the passkeys of a user; NOT_FOUND without such a user.
func (k *Passkeys) List(ctx context.Context, userID string, p db.Paging) (db.Page[Passkey], error) {
	user, err := k.store().User(ctx, userID)
	if err != nil {
		return db.Page[Passkey]{}, input.NotFound(err, "user")
	}
	list := make([]Passkey, len(user.Factors.Passkeys))
	for i, p := range user.Factors.Passkeys {
		list[i] = shown(p)
	}
	return db.PageOf(list, p), nil
}

func shown(p access.Passkey) Passkey { return Passkey{p.ID, p.Name, p.CreatedAt, p.LastUsedAt} }

// owner is the user of a session that may change passkeys. Access tokens may not, and neither may a
// session that has not shown the second factor which the user's role requires, once there is one.
func (k *Passkeys) owner(ctx context.Context, token string) (session access.SessionRecord,
	user access.User, err error) {
	who, err := k.Sessions.Identify(ctx, token)
	if err != nil {
		return session, user, err
	}
	if session, user, err = k.Sessions.Owner(ctx, token); err != nil {
		return session, user, input.NotFound(err, "session")
	}
	switch {
	case session.Hash == "":
		err = cms.Errorf(cms.CodeForbidden, "Access tokens cannot change passkeys: sign in.")
	case who.NeedsFactor && len(user.Factors.Passkeys) > 0:
		err = access.ErrWeak
	}
	return session, user, err
}

// Begin begins the registration of a passkey in a session; the options are for the browser
// (WebAuthn, PublicKeyCredentialCreationOptionsJSON). CONFLICT where the user has enough of them.
func (k *Passkeys) Begin(ctx context.Context, token string) (options any, err error) {
	if err := k.ready(); err != nil {
		return nil, err
	}
	_, user, err := k.owner(ctx, token)
	if err != nil {
		return nil, err
	}
	if len(user.Factors.Passkeys) >= most {
		return nil, errTooMany
	}
	options, begun, err := k.Party.register(user)
	if err != nil {
		return nil, err
	}
	return options, k.keep(ctx, toRegister+token, begun)
}

// Add adds the passkey that a device has made; from now on it counts in this session. Errors:
// VALIDATION_FAILED, CONFLICT.
func (k *Passkeys) Add(ctx context.Context, actor cms.Actor, token, name string,
	answer []byte) (Passkey, error) {
	if err := k.ready(); err != nil {
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
	begun, err := k.take(ctx, toRegister+token)
	if err == error(errNoCeremony) {
		return Passkey{}, cms.Problems{"credential": {"took too long, or was used already: try again"}}.Err()
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
		credential, err := k.Party.registered(user, begun, answer)
		if err != nil {
			return cms.Problems{"credential": {"is not a passkey for this request"}}.Err()
		}
		if err := k.free(ctx, user, credential); err != nil {
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
		k.Sessions.Notices.Changed(tx, actor, user.Email, "Added to your account: the passkey "+name+".")
		return k.store().Commit(ctx, tx)
	})
	return shown(made), err
}

// free refuses a passkey that somebody has already, or one too many.
func (k *Passkeys) free(ctx context.Context, user access.User, credential access.Credential) error {
	if len(user.Factors.Passkeys) >= most {
		return errTooMany
	}
	users, err := k.store().Users(ctx)
	for _, u := range users.List {
		if slices.ContainsFunc(u.Factors.Passkeys, func(p access.Passkey) bool {
			return string(p.Credential.ID) == string(credential.ID)
		}) {
			return cms.Problems{"credential": {"is a passkey that is known already"}}.Err()
		}
	}
	return err
}

// Rename gives a passkey of the user of a session another name. Errors: VALIDATION_FAILED,
// NOT_FOUND.
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
	return shown(renamed), err
}

// Remove removes a passkey of the user of a session; NOT_FOUND where there is none.
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
