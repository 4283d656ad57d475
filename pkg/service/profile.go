package service

import (
	"context"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// UpdateProfile changes the name and the password of the user whose session a token is. A new password takes the current one, wrong ones of which count
// as wrong tries to sign in, and ends the user's other sessions. Errors: VALIDATION_FAILED, RATE_LIMITED while the account is locked.
func (s *Sessions) UpdateProfile(ctx context.Context, actor cms.Actor, token string, me cms.User, body map[string]any, ok Precondition[cms.User]) (cms.User, error) {
	var in struct {
		Name            *string `json:"name"`
		Password        *string `json:"password"`
		CurrentPassword *string `json:"current_password"`
	}
	p := cms.Problems{}
	decodeInput(body, &in, p, "email", "role", "is_active")
	session, err := s.Store.Session(ctx, tokenHash(token))
	if err != nil {
		return cms.User{}, notFound(err, "session")
	}
	account := tokenHash(strings.ToLower(me.Email))
	switch {
	case in.Password == nil || len(p["current_password"]) > 0:
	case given(in.CurrentPassword, "") == "":
		p.Add("current_password", "is required for a new password")
	default:
		right, err := s.confirm(ctx, account, me.ID, *in.CurrentPassword)
		if err != nil {
			return cms.User{}, err
		}
		if !right {
			p.Add("current_password", "is wrong")
		}
	}
	users := &Users{Store: s.Store, Passwords: s.Passwords}
	return users.update(ctx, actor, me.ID, userInput{Name: in.Name, Password: in.Password}, p, ok, func(user store.User, tx *store.Tx) {
		if in.Password != nil {
			session.Epoch = user.Epoch // this session goes on
			tx.PutSession(tokenHash(token), session)
			tx.ClearSignIns(account)
		}
	})
}

// confirm tells whether a password is that of a user. Like a sign-in it counts as a try before it looks.
func (s *Sessions) confirm(ctx context.Context, account, id, password string) (bool, error) {
	release, err := s.Passwords.slot(ctx)
	if err != nil {
		return false, err
	}
	defer release()
	if err := s.countTry(ctx, account); err != nil {
		return false, err
	}
	user, err := s.Store.User(ctx, id)
	if err != nil {
		return false, notFound(err, "user")
	}
	return s.Passwords.matches(password, user.PasswordHash)
}
