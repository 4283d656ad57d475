// Package tokens stores access tokens, with which programs act as users.
package tokens

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// AccessToken lets a program act as a user. It is found by the hash of its secret, and listed by
// its user.
type AccessToken struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	ExpiresAt cms.Time `json:"expires_at"` // zero: never
	CreatedAt cms.Time `json:"created_at"`

	UserID string `json:"-"`
	Resets int64  `json:"-"` // User.Resets at creation; the token ends when that changes
	Hash   string `json:"-"`
}

type storedToken struct {
	AccessToken
	UserID string `json:"user_id"`
	Resets int64  `json:"resets"`
	Hash   string `json:"hash"`
}

// maxTokens is how many access tokens a user may have.
const maxTokens = 100

func docs(s *db.DB, userID string) db.Docs[storedToken] {
	return db.Docs[storedToken]{DB: s, Kind: "token", Prefix: userID + "/"}
}

func token(v storedToken) AccessToken {
	t := v.AccessToken
	t.UserID, t.Resets, t.Hash = v.UserID, v.Resets, v.Hash
	return t
}

// List lists the valid access tokens of a user: those made since the latest reset of the password.
func List(ctx context.Context, s *db.DB, userID string, resets int64) ([]AccessToken, error) {
	held, err := docs(s, userID).All(ctx)
	list := []AccessToken{}
	for _, d := range held {
		if d.Value.Resets == resets {
			list = append(list, token(d.Value))
		}
	}
	return list, err
}

// ByHash reads an access token that has not expired; ErrNotFound if there is none.
func ByHash(ctx context.Context, s *db.DB, hash string) (AccessToken, error) {
	item, err := s.Get(ctx, db.NameKey("token", hash))
	if err != nil {
		return AccessToken{}, err
	}
	var v storedToken
	if err := db.Unmarshal(item.Body, &v); err != nil {
		return AccessToken{}, err
	}
	if !v.ExpiresAt.IsZero() && !s.Now().Before(v.ExpiresAt.Time) {
		return AccessToken{}, db.ErrNotFound
	}
	return token(v), nil
}

// ErrTooMany means that a user has the maximum number of tokens.
var ErrTooMany = errors.New("tokens: too many")

// Create stores a new access token; ErrTooMany if its user has the maximum number.
func Create(ctx context.Context, s *db.DB, tx *db.Tx, v AccessToken) error {
	kept := docs(s, v.UserID)
	held, err := kept.All(ctx)
	if err != nil {
		return err
	}
	if len(held) >= maxTokens {
		return ErrTooMany
	}
	value := storedToken{v, v.UserID, v.Resets, v.Hash}
	kept.Create(tx, v.ID, value, db.ErrOvertaken)
	tx.Create(table.Item{Key: db.NameKey("token", v.Hash), Body: db.Pack(value)}, db.ErrOvertaken)
	return nil
}

// Delete revokes an access token; ErrNotFound if the user has none with this id.
func Delete(ctx context.Context, s *db.DB, tx *db.Tx, userID, id string) (AccessToken, error) {
	d, err := docs(s, userID).Get(ctx, id)
	if err != nil {
		return AccessToken{}, err
	}
	docs(s, userID).Delete(tx, d)
	tx.Delete(db.NameKey("token", d.Value.Hash))
	return token(d.Value), nil
}
