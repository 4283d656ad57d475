package access

import (
	"context"
	"errors"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// userInput is the body of a user's create and update.
type userInput struct {
	Email    *string `json:"email"`
	Name     *string `json:"name"`
	Role     *string `json:"role"`
	IsActive *bool   `json:"is_active"`
	Password *string `json:"password"`
	// CurrentPassword is required when users change their own password.
	CurrentPassword *string `json:"current_password"`
	// Reassign is the id of the user who takes what a deactivated user leaves.
	Reassign *string         `json:"reassign"`
	Mail     *bool           `json:"mail"`
	MailOff  *[]cms.MailKind `json:"-"` // only by the profile, as Language
	Language *string         `json:"-"`

	emailToken  string // hash of the token that confirms a new address
	byOperator  bool   // the configuration has the password: only its length is checked
	roleMissing bool   // there is no such role
}

// applyTo applies the input to a user and reports the problems of the result.
func (in *userInput) applyTo(user *User, p cms.Problems) {
	user.Email = input.Given(in.Email, user.Email)
	user.Name = input.Given(in.Name, user.Name)
	user.Role = cms.UserRole(input.Given(in.Role, string(user.Role)))
	user.IsActive = input.Given(in.IsActive, user.IsActive)
	if in.Mail != nil {
		user.Mail = in.Mail
	}
	user.MailOff = input.Given(in.MailOff, user.MailOff)
	for _, kind := range user.MailOff {
		if !slices.Contains(cms.MailKinds, kind) {
			p.Add("mail_off", "must be any of %v", cms.MailKinds)
			break
		}
	}
	user.Language = input.Given(in.Language, user.Language)
	if in.emailToken != "" {
		user.EmailToken = in.emailToken
	}
	checkPerson(p, user.Email, user.Name)
	if in.roleMissing {
		p.Add("role", "does not exist")
	}
	if in.Password != nil && !in.byOperator {
		checkPassword(p, *in.Password, user.Email)
	}
}

// checkPerson reports an address that is missing or none, and a name that is too long.
func checkPerson(p cms.Problems, email, name string) {
	p.Require("email", email)
	if len(p["email"]) == 0 && !cms.ValidEmail(email) {
		p.Add("email", "must be an e-mail address")
	}
	p.LimitLength("name", name, input.MaxName)
}

// findRole checks whether the role of an input exists.
func (u *Users) findRole(ctx context.Context, in *userInput) error {
	in.roleMissing = false
	if in.Role == nil {
		return nil
	}
	_, err := u.Store.Role(ctx, cms.UserRole(*in.Role))
	if errors.Is(err, db.ErrNotFound) {
		in.roleMissing, err = true, nil
	}
	return err
}

// roleStays checks again, after the users were read, that a role exists. If it is deleted from then
// on, the commit fails.
func (u *Users) roleStays(ctx context.Context, slug cms.UserRole) error {
	_, err := u.Store.Role(ctx, slug)
	return db.Missing(err, cms.Problems{"role": {"does not exist"}}.Err())
}

// userChange is the part of a user that the activity log stores before and after a change.
type userChange struct {
	Email    string       `json:"email"`
	Name     string       `json:"name"`
	Role     cms.UserRole `json:"role"`
	IsActive bool         `json:"is_active"`
}

func shownChange(u cms.User) userChange { return userChange{u.Email, u.Name, u.Role, u.IsActive} }

// mailChanges notifies the user by mail of a new password or address. A change of address is also sent to
// the old address.
func (u *Users) mailChanges(tx *db.Tx, actor cms.Actor, was, now cms.User, password bool) {
	if password {
		u.Notices.Changed(tx, actor, now, cms.Phrased("A new password was set for your account."))
	}
	if !strings.EqualFold(was.Email, now.Email) {
		for _, to := range []cms.User{was, now} {
			u.Notices.Changed(tx, actor, to,
				cms.Phrased("The e-mail address of your account was changed to {1}.", now.Email))
		}
	}
}
