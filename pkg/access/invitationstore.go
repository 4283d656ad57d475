package access

import (
	"context"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/slice"
)

// Invitation lets the owner of its token create an account (extensions §11).
type Invitation struct {
	ID        string       `json:"id"`
	Email     string       `json:"email"`
	Name      string       `json:"name"`
	Role      cms.UserRole `json:"role"`
	ExpiresAt cms.Time     `json:"expires_at"`
	CreatedAt cms.Time     `json:"created_at"`
}

// InvitationRecord is an invitation as stored, with the hash of its token.
type InvitationRecord struct {
	Invitation
	TokenHash string `json:"token_hash"`
	// SentBy is the id of the admin who sent the token, "" if it was stored before senders were. Term is that of this
	// admin at the time.
	SentBy  string `json:"sent_by,omitempty"`
	Term    int64  `json:"term,omitempty"`
	version int64
	hash    string // TokenHash as it was read, and reserved
}

func invitationDocs(s *db.DB) db.Docs[InvitationRecord] {
	return db.Docs[InvitationRecord]{DB: s, Kind: "invitation"}
}

func invitation(d db.Doc[InvitationRecord]) InvitationRecord {
	v := d.Value
	v.version, v.hash = d.Version, v.TokenHash
	return v
}

func (v InvitationRecord) doc() db.Doc[InvitationRecord] {
	return db.Doc[InvitationRecord]{ID: v.ID, Version: v.version, Value: v}
}

// Invitation reads an invitation; ErrNotFound if there is none.
func (s *Store) Invitation(ctx context.Context, id string) (InvitationRecord, error) {
	d, err := invitationDocs(s.DB).Get(ctx, id)
	return invitation(d), err
}

// invitationByToken reads an invitation by the hash of its token; ErrNotFound if there is none.
func (s *Store) invitationByToken(ctx context.Context, tokenHash string) (InvitationRecord, error) {
	d, err := invitationDocs(s.DB).ByName(ctx, "t/"+tokenHash)
	return invitation(d), err
}

// invitationByEmail reads the invitation of an address; ErrNotFound if there is none.
func (s *Store) invitationByEmail(ctx context.Context, email string) (InvitationRecord, error) {
	d, err := invitationDocs(s.DB).ByName(ctx, "e/"+strings.ToLower(email))
	return invitation(d), err
}

// Invitations lists all invitations.
func (s *Store) Invitations(ctx context.Context) ([]Invitation, error) {
	docs, err := invitationDocs(s.DB).All(ctx)
	list := slice.Map(docs, func(d db.Doc[InvitationRecord]) Invitation { return d.Value.Invitation })
	return list, err
}

// putInvitation creates an invitation, or stores another token for one that was read before. The
// commit fails with taken if the address has an invitation already.
func putInvitation(t *db.Tx, v InvitationRecord, taken error) {
	docs := invitationDocs(t.DB)
	docs.ReserveName(t, "t/"+v.TokenHash, v.ID, db.ErrOvertaken)
	if v.version == 0 {
		docs.ReserveName(t, "e/"+strings.ToLower(v.Email), v.ID, taken)
		docs.Create(t, v.ID, v, db.ErrOvertaken)
		return
	}
	docs.FreeName(t, "t/"+v.hash)
	docs.Update(t, v.doc())
}

// deleteInvitation deletes an invitation that was read before.
func deleteInvitation(t *db.Tx, v InvitationRecord) {
	docs := invitationDocs(t.DB)
	docs.FreeName(t, "t/"+v.hash)
	docs.FreeName(t, "e/"+strings.ToLower(v.Email))
	docs.Delete(t, v.doc())
}
