package rights

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// rulesOf returns what a role permits by name, such as cms.ActionApprove. A role that does not exist
// permits nothing.
func rulesOf(ctx context.Context, d *db.DB, role cms.UserRole) (*cms.Permissions, error) {
	if builtin, ok := cms.BuiltinRole(role); ok {
		return cms.NewPermissions(builtin.Rules), nil
	}
	doc, err := db.Docs[cms.Role]{DB: d, Kind: "role"}.Get(ctx, string(role))
	return cms.NewPermissions(doc.Value.Rules), db.Missing(err, nil)
}

// RequiresFactor reports whether a role requires a second factor.
func RequiresFactor(ctx context.Context, d *db.DB, role cms.UserRole) (bool, error) {
	doc, err := db.Docs[cms.Role]{DB: d, Kind: "role"}.Get(ctx, string(role))
	return doc.Value.RequireTOTP, db.Missing(err, nil) // a built-in role that was never changed
}

// May reports whether a user may perform an action now, by the rules of the role. It is false for
// users who are inactive or deleted. With the locale "" one locale is enough, with the model "" one
// model.
func May(ctx context.Context, d *db.DB, userID string, action cms.Action, model, locale string) (bool, error) {
	_, rules, ok, err := activeUser(ctx, d, userID)
	return ok && permits(rules, action, model, locale), err
}

// activeUser returns the account and the rules of an active user; ok is false for others.
func activeUser(ctx context.Context, d *db.DB, userID string) (a Account, rules *cms.Permissions, ok bool, err error) {
	a, err = AccountOf(ctx, d, userID)
	if errors.Is(err, db.ErrNotFound) {
		err = nil
	}
	if err == nil && a.IsActive {
		rules, err = rulesOf(ctx, d, a.Role)
	}
	return a, rules, err == nil && a.IsActive, err
}

// ReaderOf is activeUser for the readers of a kind of mails: ok is false too for users who switched it off.
func ReaderOf(ctx context.Context, d *db.DB, userID string, kind cms.MailKind) (a Account, rules *cms.Permissions,
	ok bool, err error) {
	a, rules, ok, err = activeUser(ctx, d, userID)
	return a, rules, ok && a.WantsMail(kind), err
}

// Person returns a user as shown to others; the name is "" if the user is deleted.
func Person(ctx context.Context, d *db.DB, userID string) (cms.Person, error) {
	account, err := AccountOf(ctx, d, userID)
	return cms.Person{ID: userID, Name: account.Name}, db.Missing(err, nil)
}

func permits(p *cms.Permissions, action cms.Action, model, locale string) bool {
	if model == "" {
		return p.MayAny(action)
	}
	return p.May(action, model, locale)
}

// People holds the accounts of all users, read at once.
type People struct {
	Accounts []db.Doc[Account] // those of deleted users have no name
	db       *db.DB
	rules    map[cms.UserRole]*cms.Permissions
}

// ReadPeople reads the accounts of all users.
func ReadPeople(ctx context.Context, d *db.DB) (*People, error) {
	docs, err := accounts(d).All(ctx)
	return &People{docs, d, map[cms.UserRole]*cms.Permissions{}}, err
}

// Who lists the active users who may perform an action (see May), by name.
func (p *People) Who(ctx context.Context, action cms.Action, model, locale string) ([]cms.Person, error) {
	list := []cms.Person{}
	for _, doc := range p.Accounts {
		a := doc.Value
		if !a.IsActive {
			continue
		}
		if p.rules[a.Role] == nil {
			rules, err := rulesOf(ctx, p.db, a.Role)
			if err != nil {
				return nil, err
			}
			p.rules[a.Role] = rules
		}
		if permits(p.rules[a.Role], action, model, locale) {
			list = append(list, cms.Person{ID: doc.ID, Name: a.Name})
		}
	}
	cms.SortBy(list, func(p cms.Person) string { return cms.NameOrder(p.Name) + p.ID })
	return list, nil
}
