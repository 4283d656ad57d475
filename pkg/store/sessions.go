package store

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Session is a signed-in user. It is found by the hash of its token.
type Session struct {
	UserID    string   `json:"user_id"`
	Epoch     int64    `json:"epoch"` // of the user at sign-in
	ExpiresAt cms.Time `json:"expires_at"`
}

// PutSession stores a new session under the hash of its token.
func (t *Tx) PutSession(tokenHash string, v Session) {
	t.put(table.Item{Key: sessionKey(tokenHash), Body: packed("session", v), Expires: v.ExpiresAt.Unix()})
}

// DeleteSession ends a session.
func (t *Tx) DeleteSession(tokenHash string) { t.delete(sessionKey(tokenHash)) }

// Session reads a session that has not expired; ErrNotFound when there is none.
func (s *Store) Session(ctx context.Context, tokenHash string) (Session, error) {
	item, err := s.get(ctx, sessionKey(tokenHash))
	if err != nil {
		return Session{}, err
	}
	var v Session
	if err := unmarshal(item.Body, &v); err != nil {
		return Session{}, err
	}
	if !s.Now().Before(v.ExpiresAt.Time) {
		return Session{}, ErrNotFound
	}
	return v, nil
}

// SignIns are the recent wrong tries to sign in to one account, whether it exists or not.
type SignIns struct {
	Tries       []cms.Time `json:"tries"`
	LockedUntil cms.Time   `json:"locked_until"`
	account     string
	version     int64
}

// SignIns reads the tries of an account, given by a hash of its address.
func (s *Store) SignIns(ctx context.Context, account string) (SignIns, error) {
	v := SignIns{account: account}
	item, err := s.get(ctx, signInsKey(account))
	if errors.Is(err, ErrNotFound) {
		return v, nil
	}
	if err != nil {
		return v, err
	}
	v.version = item.Version
	return v, unmarshal(item.Body, &v)
}

// PutSignIns replaces the tries as they were read; they are forgotten at expires.
func (t *Tx) PutSignIns(v SignIns, expires cms.Time) {
	item := table.Item{Key: signInsKey(v.account), Version: v.version + 1, Body: packed("tries", v), Expires: expires.Unix() + 1}
	if v.version == 0 {
		t.create(item, ErrOvertaken)
		return
	}
	t.replace(item, v.version)
}

// ClearSignIns forgets the tries of an account.
func (t *Tx) ClearSignIns(account string) { t.delete(signInsKey(account)) }

func packed(what string, v any) []byte {
	body, err := marshal(v)
	if err != nil {
		panic("store: a " + what + " cannot be encoded: " + err.Error())
	}
	return pack(body)
}
