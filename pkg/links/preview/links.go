package preview

import (
	"context"
	"crypto/ed25519"
	"errors"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/site"
)

// Links makes and revokes the preview links of entries.
type Links struct{ Entries *editing.Entries }

// Link is a link to an entry with its draft (extensions §5).
type Link struct {
	Token     string   `json:"token"`
	URL       *string  `json:"url"` // nil where the model has no template
	ExpiresAt cms.Time `json:"expires_at"`
}

var errNoPreview = cms.Errorf(cms.CodeForbidden, "The preview token is invalid, expired or revoked.")

// Create makes a token from a body with expires_in, in seconds. Errors: MODEL_NOT_FOUND,
// ENTRY_NOT_FOUND, FORBIDDEN, VALIDATION_FAILED.
func (l Links) Create(ctx context.Context, model, id string, body map[string]any) (Link, error) {
	m, e, err := l.previewed(ctx, model, id)
	if err != nil {
		return Link{}, err
	}
	lasts, err := Lasts(body)
	if err != nil {
		return Link{}, err
	}
	key, err := l.signingKey(ctx)
	if err != nil {
		return Link{}, err
	}
	revoked, err := l.revoked(ctx, e.ID)
	if err != nil {
		return Link{}, err
	}
	expires := l.Entries.Store.Now().Add(lasts).Truncate(time.Second)
	t := Token{ModelID: m.ID, ID: e.ID, Expires: expires, Revoked: revoked}
	return t.link(m, e, key), nil
}

// link is the link that carries the token.
func (t Token) link(m *site.Model, e *cms.Entry, key ed25519.PrivateKey) Link {
	p := Link{Token: t.Sign(key), ExpiresAt: cms.At(t.Expires)}
	if m.PreviewURL != "" {
		address := Address(m.PreviewURL, e, p.Token)
		p.URL = &address
	}
	return p
}

// previewed is the entry that links are made for; its editors may make them.
func (l Links) previewed(ctx context.Context, model, id string) (*site.Model, *cms.Entry, error) {
	d, err := l.Entries.DraftOrLive(ctx, model, id)
	if err != nil {
		return nil, nil, err
	}
	site, err := l.Entries.Store.Site(ctx)
	if err != nil {
		return nil, nil, err
	}
	m := site.Models[model]
	if m == nil {
		return nil, nil, cms.Errorf(cms.CodeModelNotFound, "There is no model %q.", cms.Shorten(model))
	}
	return m, d.Live, cms.PermissionsOf(ctx).Check(cms.ActionWrite, m.Slug, d.Live.Locale, "entry")
}

// Revoke makes all tokens of an entry worthless. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND,
// FORBIDDEN.
func (l Links) Revoke(ctx context.Context, model, id string) error {
	_, e, err := l.previewed(ctx, model, id)
	if err != nil {
		return err
	}
	tx := l.Entries.Store.Begin()
	tx.Add(revokedKey(e.ID), 1)
	return l.Entries.Store.Commit(ctx, tx)
}

// EntryOf is the id of the entry of a model that a token was made for. Errors: FORBIDDEN for a
// token that does not hold.
func (l Links) EntryOf(ctx context.Context, m *site.Model, token string) (string, error) {
	key, err := l.stored(ctx)
	if err != nil {
		return "", err
	}
	t, ok := Read(token, key.public, m.ID, l.Entries.Store.Now().Time)
	if !ok {
		return "", errNoPreview
	}
	revoked, err := l.revoked(ctx, t.ID)
	if err == nil && revoked != t.Revoked {
		err = errNoPreview
	}
	return t.ID, err
}

// revoked is how often the tokens of an entry were revoked.
func (l Links) revoked(ctx context.Context, id string) (int64, error) {
	item, err := l.Entries.Store.Get(ctx, revokedKey(id))
	if errors.Is(err, db.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return item.Count, nil
}
