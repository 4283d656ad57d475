package access

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// SessionView is a session as shown to its user.
type SessionView struct {
	ID         string   `json:"id"`
	CreatedAt  cms.Time `json:"created_at"`
	LastSeenAt cms.Time `json:"last_seen_at"`
	Address    string   `json:"address"`
	UserAgent  string   `json:"user_agent"`
	Current    bool     `json:"current"`
}

// List lists the sessions of a user, the most recently used first. current is the id of the session
// that makes the request. NOT_FOUND if there is no such user.
func (s *Sessions) List(ctx context.Context, userID, current string, p db.Paging) (db.Page[SessionView], error) {
	user, err := s.Store.User(ctx, userID)
	if err != nil {
		return db.Page[SessionView]{}, input.NotFound(err, "user")
	}
	sessions, err := s.Store.Sessions(ctx, user)
	views := []SessionView{}
	for _, v := range sessions {
		if s.isIdle(v) {
			continue
		}
		views = append(views, SessionView{v.ID, v.CreatedAt, v.LastSeenAt, v.Address, v.UserAgent, v.ID == current})
	}
	return db.PageOf(views, p), err
}

// End ends a session of a user by its id; NOT_FOUND if there is none.
func (s *Sessions) End(ctx context.Context, actor cms.Actor, userID, id string) error {
	return s.Store.withUser(ctx, userID, func(user User) error {
		sessions, err := s.Store.Sessions(ctx, user)
		if err != nil {
			return err
		}
		for _, v := range sessions {
			if v.ID == id {
				return s.endSession(ctx, actor, v, user.Email)
			}
		}
		return input.NotFound(db.ErrNotFound, "session")
	})
}

// EndOthers ends all sessions of the user of a session except that one. An access token ends all.
func (s *Sessions) EndOthers(ctx context.Context, actor cms.Actor, token string) error {
	return s.Store.Retry(ctx, func() error {
		session, user, err := s.Owner(ctx, token)
		if err != nil {
			return err
		}
		user.Epoch++
		tx := s.Store.Begin()
		PutFactors(tx, user)
		if session.Hash != "" {
			session.Epoch = user.Epoch
			PutSession(tx, session)
		}
		tx.Audit(actor, "session.ended", "other sessions of "+user.Email, user.ID, nil, nil)
		return s.Store.Commit(ctx, tx)
	})
}
