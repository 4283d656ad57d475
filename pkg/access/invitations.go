package access

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// invitationTime is how long an invitation is valid.
const invitationTime = 7 * 24 * time.Hour

// Invitations let people create their own accounts (extensions §11).
type Invitations struct {
	Store    *Store
	Users    *Users
	Sessions *Sessions
}

var errInvited = cms.Errorf(cms.CodeConflict, "A user or an invitation has this e-mail address already.")

// List lists the invitations, the newest first.
func (v *Invitations) List(ctx context.Context, p db.Paging) (db.Page[Invitation], error) {
	list, err := v.Store.Invitations(ctx)
	cms.Sort(list, func(a, b Invitation) int { return b.CreatedAt.Compare(a.CreatedAt.Time) })
	return db.PageOf(list, p), err
}

// Get reads an invitation; NOT_FOUND if there is none.
func (v *Invitations) Get(ctx context.Context, id string) (Invitation, error) {
	rec, err := v.Store.Invitation(ctx, id)
	return rec.Invitation, input.NotFound(err, "invitation")
}

// Create invites an address and mails a link to it. CONFLICT if a user or an invitation has the
// address; an expired invitation is replaced.
func (v *Invitations) Create(ctx context.Context, actor cms.Actor, body map[string]any) (Invitation, error) {
	in, p := input.Decode[struct {
		Email string       `json:"email"`
		Name  string       `json:"name"`
		Role  cms.UserRole `json:"role"`
	}](body)
	rec := InvitationRecord{Invitation: Invitation{
		ID: uuid.Must(uuid.NewV7()).String(), Email: in.Email, Name: in.Name, Role: in.Role,
	}}
	checkPerson(p, rec.Email, rec.Name)
	p.Require("role", string(rec.Role))
	if err := v.Sessions.NeedPasswords(); err != nil { // nobody could accept it
		return Invitation{}, err
	}
	err := v.Store.Retry(ctx, func() error {
		problems := cms.Problems{}
		problems.Merge(p)
		users, err := v.Store.Users(ctx)
		if err != nil {
			return err
		}
		if err := v.checkRole(ctx, problems, rec.Role); err != nil {
			return err
		}
		if err := problems.Err(); err != nil {
			return err
		}
		if slices.ContainsFunc(users.List, func(u User) bool { return strings.EqualFold(u.Email, rec.Email) }) {
			return errInvited
		}
		return v.invite(ctx, actor, users, rec.Invitation)
	})
	if err != nil {
		return Invitation{}, err
	}
	return v.Get(ctx, rec.ID)
}

func (v *Invitations) checkRole(ctx context.Context, p cms.Problems, role cms.UserRole) error {
	if role == "" {
		return nil
	}
	_, err := v.Store.Role(ctx, role)
	if errors.Is(err, db.ErrNotFound) {
		p.Add("role", "does not exist")
		err = nil
	}
	return err
}

func (v *Invitations) invite(ctx context.Context, actor cms.Actor, users UserList, in Invitation) error {
	tx := v.Store.Begin()
	requireUsers(tx, users) // so that the role still exists and the address is still free
	held, err := v.Store.invitationByEmail(ctx, in.Email)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	if err == nil {
		if tx.At().Before(held.ExpiresAt.Time) {
			return errInvited
		}
		drop := v.Store.Begin()
		deleteInvitation(drop, held)
		if err := v.Store.Commit(ctx, drop); err != nil {
			return err
		}
	}
	rec := InvitationRecord{Invitation: in}
	rec.CreatedAt = tx.At()
	v.sendMail(tx, actor, &rec)
	putInvitation(tx, rec, errInvited)
	tx.Audit(actor, "user.invited", "user "+in.Email, in.ID, nil, nil)
	return v.Store.Commit(ctx, tx)
}

// sendMail gives an invitation a new token and mails it.
func (v *Invitations) sendMail(tx *db.Tx, actor cms.Actor, rec *InvitationRecord) {
	token := db.RandomToken()
	rec.SentBy, rec.Term = actor.UserID, actor.Term
	rec.TokenHash, rec.ExpiresAt = db.TokenHash(token), cms.At(tx.At().Add(invitationTime))
	if n := v.Sessions.Notices; n != nil {
		n.Add(tx, actor, rec.Email, cms.Notice{Subject: cms.Phrased("You are invited"), Paragraphs: []cms.Phrase{
			cms.Phrased("You are invited to work on the content of {1}.", n.SiteURL),
			cms.Phrased("Choose a password within 7 days:\n{1}", n.SiteURL+"/admin/invitations/accept?token="+token)}})
	}
}

// Resend mails an invitation with a new token; the previous token becomes invalid. NOT_FOUND if
// there is none.
func (v *Invitations) Resend(ctx context.Context, actor cms.Actor, id string) (Invitation, error) {
	var result Invitation
	err := v.Store.Retry(ctx, func() error {
		rec, err := v.Store.Invitation(ctx, id)
		if err != nil {
			return input.NotFound(err, "invitation")
		}
		if err := v.Sessions.NeedPasswords(); err != nil {
			return err
		}
		tx := v.Store.Begin()
		v.sendMail(tx, actor, &rec)
		putInvitation(tx, rec, errInvited)
		tx.Audit(actor, "user.invited", "user "+rec.Email, rec.ID, nil, nil)
		result = rec.Invitation
		return v.Store.Commit(ctx, tx)
	})
	return result, err
}

// Withdraw deletes an invitation. NOT_FOUND if there is none.
func (v *Invitations) Withdraw(ctx context.Context, actor cms.Actor, id string) error {
	return v.Store.Retry(ctx, func() error {
		rec, err := v.Store.Invitation(ctx, id)
		if err != nil {
			return input.NotFound(err, "invitation")
		}
		tx := v.Store.Begin()
		deleteInvitation(tx, rec)
		tx.Audit(actor, "invitation.withdrawn", "user "+rec.Email, rec.ID, nil, nil)
		return v.Store.Commit(ctx, tx)
	})
}

// Open reads the invitation that a token is for. Errors: VALIDATION_FAILED on token if it is used, expired,
// withdrawn or wrong, or if who sent it is no admin any more; CONFLICT if the address now has an account; FORBIDDEN if
// no one signs in by password.
func (v *Invitations) Open(ctx context.Context, token string) (InvitationRecord, error) {
	if err := v.Sessions.NeedPasswords(); err != nil {
		return InvitationRecord{}, err
	}
	rec, err := v.Store.invitationByToken(ctx, db.TokenHash(token))
	if errors.Is(err, db.ErrNotFound) || err == nil && !v.Store.Now().Before(rec.ExpiresAt.Time) {
		return rec, errDeadToken
	}
	if err != nil {
		return rec, err
	}
	if rec.SentBy != "" {
		sender, err := v.Store.User(ctx, rec.SentBy)
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return rec, err
		}
		if err != nil || !sender.IsActive || sender.Role != cms.RoleUserAdmin || sender.Term != rec.Term {
			return rec, errDeadToken // or an admin who has left could come back by it
		}
	}
	if _, err = v.Store.UserByEmail(ctx, rec.Email); errors.Is(err, db.ErrNotFound) {
		return rec, nil
	}
	return rec, cmp.Or(err, error(errEmailTaken))
}

// Accept creates the account of an invitation, given its token, and signs it in. If the password is
// refused, the token stays valid. Errors: those of Open, and VALIDATION_FAILED.
func (v *Invitations) Accept(ctx context.Context, from Client, body map[string]any) (Session, error) {
	in, p := input.Decode[struct {
		Token    string `json:"token"`
		Password string `json:"password"`
		Name     string `json:"name"`
	}](body)
	rec, err := v.Open(ctx, in.Token)
	if err != nil {
		return Session{}, err
	}
	p.LimitLength("name", in.Name, input.MaxName)
	checkPassword(p, in.Password, rec.Email)
	if err := p.Err(); err != nil {
		return Session{}, err
	}
	user := User{User: cms.NewUser()}
	user.ID, user.Email, user.Name, user.Role = uuid.NewString(), rec.Email,
		cmp.Or(in.Name, rec.Name), rec.Role
	if user.PasswordHash, err = v.Users.Passwords.Hash(ctx, in.Password); err != nil {
		return Session{}, err
	}
	err = v.Store.Retry(ctx, func() error {
		users, err := v.Store.Users(ctx)
		if err != nil {
			return err
		}
		if rec, err = v.Open(ctx, in.Token); err != nil {
			return err // concurrently used or withdrawn
		}
		user.CreatedAt = v.Store.Now()
		user.UpdatedAt = user.CreatedAt
		actor := from.Named(user.Email)
		return v.Users.commitNew(ctx, actor, users, user, func(tx *db.Tx) { deleteInvitation(tx, rec) })
	})
	if err != nil {
		return Session{}, err
	}
	stored, err := v.Store.User(ctx, user.ID)
	if err != nil {
		return Session{}, err
	}
	return v.Sessions.Open(ctx, from, stored, SignInWith{})
}
