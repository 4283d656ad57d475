package access

import (
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
)

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
