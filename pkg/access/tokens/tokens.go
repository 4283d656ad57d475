// Package tokens stores access tokens, with which programs act as users.
package tokens

import (
	"context"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// Prefix distinguishes access tokens from session tokens.
const Prefix = "pat_"

// Scope is the part of its user's permissions that an access token has.
type Scope string

// The scopes of access tokens. Each includes the ones before it.
const (
	ScopeRead    Scope = "read"    // reading what ScopeContent covers
	ScopeContent Scope = "content" // everything except accounts, keys, webhooks, roles and secrets
	ScopeAll     Scope = "all"
)

// Valid reports whether there is such a scope.
func (s Scope) Valid() bool { return s == ScopeRead || s == ScopeContent || s == ScopeAll }

// DefaultTime is how long an access token is valid if it is created without a time.
const DefaultTime = 90 * 24 * time.Hour

// Latest returns the latest time at which a token that is created at now may expire.
func Latest(now cms.Time) cms.Time { return cms.At(now.AddDate(1, 0, 0)) }

// AccessToken lets a program act as a user. It is found by the hash of its secret, and listed by
// its user.
type AccessToken struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	ExpiresAt  cms.Time `json:"expires_at"` // zero for tokens of former versions, until Upgrade
	CreatedAt  cms.Time `json:"created_at"`
	Scope      Scope    `json:"scope"`        // empty for tokens of former versions, until Upgrade
	LastUsedAt cms.Time `json:"last_used_at"` // zero: never; to five minutes

	UserID  string `json:"-"`
	Resets  int64  `json:"-"` // User.Resets at creation; the token ends when that changes
	Hash    string `json:"-"`
	version int64
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

func token(d db.Doc[storedToken]) AccessToken {
	t := d.Value.AccessToken
	t.UserID, t.Resets, t.Hash, t.version = d.Value.UserID, d.Value.Resets, d.Value.Hash, d.Version
	return t
}

func (t AccessToken) doc() db.Doc[storedToken] {
	return db.Doc[storedToken]{ID: t.ID, Version: t.version, Value: storedToken{t, t.UserID, t.Resets, t.Hash}}
}

// validAt reports whether the token works for a user with the given number of resets.
func (t AccessToken) validAt(now cms.Time, resets int64) bool {
	return t.Resets == resets && (t.ExpiresAt.IsZero() || now.Before(t.ExpiresAt.Time))
}

// List lists the valid access tokens of a user.
func List(ctx context.Context, s *db.DB, userID string, resets int64) ([]AccessToken, error) {
	valid, _, err := ofUser(ctx, s, userID, resets)
	return valid, err
}

// ofUser returns the access tokens of a user: valid ones, and those that have ended.
func ofUser(ctx context.Context, s *db.DB, userID string, resets int64) (valid, ended []AccessToken, err error) {
	all, err := docs(s, userID).All(ctx)
	valid = []AccessToken{}
	for _, d := range all {
		if t := token(d); t.validAt(s.Now(), resets) {
			valid = append(valid, t)
		} else {
			ended = append(ended, t)
		}
	}
	return valid, ended, err
}

// ByHash reads an access token that has not expired; ErrNotFound if there is none.
func ByHash(ctx context.Context, s *db.DB, hash string) (AccessToken, error) {
	at, _, err := db.Read[storedToken](ctx, s, db.NameKey("token", hash))
	if err != nil {
		return AccessToken{}, err
	}
	d, err := docs(s, at.UserID).Get(ctx, at.ID)
	if err != nil {
		return AccessToken{}, err
	}
	v := token(d)
	if v.Hash != hash || !v.validAt(s.Now(), v.Resets) {
		return AccessToken{}, db.ErrNotFound
	}
	return v, nil
}

// Granted returns the scope in which the token works; empty if there is no token.
func (t AccessToken) Granted() Scope {
	if t.ID != "" && t.Scope == "" {
		return ScopeAll
	}
	return t.Scope
}

var errTooMany = cms.Errorf(cms.CodeConflict, "You have too many access tokens. Delete some first.")

// Create adds a new access token to a transaction and deletes those of its user that have ended. The commit
// returns CONFLICT if the user has the maximum number.
func Create(tx *db.Tx, v AccessToken) {
	tx.CheckAlone("tokens#"+v.UserID, func(ctx context.Context) error {
		valid, ended, err := ofUser(ctx, tx.DB, v.UserID, v.Resets)
		if err == nil && len(valid) >= maxTokens {
			err = errTooMany
		}
		for _, t := range ended[:min(len(ended), maxDeleted)] {
			Delete(tx, t)
		}
		return err
	})
	docs(tx.DB, v.UserID).Create(tx, v.ID, v.doc().Value, db.ErrOvertaken)
	at := storedToken{AccessToken: AccessToken{ID: v.ID}, UserID: v.UserID}
	tx.Create(table.Item{Key: db.NameKey("token", v.Hash), Body: db.Pack(at)}, db.ErrOvertaken)
}

// maxDeleted is how many ended tokens one transaction deletes.
const maxDeleted = 20

// Get reads a valid access token of a user; ErrNotFound if there is none with this id.
func Get(ctx context.Context, s *db.DB, userID, id string, resets int64) (AccessToken, error) {
	d, err := docs(s, userID).Get(ctx, id)
	if err == nil && !token(d).validAt(s.Now(), resets) {
		err = db.ErrNotFound
	}
	return token(d), err
}

// Update stores a token that was read before. The commit fails if it has changed since.
func Update(tx *db.Tx, v AccessToken) { docs(tx.DB, v.UserID).Update(tx, v.doc()) }

// Delete ends an access token that was read before.
func Delete(tx *db.Tx, v AccessToken) {
	docs(tx.DB, v.UserID).Delete(tx, v.doc())
	tx.Delete(db.NameKey("token", v.Hash))
}

// Former lists the access tokens of all users that a former version created, without a scope.
func Former(ctx context.Context, s *db.DB) (list []AccessToken, err error) {
	all, err := db.Docs[storedToken]{DB: s, Kind: "token"}.All(ctx)
	for _, d := range all {
		if d.Value.Scope == "" {
			d.ID = d.Value.ID
			list = append(list, token(d))
		}
	}
	return list, err
}
