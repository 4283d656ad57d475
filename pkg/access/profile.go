package access

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// UpdateProfile changes the name and the password of a session's user. A new password requires the
// current one, and ends the user's other sessions. Errors: VALIDATION_FAILED, RATE_LIMITED after
// too many wrong current passwords.
func (s *Sessions) UpdateProfile(ctx context.Context, actor cms.Actor, token string, me cms.User,
	body map[string]any, ok input.Precondition[cms.User]) (cms.User, error) {
	var in struct {
		Name            *string `json:"name"`
		Password        *string `json:"password"`
		CurrentPassword *string `json:"current_password"`
	}
	p := cms.Problems{}
	input.Decode(body, &in, p, "email", "role", "is_active")
	return s.updateSelf(ctx, actor, token, me, userInput{Name: in.Name, Password: in.Password,
		CurrentPassword: in.CurrentPassword}, p, ok)
}

// UpdateUser does the same as Users.Update. Users who change their own password must send the
// current one, as in UpdateProfile.
func (s *Sessions) UpdateUser(
	ctx context.Context, actor cms.Actor, token string, me cms.User, id string, body map[string]any,
	ok input.Precondition[cms.User],
) (cms.User, error) {
	if id != me.ID {
		delete(body, "current_password")
		return s.users().Update(ctx, actor, id, body, ok)
	}
	var in userInput
	p := cms.Problems{}
	input.Decode(body, &in, p)
	return s.updateSelf(ctx, actor, token, me, in, p, ok)
}

func (s *Sessions) users() *Users {
	return &Users{Store: s.Store, Passwords: s.Passwords, Notices: s.Notices, Leave: s.Leave}
}

// updateSelf changes the session's user. A new password does not end this session.
func (s *Sessions) updateSelf(
	ctx context.Context, actor cms.Actor, token string, me cms.User, in userInput, p cms.Problems,
	ok input.Precondition[cms.User],
) (cms.User, error) {
	session, user, err := s.Owner(ctx, token)
	if err != nil {
		return cms.User{}, input.NotFound(err, "session")
	}
	if session.Hash == "" && (in.Password != nil || in.Email != nil && *in.Email != user.Email) {
		return cms.User{}, cms.Errorf(cms.CodeForbidden,
			"An access token cannot change the password or the address of its user. Sign in instead.")
	}
	switch {
	case in.Password == nil || len(p["current_password"]) > 0:
	case input.Given(in.CurrentPassword, "") == "":
		p.Add("current_password", "is required for a new password")
	default:
		right, err := s.confirm(ctx, token, user, *in.CurrentPassword)
		if err != nil {
			return cms.User{}, err
		}
		if !right {
			p.Add("current_password", "is wrong")
		}
	}
	return s.users().update(ctx, actor, me.ID, in, p, ok, func(user User, tx *db.Tx) {
		if in.Password != nil && session.Hash != "" {
			session.Epoch = user.Epoch // this session stays valid
			PutSession(tx, session)
		}
	})
}
