package access

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// FirstLinkTime is how long the link of the first admin is valid.
const FirstLinkTime = 24 * time.Hour

// InviteFirst invites the first admin of a new service and returns the token of the invitation,
// which works once and for FirstLinkTime. A former invitation of the address becomes invalid. It
// returns "" and changes nothing if there is a user already.
func (v *Invitations) InviteFirst(ctx context.Context, email string) (token string, err error) {
	if !cms.ValidEmail(email) {
		return "", cms.Problems{"email": {"must be an e-mail address"}}.Err()
	}
	err = v.Store.Retry(ctx, func() error {
		token = ""
		users, err := v.Store.Users(ctx)
		if err != nil || len(users.List) > 0 {
			return err
		}
		rec, err := v.Store.invitationByEmail(ctx, email)
		if errors.Is(err, db.ErrNotFound) {
			rec, err = InvitationRecord{Invitation: Invitation{ID: uuid.Must(uuid.NewV7()).String()}}, nil
		}
		if err != nil {
			return err
		}
		tx := v.Store.Begin()
		requireUsers(tx, users)
		made := db.RandomToken()
		rec.Email, rec.Name, rec.Role = email, "Administrator", cms.RoleUserAdmin
		rec.TokenHash, rec.CreatedAt = db.TokenHash(made), tx.At()
		rec.ExpiresAt = cms.At(tx.At().Add(FirstLinkTime))
		putInvitation(tx, rec, errInvited)
		tx.Audit(cms.Actor{Source: cms.SourceAdmin}, "user.invited", "user "+email, rec.ID, nil, nil)
		if err := v.Store.Commit(ctx, tx); err != nil {
			return err
		}
		token = made
		return nil
	})
	return token, err
}
