package store

import (
	"context"
	"errors"
	"strings"

	"headless/pkg/cms"
)

// storedUser is a user with what signing in needs.
type storedUser struct {
	cms.User
	PasswordHash string `json:"password_hash"`
	Epoch        int64  `json:"epoch"`
}

func (s *Store) userDocs() Docs[storedUser] { return Docs[storedUser]{s: s, kind: "user"} }

// userSet is one document that every change of a user moves on, so that rules about all users hold under concurrent changes.
func (s *Store) userSet() Docs[struct{}] { return Docs[struct{}]{s: s, kind: "user-set"} }

const userSetID = "all"

// User is a user as stored: the password only as a hash.
type User struct {
	cms.User
	PasswordHash string // argon2id, with its parameters and salt
	Epoch        int64  // sessions of another epoch have ended
	version      int64
	email        string // as reserved
}

func user(d Doc[storedUser]) User {
	v := d.Value
	return User{User: v.User, PasswordHash: v.PasswordHash, Epoch: v.Epoch, version: d.Version, email: v.Email}
}

// Users is the list of all users, at one version.
type Users struct {
	List []User
	set  Doc[struct{}]
}

// User reads a user by id; ErrNotFound when there is none.
func (s *Store) User(ctx context.Context, id string) (User, error) {
	d, err := s.userDocs().Get(ctx, id)
	return user(d), err
}

// UserByEmail reads a user by e-mail address, in any case; ErrNotFound when there is none.
func (s *Store) UserByEmail(ctx context.Context, email string) (User, error) {
	d, err := s.userDocs().ByName(ctx, strings.ToLower(email))
	return user(d), err
}

// Users reads all users. A change that is put with them commits only if no user changed meanwhile.
func (s *Store) Users(ctx context.Context) (Users, error) {
	set, err := s.userSet().Get(ctx, userSetID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return Users{}, err
	}
	docs, err := s.userDocs().All(ctx)
	users := Users{set: set, List: make([]User, 0, len(docs))}
	for _, d := range docs {
		users.List = append(users.List, user(d))
	}
	return users, err
}

// PutUser creates a user, or changes one that was read with users. A taken e-mail address is taken.
func (t *Tx) PutUser(users Users, u User, taken error) {
	t.holdUsers(users)
	docs := t.s.userDocs()
	before, after := strings.ToLower(u.email), strings.ToLower(u.Email)
	if before != after {
		docs.ReserveName(t, after, u.ID, taken)
		if before != "" {
			docs.FreeName(t, before)
		}
	}
	value := storedUser{u.User, u.PasswordHash, u.Epoch}
	if u.version == 0 {
		docs.Create(t, u.ID, value, ErrOvertaken)
		return
	}
	docs.Update(t, Doc[storedUser]{ID: u.ID, Version: u.version, Value: value})
}

// DeleteUser removes a user that was read with users; the address is free again.
func (t *Tx) DeleteUser(users Users, u User) {
	t.holdUsers(users)
	t.s.userDocs().FreeName(t, strings.ToLower(u.email))
	t.s.userDocs().Delete(t, Doc[storedUser]{ID: u.ID, Version: u.version})
}

func (t *Tx) holdUsers(users Users) {
	if users.set.Version == 0 {
		t.s.userSet().Create(t, userSetID, struct{}{}, ErrOvertaken)
		return
	}
	t.s.userSet().Update(t, users.set)
}
