package preview

import (
	"context"
	"crypto/ed25519"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Links creates, revokes and verifies the preview links of entries.
type Links struct{ Entries *editing.Entries }

// Link is a link to an entry with its draft (extensions §5).
type Link struct {
	Token     string   `json:"token"`
	URL       *string  `json:"url"` // nil if the model has no preview_url
	ExpiresAt cms.Time `json:"expires_at"`
}

var errNoPreview = cms.Errorf(cms.CodeForbidden, "The preview token is invalid, expired or revoked.")

// Create creates a link to an entry. The body may hold expires_in, in seconds. Errors:
// MODEL_NOT_FOUND, ENTRY_NOT_FOUND, FORBIDDEN, VALIDATION_FAILED.
func (l Links) Create(ctx context.Context, actor cms.Actor, model, id string, body map[string]any) (Link, error) {
	m, e, err := l.entryOf(ctx, model, id)
	if err != nil {
		return Link{}, err
	}
	lifetime, err := Lifetime(body)
	if err != nil {
		return Link{}, err
	}
	made, err := l.make(ctx, actor, []content.Reference{{Model: m, ID: e.ID}}, []*cms.Entry{e}, lifetime)
	if err != nil {
		return Link{}, err
	}
	return made[0], nil
}

// link returns the link with the token.
func (t Token) link(m *site.Model, e *cms.Entry, key ed25519.PrivateKey) Link {
	p := Link{Token: t.Sign(key), ExpiresAt: cms.At(t.Expires)}
	if m.PreviewURL != "" {
		address := Address(m.PreviewURL, e, p.Token)
		p.URL = &address
	}
	return p
}

// entryOf returns the entry of a link and its model. It returns FORBIDDEN unless the caller may
// edit the entry.
func (l Links) entryOf(ctx context.Context, model, id string) (*site.Model, *cms.Entry, error) {
	d, err := l.Entries.DraftOrLive(ctx, model, id)
	if err != nil {
		return nil, nil, err
	}
	site, err := l.Entries.Store.Site(ctx)
	if err != nil {
		return nil, nil, err
	}
	m, err := site.Model(model)
	if err != nil {
		return nil, nil, err
	}
	return m, d.Live, cms.PermissionsOf(ctx).Check(cms.ActionWrite, m.Slug, d.Live.Locale, "entry")
}

// Revoke invalidates all tokens of an entry. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND, FORBIDDEN.
func (l Links) Revoke(ctx context.Context, actor cms.Actor, model, id string) error {
	m, e, err := l.entryOf(ctx, model, id)
	if err != nil {
		return err
	}
	tx := l.Entries.Store.Begin()
	tx.Activity(actor, "preview.ended", "preview links of "+editing.Subject(m, e), e.ID)
	tx.Do(table.Op{Kind: table.Add, Item: table.Item{Key: revokedKey(e.ID), Count: 1}}, nil)
	if err := l.Entries.Store.Commit(ctx, tx); err != nil {
		return err
	}
	return l.revokeOf(ctx, e.ID)
}
