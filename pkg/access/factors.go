package access

import "headless/pkg/db"

// Factors are what a user has to sign in beside a password.
type Factors struct {
	TOTP     []byte   `json:"totp,omitempty"`      // shared secret; nil: none
	Pending  []byte   `json:"pending,omitempty"`   // shared secret that is not confirmed yet
	LastStep int64    `json:"last_step,omitempty"` // of the code that was used last: each counts once
	Recovery []string `json:"recovery,omitempty"`  // hashes of the recovery codes that are left
	Issuer   string   `json:"issuer,omitempty"`    // of OpenID Connect, with Subject
	Subject  string   `json:"subject,omitempty"`
}

// Second reports whether the user has a second factor.
func (f *Factors) Second() bool { return f.TOTP != nil }

// PutFactors changes the factors of a user that was read before, and nothing that rules about all
// users look at.
func PutFactors(t *db.Tx, u User) {
	userDocs(t.DB).Update(t, db.Doc[storedUser]{ID: u.ID, Version: u.version, Value: u.stored()})
}
