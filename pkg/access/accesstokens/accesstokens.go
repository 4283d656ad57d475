// Package accesstokens creates, lists and ends the access tokens of users.
package accesstokens

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"headless/pkg/access"
	"headless/pkg/access/tokens"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// Tokens are the access tokens of users.
type Tokens struct{ Sessions *access.Sessions }

func (s *Tokens) store() *access.Store { return s.Sessions.Store }

// NewToken is a new access token. The token itself is shown only in the response to its creation.
type NewToken struct {
	tokens.AccessToken
	Token string `json:"token"`
}

// List lists the valid access tokens of a user; NOT_FOUND if there is no such user.
func (s *Tokens) List(ctx context.Context, userID string, p db.Paging) (db.Page[tokens.AccessToken], error) {
	user, err := s.store().User(ctx, userID)
	if err != nil {
		return db.Page[tokens.AccessToken]{}, input.NotFound(err, "user")
	}
	list, err := tokens.List(ctx, s.store().DB, user.ID, user.Resets)
	return db.PageOf(list, p), err
}

// Get reads a valid access token of a user; NOT_FOUND if there is none.
func (s *Tokens) Get(ctx context.Context, userID, id string) (tokens.AccessToken, error) {
	user, err := s.store().User(ctx, userID)
	if err != nil {
		return tokens.AccessToken{}, input.NotFound(err, "user")
	}
	found, err := tokens.Get(ctx, s.store().DB, user.ID, id, user.Resets)
	return found, input.NotFound(err, "token")
}

// newToken is the body of a new access token.
type newToken struct {
	Name      string       `json:"name"`
	Scope     tokens.Scope `json:"scope"`
	ExpiresAt cms.Time     `json:"expires_at"`
}

// token returns the access token that the body describes, and reports its problems.
func (in newToken) token(now cms.Time, p cms.Problems) tokens.AccessToken {
	v := tokens.AccessToken{
		ID: uuid.Must(uuid.NewV7()).String(), Name: in.Name, CreatedAt: now,
		Scope: in.Scope, ExpiresAt: in.ExpiresAt,
	}
	if v.ExpiresAt.IsZero() { // null counts as left out
		v.ExpiresAt = cms.At(now.Add(tokens.DefaultTime))
	}
	input.CheckName(p, v.Name)
	if !v.Scope.Valid() {
		p.Add("scope", "must be read, content or all")
	}
	switch {
	case !now.Before(v.ExpiresAt.Time):
		p.Add("expires_at", "must be in the future")
	case tokens.Latest(now).Before(v.ExpiresAt.Time):
		p.Add("expires_at", "must be within a year")
	}
	return v
}

// Create makes an access token that acts as the session's user. Errors: VALIDATION_FAILED,
// FORBIDDEN if the request is itself made with an access token.
func (s *Tokens) Create(ctx context.Context, actor cms.Actor, token string,
	body map[string]any) (made NewToken, err error) {
	err = s.store().Retry(ctx, func() error {
		made, err = s.create(ctx, actor, token, body)
		return err
	})
	return made, err
}

func (s *Tokens) create(ctx context.Context, actor cms.Actor, token string, body map[string]any) (NewToken, error) {
	session, user, err := s.Sessions.Owner(ctx, token)
	if err != nil {
		return NewToken{}, err
	}
	if session.Hash == "" {
		return NewToken{}, cms.Errorf(cms.CodeForbidden, "An access token cannot create access tokens. Sign in instead.")
	}
	in := newToken{Scope: tokens.ScopeContent}
	p := input.Apply(body, &in, "last_used_at")
	made := NewToken{AccessToken: in.token(s.store().Now(), p), Token: tokens.Prefix + db.RandomToken()}
	if err := p.Err(); err != nil {
		return NewToken{}, err
	}
	made.UserID, made.Resets, made.Hash = user.ID, user.Resets, db.TokenHash(made.Token)
	return made, s.store().Retry(ctx, func() error {
		tx := s.store().Begin()
		tokens.Create(tx, made.AccessToken)
		tx.Audit(actor, "token.created", "token "+made.Name, made.ID, nil, map[string]any{"scope": made.Scope})
		return s.store().Commit(ctx, tx)
	})
}

// Delete ends one access token of a user, or all of them if id is "". NOT_FOUND if there is
// none.
func (s *Tokens) Delete(ctx context.Context, actor cms.Actor, userID, id string) error {
	return s.store().Retry(ctx, func() error {
		if id == "" {
			return s.endAll(ctx, actor, userID)
		}
		ended, err := s.Get(ctx, userID, id)
		if err != nil {
			return err
		}
		tx := s.store().Begin()
		tokens.Delete(tx, ended)
		tx.Audit(actor, "token.deleted", "token "+ended.Name, ended.ID, nil, nil)
		return s.store().Commit(ctx, tx)
	})
}

// endAll ends all access tokens of a user.
func (s *Tokens) endAll(ctx context.Context, actor cms.Actor, userID string) error {
	user, err := s.store().User(ctx, userID)
	if err != nil {
		return input.NotFound(err, "user")
	}
	user.Resets++
	tx := s.store().Begin()
	access.PutFactors(tx, user)
	tx.Audit(actor, "token.deleted", "all tokens of "+user.Email, user.ID, nil, nil)
	return s.store().Commit(ctx, tx)
}

// Upgrade gives the access tokens of former versions the scope all, and an end within 90 days
// of which it notifies their users. It may run at any time and more than once.
func (s *Tokens) Upgrade(ctx context.Context) error {
	former, err := tokens.Former(ctx, s.store().DB)
	for _, t := range former {
		if err != nil {
			return err
		}
		if err = s.upgrade(ctx, t); errors.Is(err, db.ErrOvertaken) {
			err = nil // used or deleted in the meantime: it is upgraded next time
		}
	}
	return err
}

func (s *Tokens) upgrade(ctx context.Context, t tokens.AccessToken) error {
	user, err := s.store().User(ctx, t.UserID)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	tx := s.store().Begin()
	if err != nil || user.Resets != t.Resets {
		tokens.Delete(tx, t)
		return s.store().Commit(ctx, tx)
	}
	t.Scope = tokens.ScopeAll
	if end := cms.At(tx.At().Add(tokens.DefaultTime)); t.ExpiresAt.IsZero() || end.Before(t.ExpiresAt.Time) {
		t.ExpiresAt = end
		s.Sessions.Notices.Add(tx, cms.Actor{Source: cms.SourceAdmin}, user.Email,
			cms.Notice{Subject: cms.Phrased("Your access token ends"), Language: user.Language, Paragraphs: []cms.Phrase{
				cms.Phrased("Access tokens have an end now. Your token \"{1}\" works until {2}. "+
					"Create a new one in your profile before that.",
					t.Name, t.ExpiresAt.UTC().Format(time.RFC3339)).Timed()}})
	}
	tokens.Update(tx, t)
	return s.store().Commit(ctx, tx)
}
