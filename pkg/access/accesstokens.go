package access

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"headless/pkg/access/tokens"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// tokenPrefix distinguishes access tokens from session tokens.
const tokenPrefix = "pat_"

// NewToken is a new access token. The token itself is shown only in the response to its creation.
type NewToken struct {
	tokens.AccessToken
	Token string `json:"token"`
}

// Tokens lists the access tokens of the session's user.
func (s *Sessions) Tokens(ctx context.Context, token string,
	p db.Paging) (db.Page[tokens.AccessToken], error) {
	_, user, err := s.Owner(ctx, token)
	if err != nil {
		return db.Page[tokens.AccessToken]{}, input.NotFound(err, "session")
	}
	list, err := tokens.List(ctx, s.Store.DB, user.ID, user.Resets)
	return db.PageOf(list, p), err
}

// CreateToken makes an access token that acts as the session's user. Errors: VALIDATION_FAILED,
// FORBIDDEN if the request is itself made with an access token.
func (s *Sessions) CreateToken(ctx context.Context, actor cms.Actor, token string,
	body map[string]any) (NewToken, error) {
	var in struct {
		Name      *string   `json:"name"`
		ExpiresAt *cms.Time `json:"expires_at"`
	}
	p := cms.Problems{}
	input.Decode(body, &in, p)
	session, user, err := s.Owner(ctx, token)
	if err != nil {
		return NewToken{}, input.NotFound(err, "session")
	}
	if session.Hash == "" {
		return NewToken{}, cms.Errorf(cms.CodeForbidden, "An access token cannot create access tokens. Sign in instead.")
	}
	tx := s.Store.Begin()
	made := NewToken{Token: tokenPrefix + db.RandomToken()}
	made.AccessToken = tokens.AccessToken{
		ID: uuid.Must(uuid.NewV7()).String(), Name: input.Given(in.Name, ""),
		ExpiresAt: input.Given(in.ExpiresAt, cms.Time{}), CreatedAt: tx.At(),
		UserID: user.ID, Resets: user.Resets, Hash: db.TokenHash(made.Token),
	}
	input.CheckName(p, made.Name)
	if !made.ExpiresAt.IsZero() && !tx.At().Before(made.ExpiresAt.Time) {
		p.Add("expires_at", "must be in the future")
	}
	if err := p.Err(); err != nil {
		return NewToken{}, err
	}
	err = tokens.Create(ctx, s.Store.DB, tx, made.AccessToken)
	if errors.Is(err, tokens.ErrTooMany) {
		err = cms.Errorf(cms.CodeConflict, "You have too many access tokens. Delete some first.")
	}
	if err != nil {
		return NewToken{}, err
	}
	tx.Audit(actor, "token.created", "token "+made.Name, made.ID, nil, nil)
	return made, s.Store.Commit(ctx, tx)
}

// DeleteToken revokes an access token of the session's user; NOT_FOUND if there is none.
func (s *Sessions) DeleteToken(ctx context.Context, actor cms.Actor, token, id string) error {
	_, user, err := s.Owner(ctx, token)
	if err != nil {
		return input.NotFound(err, "session")
	}
	tx := s.Store.Begin()
	gone, err := tokens.Delete(ctx, s.Store.DB, tx, user.ID, id)
	if err != nil {
		return input.NotFound(err, "token")
	}
	tx.Audit(actor, "token.deleted", "token "+gone.Name, gone.ID, nil, nil)
	return s.Store.Commit(ctx, tx)
}
