package access

import (
	"context"

	"headless/pkg/access/tokens"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// SessionRecord is a stored session. It is found by the hash of its token, and listed by its user.
type SessionRecord struct {
	ID         string   `json:"id"`
	UserID     string   `json:"user_id"`
	Epoch      int64    `json:"epoch"` // of the user at sign-in
	ExpiresAt  cms.Time `json:"expires_at"`
	CreatedAt  cms.Time `json:"created_at"`
	LastSeenAt cms.Time `json:"last_seen_at"`
	Address    string   `json:"address"`
	UserAgent  string   `json:"user_agent"`
	Strong     bool     `json:"strong"` // the OpenID Connect provider is responsible for a second factor
	// Passkey is the id of the passkey that the session was opened or confirmed with.
	Passkey     string   `json:"passkey,omitempty"`
	ConfirmedAt cms.Time `json:"confirmed_at"` // when the user last confirmed their identity
	// ProvenAt is when the user proved their identity before the session was opened: at the provider, or in the session
	// that approved a program. It is zero if a password or passkey opened the session, or the provider does not say.
	ProvenAt cms.Time `json:"proven_at"`
	Hash     string   `json:"-"` // of the token; empty for an access token
	// AccessToken is the access token that is used in place of a session.
	AccessToken tokens.AccessToken `json:"-"`
	version     int64
}

// PutSession stores a session, new or read before, under the hash of its token.
func PutSession(t *db.Tx, v SessionRecord) {
	item := table.Item{Key: sessionKey(v.Hash), Version: v.version + 1, Body: db.Pack(v), Expires: v.ExpiresAt.Unix()}
	if v.version > 0 {
		t.Replace(item, v.version) // fails if the session has ended
		return
	}
	t.Put(item)
	t.Put(table.Item{Key: userSessionKey(v.UserID, v.ID), Body: []byte(v.Hash), Expires: v.ExpiresAt.Unix()})
}

// deleteSession ends a session that was read before. The commit fails with ErrOvertaken if it has changed or
// ended since.
func deleteSession(t *db.Tx, v SessionRecord) {
	t.Remove(sessionKey(v.Hash), v.version)
	t.Delete(userSessionKey(v.UserID, v.ID))
}

// Session reads a session that has not expired; ErrNotFound when there is none.
func (s *Store) Session(ctx context.Context, tokenHash string) (SessionRecord, error) {
	item, err := s.Get(ctx, sessionKey(tokenHash))
	if err != nil {
		return SessionRecord{}, err
	}
	v, err := decodeSession(item)
	if err == nil && !s.Now().Before(v.ExpiresAt.Time) {
		err = db.ErrNotFound
	}
	return v, err
}

func decodeSession(item *table.Item) (SessionRecord, error) {
	v := SessionRecord{Hash: item.Partition[len(sessionKey("").Partition):], version: item.Version}
	return v, db.Unmarshal(item.Body, &v)
}

// maxSessions is how many sessions of a user are listed.
const maxSessions = 200

// Sessions lists the sessions of a user that have not expired, the most recently used first.
// Sessions of an earlier epoch have ended and are left out.
func (s *Store) Sessions(ctx context.Context, u User) ([]SessionRecord, error) {
	rows, err := s.Table.Query(ctx, table.Range{Partition: userSessionKey(u.ID, "").Partition,
		Reverse: true, Limit: maxSessions})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	keys := slice.Map(rows, func(row table.Item) table.Key { return sessionKey(string(row.Body)) })
	items, err := s.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	var list []SessionRecord
	for _, item := range items {
		if item == nil {
			continue
		}
		v, err := decodeSession(item)
		if err != nil {
			return nil, err
		}
		if v.Epoch == u.Epoch && s.Now().Before(v.ExpiresAt.Time) {
			list = append(list, v)
		}
	}
	cms.Sort(list, func(a, b SessionRecord) int { return b.LastSeenAt.Compare(a.LastSeenAt.Time) })
	return list, nil
}
