package access

import (
	"context"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/rights"
	"headless/pkg/slice"
)

// Factors are the ways to sign in that a user has in addition to a password.
type Factors struct {
	TOTP     []byte    `json:"totp,omitempty"`      // shared secret; nil: none
	Pending  []byte    `json:"pending,omitempty"`   // shared secret not confirmed yet
	LastStep int64     `json:"last_step,omitempty"` // of the latest code; each code is valid once
	Recovery []string  `json:"recovery,omitempty"`  // hashes of the recovery codes not used yet
	Issuer   string    `json:"issuer,omitempty"`    // of OpenID Connect, with Subject
	Subject  string    `json:"subject,omitempty"`
	Passkeys []Passkey `json:"passkeys,omitempty"`
	// WrongCodes is the number of wrong codes in a row after a right password.
	WrongCodes int `json:"wrong_codes,omitempty"`
}

// Passkey is a key pair of a user. Its private half never leaves the user's device.
type Passkey struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	CreatedAt  cms.Time   `json:"created_at"`
	LastUsedAt cms.Time   `json:"last_used_at"`
	Credential Credential `json:"credential"`
}

// Credential has the data to verify a passkey (WebAuthn, credential record).
type Credential struct {
	ID         []byte   `json:"id"`
	PublicKey  []byte   `json:"public_key"`
	SignCount  uint32   `json:"sign_count"`
	Flags      byte     `json:"flags"`
	AAGUID     []byte   `json:"aaguid"` // model of the device
	Transports []string `json:"transports"`
}

// hasSecondFactor reports whether the session has a second factor. A passkey counts only in the sessions in
// which it was used, since a sign-in by password alone shows no second factor. Access tokens can
// only be made in a session that had one.
func (f *Factors) hasSecondFactor(session SessionRecord) bool {
	switch {
	case f.TOTP != nil:
		return true
	case session.Hash == "":
		return len(f.Passkeys) > 0
	}
	return f.PasskeyAt(session.Passkey) >= 0
}

// PasskeyAt returns the index of a passkey in the list, -1 if there is none with this id.
func (f *Factors) PasskeyAt(id string) int {
	return slices.IndexFunc(f.Passkeys, func(p Passkey) bool { return p.ID == id })
}

// withoutTOTP returns the factors without the authenticator app and its recovery codes.
func (f *Factors) withoutTOTP() Factors {
	return Factors{Issuer: f.Issuer, Subject: f.Subject, Passkeys: f.Passkeys}
}

// RemovePasskeys removes one passkey of a user, or all of them if id is "", and notifies the user
// by mail. NOT_FOUND if there is none.
func (s *Sessions) RemovePasskeys(ctx context.Context, actor cms.Actor, userID, id string) error {
	return s.Store.withUser(ctx, userID, func(user User) error {
		var kept, gone []Passkey
		for _, p := range user.Factors.Passkeys {
			if id == "" || p.ID == id {
				gone = append(gone, p)
			} else {
				kept = append(kept, p)
			}
		}
		if len(gone) == 0 {
			return input.NotFound(db.ErrNotFound, "passkey")
		}
		user.Factors.Passkeys = kept
		tx := s.Store.Begin()
		PutFactors(tx, user)
		names := slice.Map(gone, func(p Passkey) string { return p.Name })
		tx.Audit(actor, "passkey.removed", "user "+user.Email, user.ID, map[string]any{"names": names}, nil)
		s.Notices.Changed(tx, actor, user.User,
			cms.Phrased("Removed from your account: the passkey {1}.", strings.Join(names, ", ")))
		return s.Store.Commit(ctx, tx)
	})
}

// PutFactors changes the factors of a user that was read before. It does not conflict with changes
// of other users, since no rule about all users depends on factors.
func PutFactors(t *db.Tx, u User) {
	rights.Put(t, u.User, u.signIn())
	userDocs(t.DB).Update(t, u.doc())
}
