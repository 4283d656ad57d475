package device

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// decision is what a user has decided about a login.
type decision string

const (
	undecided decision = ""
	approved  decision = "approved"
	denied    decision = "denied"
)

// login is a stored login.
type login struct {
	Name      string   `json:"name"`    // of the program
	Address   string   `json:"address"` // of the program
	CreatedAt cms.Time `json:"created_at"`
	ExpiresAt cms.Time `json:"expires_at"`
	CodeHash  string   `json:"code_hash"` // of the user code
	PolledAt  cms.Time `json:"polled_at"` // when the program last got an answer
	Decision  decision `json:"decision"`
	// What the session of an approved program takes over from the session that approved it.
	UserID   string   `json:"user_id"`
	Epoch    int64    `json:"epoch"`
	Strong   bool     `json:"strong"`
	Passkey  string   `json:"passkey"`
	ProvenAt cms.Time `json:"proven_at"`

	hash    string // of the device code
	version int64
}

// create stores a new login. The commit fails with ErrOvertaken if its user code is in use.
func create(t *db.Tx, v login) {
	t.Create(table.Item{Key: userCodeKey(v.CodeHash), Body: []byte(v.hash), Expires: v.ExpiresAt.Unix()},
		db.ErrOvertaken)
	t.Create(table.Item{Key: loginKey(v.hash), Version: 1, Body: db.Pack(v), Expires: v.ExpiresAt.Unix()},
		db.ErrOvertaken)
}

// replaceLogin stores a login that was read before.
func replaceLogin(t *db.Tx, v login) {
	t.Save(table.Item{Key: loginKey(v.hash), Body: db.Pack(v), Expires: v.ExpiresAt.Unix()}, v.version)
}

// byDeviceCode reads a login by the hash of its device code; ErrNotFound if there is none or it has
// expired.
func byDeviceCode(ctx context.Context, s *db.DB, hash string) (login, error) {
	v, version, err := db.Read[login](ctx, s, loginKey(hash))
	if err == nil && !s.Now().Before(v.ExpiresAt.Time) {
		err = db.ErrNotFound
	}
	v.hash, v.version = hash, version
	return v, err
}

// byUserCode reads a login that is not decided; ErrNotFound if there is none or it has expired.
func byUserCode(ctx context.Context, s *db.DB, code string) (login, error) {
	item, err := s.Get(ctx, userCodeKey(db.TokenHash(code)))
	if err != nil {
		return login{}, err
	}
	v, err := byDeviceCode(ctx, s, string(item.Body))
	if err == nil && v.Decision != undecided {
		err = db.ErrNotFound
	}
	return v, err
}

func isUnknown(err error) bool { return errors.Is(err, db.ErrNotFound) }
