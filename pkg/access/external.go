package access

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// External is the identity of a user at an OpenID Connect provider.
type External struct {
	Issuer, Subject string
	Email           string
	Verified        bool // the provider has verified the address
	Name            string
	Role            cms.UserRole // "" if the provider names none
}

var (
	errNoRole     = cms.Errorf(cms.CodeForbidden, "Your organization has not given you a role here.")
	errNoIdentity = cms.Errorf(cms.CodeForbidden,
		"Your organization's sign-in service did not send a verified e-mail address.")
	errOtherUser = cms.Errorf(cms.CodeForbidden,
		"This e-mail address belongs to an account that signs in another way.")
	errInactive = cms.Errorf(cms.CodeForbidden, "Your account is not active.")
)

// SignInExternal signs in a user whom a provider has identified (extensions §11). It finds the
// account by issuer and subject, or the first time by a verified address. If there is no account,
// it creates one. The account gets the role that the provider names. Errors: FORBIDDEN without a
// role or a verified address, or for an account that is not active; CONFLICT if no active admin
// would be left.
func (s *Sessions) SignInExternal(ctx context.Context, from Client, who External) (Session, error) {
	var signed User
	err := s.Store.Retry(ctx, func() error {
		users, err := s.Store.Users(ctx)
		if err != nil {
			return err
		}
		user, found := users.external(who)
		if err := s.mayEnter(ctx, user, found, who); err != nil {
			signed = user
			return err
		}
		signed, err = s.putExternal(ctx, from, users, user, found, who)
		return err
	})
	if refused := (*cms.Error)(nil); errors.As(err, &refused) && refused.Code == cms.CodeForbidden {
		return Session{}, s.Failed(ctx, from, signed, err)
	}
	if err != nil {
		return Session{}, err
	}
	return s.Open(ctx, from, signed, SignInWith{Strong: true})
}

// external finds the user with an identity, or else the user with its verified address.
func (l UserList) external(who External) (user User, found bool) {
	for _, u := range l.List {
		if u.Factors.Issuer == who.Issuer && u.Factors.Subject == who.Subject {
			return u, true
		}
		if who.Verified && strings.EqualFold(u.Email, who.Email) {
			user, found = u, true
		}
	}
	return user, found
}

// mayEnter returns an error if the identity may not sign in.
func (s *Sessions) mayEnter(ctx context.Context, user User, found bool, who External) error {
	known := found && user.Factors.Issuer == who.Issuer && user.Factors.Subject == who.Subject
	switch {
	case who.Role == "":
		return errNoRole
	case !known && (!who.Verified || !cms.ValidEmail(who.Email)):
		return errNoIdentity
	case found && !known && user.Factors.Issuer != "":
		return errOtherUser
	case found && !user.IsActive:
		return errInactive
	}
	_, err := s.Store.Role(ctx, who.Role)
	if errors.Is(err, db.ErrNotFound) {
		return errNoRole
	}
	return err
}

// putExternal creates the account of an identity, or updates the account that was found.
func (s *Sessions) putExternal(ctx context.Context, from Client, users UserList, user User,
	found bool, who External) (User, error) {
	actor := from.Named(who.Email)
	if !found {
		now := s.Store.Now()
		user = User{User: cms.NewUser()}
		user.ID, user.CreatedAt, user.UpdatedAt = uuid.NewString(), now, now
		user.Email, user.Name, user.Role = who.Email, clip(who.Name, 200), who.Role
		user.Factors.Issuer, user.Factors.Subject = who.Issuer, who.Subject
		return user, s.users().commitNew(ctx, actor, users, user, func(*db.Tx) {})
	}
	if user.Factors.Issuer != "" && user.Role == who.Role {
		return user, nil
	}
	was := user.User
	actor.Name = user.Email
	user.Role, user.Factors.Issuer, user.Factors.Subject = who.Role, who.Issuer, who.Subject
	if err := keepsAdmin(users, user); err != nil {
		return user, err
	}
	tx := s.Store.Begin()
	user.UpdatedAt = tx.At()
	PutUser(tx, users, user, errEmailTaken)
	tx.Audit(actor, "user.updated", "user "+user.Email, user.ID, shownChange(was), shownChange(user.User))
	return user, s.Store.Commit(ctx, tx)
}
