package access

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/access/tries"
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
	SignedIn        cms.Time     // when the user last entered a password there; zero if unknown
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
// account by issuer and subject, or the first time by a verified address, which ends the password,
// factors, sessions and access tokens that the account had. If there is no account, it creates one.
// The account gets the role and the address that the provider names; without a role, its sessions
// and access tokens end. Errors: FORBIDDEN without a role or a verified address, or for an account
// that is not active; CONFLICT if no active admin would be left.
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
			if err == error(errNoRole) && found && user.isExternal(who) {
				return cmp.Or(s.endAccess(ctx, from, user), err)
			}
			return err
		}
		signed, err = s.putExternal(ctx, from, users, user, found, who)
		return err
	})
	if cms.CodeOf(err) == cms.CodeForbidden {
		return Session{}, s.Failed(ctx, from, signed, tries.Try{}, err)
	}
	if err != nil {
		return Session{}, err
	}
	return s.Open(ctx, from, signed, SignInWith{Strong: true, At: who.SignedIn})
}

// endAccess ends the sessions and access tokens of a user.
func (s *Sessions) endAccess(ctx context.Context, from Client, user User) error {
	user.Epoch++
	user.Resets++
	tx := s.Store.Begin()
	PutFactors(tx, user)
	tx.Audit(from.Named(user.Email), "session.ended", "user "+user.Email, user.ID, nil, nil)
	return s.Store.Commit(ctx, tx)
}

// isExternal reports whether the account is linked to an identity.
func (u User) isExternal(who External) bool {
	return u.Factors.Issuer == who.Issuer && u.Factors.Subject == who.Subject
}

// external finds the user with an identity, or else the user with its verified address.
func (l UserList) external(who External) (user User, found bool) {
	for _, u := range l.List {
		if u.isExternal(who) {
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
	known := found && user.isExternal(who)
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
	return db.Missing(err, errNoRole)
}

// addressOf returns the address of the account of an identity: that of the identity if it is verified
// and nobody else's.
func (s *Sessions) addressOf(users UserList, user User, who External) string {
	taken := slices.ContainsFunc(users.List, func(u User) bool {
		return u.ID != user.ID && strings.EqualFold(u.Email, who.Email)
	})
	if taken || !who.Verified || !cms.ValidEmail(who.Email) || strings.EqualFold(user.Email, who.Email) {
		return user.Email
	}
	return who.Email
}

// putExternal creates the account of an identity, or updates the account that was found.
func (s *Sessions) putExternal(ctx context.Context, from Client, users UserList, user User,
	found bool, who External) (User, error) {
	actor := from.Named(who.Email)
	if !found {
		now := s.Store.Now()
		user = User{User: cms.NewUser()}
		user.ID, user.CreatedAt, user.UpdatedAt = uuid.NewString(), now, now
		user.Email, user.Name, user.Role = who.Email, truncate(who.Name, 200), who.Role
		user.Factors.Issuer, user.Factors.Subject = who.Issuer, who.Subject
		return user, s.users().commitNew(ctx, actor, users, user, func(*db.Tx) {})
	}
	was, linked := user.User, user.Factors.Issuer != ""
	actor.Name = user.Email
	user.Role, user.Email = who.Role, s.addressOf(users, user, who)
	if linked && user.Role == was.Role && user.Email == was.Email {
		return user, nil
	}
	if !linked { // who had the account before may be somebody else
		user.PasswordHash, user.Factors = "", Factors{Issuer: who.Issuer, Subject: who.Subject}
		user.Epoch++
		user.Resets++
	}
	if err := keepsAdmin(users, user); err != nil {
		return user, err
	}
	tx := s.Store.Begin()
	user.UpdatedAt = tx.At()
	putUser(tx, users, user, errEmailTaken)
	tx.Audit(actor, "user.updated", "user "+user.Email, user.ID, shownChange(was), shownChange(user.User))
	s.users().mailChanges(tx, actor, was, user.User, false)
	return user, s.Store.Commit(ctx, tx)
}
