package preview

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// kindSite is the kind of links to the site as it will be.
const kindSite = "site"

// siteTokens stands for the id of a model in the tokens of the site.
const siteTokens = "site"

// View says how a link shows the site (extensions §15): as of a time, with a release published, or
// with all drafts.
type View struct {
	Name    string   `json:"name,omitempty"`
	At      cms.Time `json:"at,omitzero"`
	Release string   `json:"release,omitempty"` // id
	Drafts  bool     `json:"drafts,omitempty"`
	Locales []string `json:"locales,omitempty"` // whose changes are shown; nil: all

	// Unchanged is how many entries were listed without being changed when the link was made. It is negative if more
	// were changed, such as those below others.
	Unchanged int `json:"unchanged,omitempty"`
}

// Site is the view of a valid token of the site.
type Site struct {
	View
	Made  cms.Time
	By    cms.Actor
	Maker *cms.Permissions // only changes of models that these permit to read are shown; set by the caller
}

// MakeSite makes a link to the site. It returns the id of the link, too.
func (l Links) MakeSite(ctx context.Context, actor cms.Actor, v View, lifetime time.Duration) (string, Link, error) {
	site, err := l.Entries.Store.Site(ctx)
	if err != nil {
		return "", Link{}, err
	}
	key, err := l.signingKey(ctx)
	if err != nil {
		return "", Link{}, err
	}
	name, err := l.nameOf(ctx, actor)
	if err != nil {
		return "", Link{}, err
	}
	tx, id := l.Entries.Store.Begin(), uuid.Must(uuid.NewV7()).String()
	t := Token{LinkID: id, ModelID: siteTokens, ID: cmp.Or(v.Release, id),
		Expires: tx.At().Add(lifetime).Truncate(time.Second)}
	switch {
	case v.Drafts:
		t.Revoked = ofDrafts
	case v.Release != "":
		t.Revoked = ofRelease
	default:
		t.Revoked = v.At.UnixMicro()
	}
	putLink(tx, t, madeLink{View: &v, By: actor, Name: name})
	tx.Activity(actor, "preview.created", strings.TrimSpace("site preview "+v.Name), id)
	link := Link{Token: t.Sign(key), ExpiresAt: cms.At(t.Expires)}
	if template := site.PreviewURL(); template != "" {
		locale := site.Default
		if len(v.Locales) > 0 {
			locale = v.Locales[0]
		}
		address := Address(template, &cms.Entry{Locale: locale}, link.Token)
		link.URL = &address
	}
	return id, link, l.Entries.Store.Commit(ctx, tx)
}

// Tokens of the site have one of these in place of a time. Tokens of entries have no negative number there, and two
// ids.
const (
	ofDrafts  = -1
	ofRelease = -2 // whose id is the other one of the token
)

// lastKey is the public key that verified a token of a site last in this process.
var lastKey atomic.Pointer[ed25519.PublicKey]

// Peek returns the view that a token of the site names, before OpenSite has read whether the token is valid, so that
// both can be read in one round trip. ok is false for tokens of entries, for tokens of former versions, which name no
// view, for tokens that lastKey did not sign, for which nothing should be read, and if there is no lastKey yet.
func Peek(token string) (v View, ok bool) {
	key := lastKey.Load()
	if key == nil {
		return v, false
	}
	t, ok := Read(token, *key, siteTokens, time.Time{})
	if !ok {
		return v, false
	}
	switch {
	case t.Revoked == ofDrafts:
		return View{Drafts: true}, true
	case t.Revoked == ofRelease:
		return View{Release: t.ID}, true
	case t.Revoked > 0 && t.ID == t.LinkID:
		return View{At: cms.Time{Time: time.UnixMicro(t.Revoked).UTC()}}, true
	}
	return v, false
}

// OpenSite returns the view of a token of the site, without its Maker. ok is false if the token is none
// of the site. Error: FORBIDDEN for a token that is expired or ended.
func (l Links) OpenSite(ctx context.Context, token string) (s Site, ok bool, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != tokenSize {
		return s, false, nil
	}
	rows, err := l.Entries.Store.Table.Get(ctx, table.Strong, secretKey(), linkKey(uuid.UUID(raw[:idSize]).String()))
	if err != nil || rows[0] == nil {
		return s, false, err
	}
	public := storedIn(rows[0]).public
	t, ok := Read(token, public, siteTokens, time.Time{})
	if !ok {
		return s, false, nil
	}
	lastKey.Store(&public)
	if rows[1] == nil || !l.Entries.Store.Now().Before(t.Expires) {
		return s, true, errNoPreview
	}
	var v madeLink
	if err := db.Unpack(rows[1].Body, &v); err != nil {
		return s, true, err
	}
	return Site{View: *v.View, Made: v.At, By: v.By}, true, nil
}

// Maker returns the present permissions of who made a link to the site. Error: FORBIDDEN if the maker
// has no account any more or may not save anything.
func (l Links) Maker(ctx context.Context, s Site) (*cms.Permissions, error) {
	p, err := l.permissionsOf(ctx, s.By)
	if cms.CodeOf(err) == cms.CodeForbidden || err == nil && !p.MayAny(cms.ActionWrite) {
		err = errNoPreview
	}
	return p, err
}
