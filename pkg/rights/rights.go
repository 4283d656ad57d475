// Package rights looks up the present permissions of users who caused a change (extensions §11). Work that
// runs later, such as jobs and plans, has the permissions that its user has when it runs, not those of the request.
//
// Words: an account is the part of a user that permissions depend on.
//
// What always holds: each change of a user writes the account in the same transaction. It has a row
// of its own because functions that read it may not read users, whose rows hold password hashes.
// The account of a deleted user stays, inactive.
package rights

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// Account is the part of a user that permissions depend on.
type Account struct {
	Name     string       `json:"name"` // as shown to others; the address if the user has no name
	Role     cms.UserRole `json:"role"`
	IsActive bool         `json:"is_active"`
	Email    string       `json:"email,omitempty"`
	Language string       `json:"language,omitempty"` // of mails to the user; "": that of the site
	cms.MailChoice
	SignIn
}

// SignIn is the part of an account that depends on how its user signs in.
type SignIn struct {
	Term      int64 `json:"term,omitempty"`   // number of deactivations
	Resets    int64 `json:"resets,omitempty"` // grows when all access tokens and grants must end
	HasFactor bool  `json:"has_factor,omitempty"`
}

func accounts(d *db.DB) db.Docs[Account] { return db.Docs[Account]{DB: d, Kind: "account"} }

// Put stores the account of a user with a change of the user. A deleted user is put as an inactive
// one.
func Put(tx *db.Tx, u cms.User, s SignIn) {
	account := accountOf(u)
	account.SignIn = s
	tx.Put(accounts(tx.DB).Item(u.ID, 1, account))
}

func accountOf(u cms.User) Account {
	email := u.Email
	u.Name = cmp.Or(u.Name, email)
	return Account{Name: u.Name, Role: u.Role, IsActive: u.IsActive, Email: email, Language: u.Language,
		MailChoice: u.MailChoice}
}

// AccountOf reads the account of a user by id; db.ErrNotFound if there is none.
func AccountOf(ctx context.Context, d *db.DB, userID string) (Account, error) {
	doc, err := accounts(d).Get(ctx, userID)
	if !errors.Is(err, db.ErrNotFound) {
		return doc.Value, err
	}
	user, err := users(d).Get(ctx, userID) // who has not been changed since there are accounts
	return accountOf(user.Value), err
}

// users reads the documents of package access, without what is secret in them.
func users(d *db.DB) db.Docs[cms.User] { return db.Docs[cms.User]{DB: d, Kind: "user"} }

// errEnded refuses the changes of accounts and keys that are not valid any more.
var errEnded = cms.Errorf(cms.CodeForbidden, "Who caused this has no active account or valid key any more.")

// Of returns the permissions that an actor has now; nil permits everything. FORBIDDEN if the
// account is inactive, deleted or was deactivated since, or the key deleted or expired. An actor without account and
// key is the service itself.
func Of(ctx context.Context, d *db.DB, by cms.Actor) (*cms.Permissions, error) {
	var p *cms.Permissions
	var err error
	switch {
	case by.KeyID != "":
		p, err = ofKey(ctx, d, by.KeyID)
	case by.UserID != "":
		p, err = ofUser(ctx, d, by.UserID, by.Term)
	case strings.Contains(by.Name, "@"): // stored before actors had ids
		var user db.Doc[cms.User]
		if user, err = users(d).ByName(ctx, strings.ToLower(by.Name)); err == nil {
			p, err = ofUser(ctx, d, user.ID, 0)
		}
	}
	return p, db.Missing(err, errEnded)
}

func ofUser(ctx context.Context, d *db.DB, id string, term int64) (*cms.Permissions, error) {
	account, err := AccountOf(ctx, d, id)
	switch {
	case err != nil:
		return nil, err
	case !account.IsActive, account.Term != term:
		return nil, errEnded
	case account.Role == cms.RoleUserAdmin, account.Role == cms.RoleEditor:
		return nil, nil
	}
	if builtin, ok := cms.BuiltinRole(account.Role); ok {
		return cms.NewPermissions(builtin.Rules), nil // a viewer, who no route keeps from writing here
	}
	role, err := db.Docs[cms.Role]{DB: d, Kind: "role"}.Get(ctx, string(account.Role))
	return cms.NewPermissions(role.Value.Rules), err
}

// Key reads a key by id. FORBIDDEN if it is deleted or expired.
func Key(ctx context.Context, d *db.DB, id string) (cms.Key, error) {
	doc, err := db.Docs[cms.Key]{DB: d, Kind: "key"}.Get(ctx, id)
	if errors.Is(err, db.ErrNotFound) ||
		err == nil && !doc.Value.ExpiresAt.IsZero() && !d.Now().Before(doc.Value.ExpiresAt.Time) {
		err = errEnded
	}
	return doc.Value, err
}

func ofKey(ctx context.Context, d *db.DB, id string) (*cms.Permissions, error) {
	key, err := Key(ctx, d, id)
	if err != nil {
		return nil, err
	}
	actions := []cms.Action{cms.ActionRead}
	if key.HasScope(cms.ScopeWrite) {
		actions = append(actions, cms.ActionWrite, cms.ActionPublish)
	}
	if key.HasScope(cms.ScopeDelete) {
		actions = append(actions, cms.ActionDelete)
	}
	return key.Permissions().And(cms.NewPermissions([]cms.Rule{{Actions: actions}})), nil
}

// As returns a context with what all of the actors may do now, instead of the permissions of ctx.
// Errors: those of Of.
func As(ctx context.Context, d *db.DB, by ...cms.Actor) (context.Context, error) {
	return Lookup(d)(ctx, by...)
}

// Lookup returns As for one piece of work: it looks each actor up once.
func Lookup(d *db.DB) func(ctx context.Context, by ...cms.Actor) (context.Context, error) {
	type found struct {
		p   *cms.Permissions
		err error
	}
	known := map[cms.Actor]found{}
	return func(ctx context.Context, by ...cms.Actor) (context.Context, error) {
		var all *cms.Permissions
		for _, actor := range by {
			id := cms.Actor{Name: actor.Name, UserID: actor.UserID, KeyID: actor.KeyID, Term: actor.Term}
			one, ok := known[id]
			if !ok {
				one.p, one.err = Of(ctx, d, actor)
				known[id] = one
			}
			if one.err != nil {
				return ctx, one.err
			}
			all = all.And(one.p)
		}
		return cms.WithCauses(cms.WithPermissions(ctx, all), by...), nil
	}
}
