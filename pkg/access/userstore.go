package access

import (
	"context"
	"errors"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/rights"
	"headless/pkg/slice"
)

func userDocs(s *db.DB) db.Docs[User] { return db.Docs[User]{DB: s, Kind: "user"} }

// userSet is one document that every change of a user updates, so that rules about all users hold
// under concurrent changes.
func userSet(s *db.DB) db.Docs[struct{}] { return db.Docs[struct{}]{DB: s, Kind: "user-set"} }

const userSetID = "all"

// User is a user as stored: the password only as a hash.
type User struct {
	cms.User
	PasswordHash string  `json:"password_hash"` // argon2id, with its parameters and salt
	Epoch        int64   `json:"epoch"`         // sessions of another epoch have ended
	Resets       int64   `json:"resets"`        // grows when all access tokens must end
	Factors      Factors `json:"factors"`
	// Term is the number of deactivations; each ends what the user had planned and started.
	Term int64 `json:"term,omitempty"`
	// EmailToken is the hash of the token that confirms a new address; empty if none is pending.
	EmailToken string `json:"email_token,omitempty"`
	version    int64
	email      string // as it was read, and reserved
}

func user(d db.Doc[User]) User {
	u := d.Value
	u.version, u.email = d.Version, u.Email
	return u
}

func (u User) doc() db.Doc[User] { return db.Doc[User]{ID: u.ID, Version: u.version, Value: u} }

func (u User) signIn() rights.SignIn {
	return rights.SignIn{Term: u.Term, Resets: u.Resets, HasFactor: u.Factors.TOTP != nil || len(u.Factors.Passkeys) > 0}
}

// UserList is the list of all users at one version.
type UserList struct {
	List []User
	set  db.Doc[struct{}]
}

// User reads a user by id; ErrNotFound if there is none.
func (s *Store) User(ctx context.Context, id string) (User, error) {
	d, err := userDocs(s.DB).Get(ctx, id)
	return user(d), err
}

// withUser reads a user for a change, and again if another change overtakes it; NOT_FOUND if there is none.
func (s *Store) withUser(ctx context.Context, id string, change func(User) error) error {
	return s.Retry(ctx, func() error {
		user, err := s.User(ctx, id)
		if err != nil {
			return input.NotFound(err, "user")
		}
		return change(user)
	})
}

// UserByEmail reads a user by e-mail address, ignoring case; ErrNotFound if there is none.
func (s *Store) UserByEmail(ctx context.Context, email string) (User, error) {
	d, err := userDocs(s.DB).ByName(ctx, strings.ToLower(email))
	return user(d), err
}

// Users reads all users. A change that is stored with the result commits only if no user changed in
// the meantime.
func (s *Store) Users(ctx context.Context) (UserList, error) {
	set, err := userSet(s.DB).Get(ctx, userSetID)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return UserList{}, err
	}
	docs, err := userDocs(s.DB).All(ctx)
	return UserList{set: set, List: slice.Map(docs, user)}, err
}

// putUser creates a user, or changes one that was read with users. The commit fails with taken if
// another user has the e-mail address.
func putUser(t *db.Tx, users UserList, u User, taken error) {
	requireUsers(t, users)
	rights.Put(t, u.User, u.signIn())
	docs := userDocs(t.DB)
	before, after := strings.ToLower(u.email), strings.ToLower(u.Email)
	if before != after {
		docs.ReserveName(t, after, u.ID, taken)
		if before != "" {
			docs.FreeName(t, before)
		}
	}
	docs.Save(t, u.doc())
}

// deleteUser deletes a user that was read with users; the e-mail address is free afterwards.
func deleteUser(t *db.Tx, users UserList, u User) {
	requireUsers(t, users)
	rights.Put(t, cms.User{ID: u.ID}, u.signIn())
	userDocs(t.DB).FreeName(t, strings.ToLower(u.email))
	userDocs(t.DB).Delete(t, u.doc())
}

// requireUsers makes the commit fail with ErrOvertaken if, since users were read, a user was added,
// deleted, or changed in a way that matters to rules about all users.
func requireUsers(t *db.Tx, users UserList) {
	if users.set.Version == 0 {
		userSet(t.DB).Create(t, userSetID, struct{}{}, db.ErrOvertaken)
		return
	}
	userSet(t.DB).Update(t, users.set)
}
