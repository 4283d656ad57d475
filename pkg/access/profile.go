package access

import (
	"context"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// Profile is a user, with the new address that waits to be confirmed.
type Profile struct {
	cms.User
	PendingEmail string `json:"pending_email,omitempty"`
	HasTOTP      bool   `json:"-"` // a second factor; only Users.Get says so
}

// ShownUser returns a user as the profile shows it, with the settings that the user never changed.
func ShownUser(u cms.User) cms.User {
	if u.Mail == nil {
		on := true
		u.Mail = &on
	}
	return u
}

// UpdateProfile changes the name, the address and the password of a session's user. A new password
// requires the current one, and ends the user's other sessions. A new address requires the current
// password, or a confirmation of the last minutes from users with passkeys; it counts once it is
// confirmed by a link. Errors: VALIDATION_FAILED, RATE_LIMITED after too many wrong current
// passwords or mails, CONFIRMATION_REQUIRED, those of RefuseWeak, CONFLICT for an address that is taken or that follows
// a provider.
func (s *Sessions) UpdateProfile(ctx context.Context, actor cms.Actor, token string, me cms.User,
	body map[string]any, ok input.Precondition[cms.User]) (Profile, error) {
	in, p := input.Decode[struct {
		Email           *string         `json:"email"`
		Name            *string         `json:"name"`
		Password        *string         `json:"password"`
		CurrentPassword *string         `json:"current_password"`
		Mail            *bool           `json:"mail"`
		MailOff         *[]cms.MailKind `json:"mail_off"`
		Language        *string         `json:"language"`
	}](body, "role", "is_active")
	return s.updateSelf(ctx, actor, token, me, userInput{Email: in.Email, Name: in.Name, Password: in.Password,
		CurrentPassword: in.CurrentPassword, Mail: in.Mail, MailOff: in.MailOff, Language: in.Language}, p, ok)
}

// UpdateUser does the same as Users.Update. Users who change their own password or address do so as
// in UpdateProfile.
func (s *Sessions) UpdateUser(
	ctx context.Context, actor cms.Actor, token string, me cms.User, id string, body map[string]any,
	ok input.Precondition[cms.User],
) (Profile, error) {
	if id != me.ID {
		delete(body, "current_password")
		user, err := s.users().Update(ctx, actor, id, body, ok)
		return Profile{User: user}, err
	}
	in, p := input.Decode[userInput](body)
	return s.updateSelf(ctx, actor, token, me, in, p, ok)
}

func (s *Sessions) users() *Users {
	return &Users{Store: s.Store, Passwords: s.Passwords, Notices: s.Notices, Leave: s.Leave}
}

// updateSelf changes the session's user. A new password does not end this session.
func (s *Sessions) updateSelf(
	ctx context.Context, actor cms.Actor, token string, me cms.User, in userInput, p cms.Problems,
	ok input.Precondition[cms.User],
) (Profile, error) {
	session, user, err := s.Owner(ctx, token)
	if err != nil {
		return Profile{}, err
	}
	if session.Hash == "" && (in.Password != nil || in.Email != nil && *in.Email != user.Email) {
		return Profile{}, cms.Errorf(cms.CodeForbidden,
			"An access token cannot change the password or the address of its user. Sign in instead.")
	}
	pending := ""
	if in.Email != nil && !strings.EqualFold(*in.Email, user.Email) {
		pending, in.Email = *in.Email, nil
	}
	if pending != "" || in.Password != nil {
		if err := s.RefuseWeak(ctx, token); err != nil {
			return Profile{}, err
		}
	}
	if pending != "" {
		if err := s.mayMove(ctx, user, pending, p); err != nil {
			return Profile{}, err
		}
	}
	if err := s.prove(ctx, token, session, user, in, pending != "", p); err != nil {
		return Profile{}, err
	}
	secret := ""
	if pending != "" && len(p) == 0 {
		if secret, err = s.mailedToken(ctx, pending); err != nil {
			return Profile{}, err
		}
		in.emailToken = db.TokenHash(secret)
	}
	changed, err := s.users().update(ctx, actor, me.ID, in, p, ok, func(changed User, tx *db.Tx) error {
		// Other requests may have used or ended the session since, or set another password.
		session, now, err := s.Owner(ctx, token)
		if err != nil {
			return err
		}
		if in.CurrentPassword != nil && now.PasswordHash != user.PasswordHash {
			return cms.Problems{"current_password": {"is wrong"}}.Err()
		}
		if in.Password != nil {
			session.Epoch = changed.Epoch // this session stays valid
			PutSession(tx, session)
		}
		if secret != "" {
			s.askAddress(tx, actor, changed, pending, secret)
		}
		return nil
	})
	return Profile{User: ShownUser(changed), PendingEmail: pending}, err
}

// provenFor is how long a sign-in or a confirmation counts as the proof that a new address requires
// from users with passkeys.
const provenFor = 5 * time.Minute

// prove checks the current password, which a new password or address requires. For a new address
// alone, users with passkeys may have signed in or confirmed their session just before instead.
func (s *Sessions) prove(ctx context.Context, token string, session SessionRecord, user User, in userInput,
	moves bool, p cms.Problems) error {
	what := "is required for a new password"
	switch {
	case in.Password == nil && !moves || len(p["current_password"]) > 0:
		return nil
	case in.Password == nil:
		what = "is required for a new address"
	}
	if given := input.Given(in.CurrentPassword, ""); given != "" {
		right, err := s.confirm(ctx, token, user, given)
		if err == nil && !right {
			p.Add("current_password", "is wrong")
		}
		return err
	}
	if in.Password != nil || len(user.Factors.Passkeys) == 0 {
		p.Add("current_password", "%s", what)
		return nil
	}
	if s.Store.Now().Sub(session.LastProof().Time) > provenFor {
		return cms.Errorf(cms.CodeConfirmationRequired,
			"Confirm with a passkey at POST /admin/confirm, or send current_password.")
	}
	return nil
}
