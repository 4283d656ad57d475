package preview

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/rights"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// kindEntry is the kind of links to one entry.
const kindEntry = "entry"

// Made is a link that was made, without its token (extensions §15).
type Made struct {
	ID        string     `json:"id"`
	Kind      string     `json:"kind"`
	Model     string     `json:"model,omitempty"` // slug of the entry's model
	Entry     string     `json:"entry,omitempty"` // id
	View      *View      `json:"view,omitempty"`  // of a link to the site
	By        cms.Person `json:"by"`              // a user or a key
	At        cms.Time   `json:"at"`
	ExpiresAt cms.Time   `json:"expires_at"`
}

// madeLink is the stored form of a link. A token without this row is worthless.
type madeLink struct {
	ModelID   string    `json:"model_id,omitempty"`
	EntryID   string    `json:"entry_id,omitempty"`
	View      *View     `json:"view,omitempty"` // of a link to the site, which has no entry
	By        cms.Actor `json:"by"`
	Name      string    `json:"name"` // of By, as shown to others
	At        cms.Time  `json:"at"`
	ExpiresAt cms.Time  `json:"expires_at"`
}

// maker returns the id of the user or key that made the link.
func (v *madeLink) maker() string { return cmp.Or(v.By.KeyID, v.By.UserID) }

// madeAtOnce is how many links one transaction stores, each with its activity record.
const madeAtOnce = 20

// maxListed is how many links, the newest ones, lists see.
const maxListed = 4_000

// make makes links to entries that the caller may save. Their models are those of refs.
func (l Links) make(ctx context.Context, actor cms.Actor, refs []content.Reference, entries []*cms.Entry,
	lifetime time.Duration) ([]Link, error) {
	for i, e := range entries {
		err := cms.PermissionsOf(ctx).Check(cms.ActionWrite, refs[i].Model.Slug, e.Locale, "entry")
		if err != nil {
			return nil, err
		}
	}
	revoked, err := l.revokedEach(ctx, refs)
	if err != nil {
		return nil, err
	}
	key, err := l.signingKey(ctx)
	if err != nil {
		return nil, err
	}
	name, err := l.nameOf(ctx, actor)
	if err != nil {
		return nil, err
	}
	links := make([]Link, 0, len(refs))
	for at := 0; at < len(refs); at += madeAtOnce {
		tx := l.Entries.Store.Begin()
		expires := tx.At().Add(lifetime).Truncate(time.Second)
		for i := at; i < min(at+madeAtOnce, len(refs)); i++ {
			m, e := refs[i].Model, entries[i]
			t := Token{LinkID: uuid.Must(uuid.NewV7()).String(), ModelID: m.ID, ID: e.ID,
				Expires: expires, Revoked: revoked[i]}
			putLink(tx, t, madeLink{ModelID: m.ID, EntryID: e.ID, By: actor, Name: name})
			tx.Activity(actor, "preview.created", editing.Subject(m, e), e.ID)
			links = append(links, t.link(m, e, key))
		}
		tx.Made = links
		if err := l.Entries.Store.Commit(ctx, tx); err != nil {
			return nil, err
		}
	}
	return links, nil
}

// nameOf returns the name of a maker, as shown to others.
func (l Links) nameOf(ctx context.Context, actor cms.Actor) (string, error) {
	account, err := rights.AccountOf(ctx, l.Entries.Store.DB, actor.UserID)
	if errors.Is(err, db.ErrNotFound) {
		return actor.Name, nil
	}
	return account.Name, err
}

// putLink stores the row of a link.
func putLink(tx *db.Tx, t Token, v madeLink) {
	v.At, v.ExpiresAt, v.By.Address, v.By.RequestID = tx.At(), cms.At(t.Expires), "", ""
	tx.Put(table.Item{Key: linkKey(t.LinkID), Body: db.Pack(v), Expires: t.Expires.Unix()})
}

// list returns the valid links for which keep is true, newest first. It reads the newest links only, at most as many
// as most says; 0 means all.
func (l Links) list(ctx context.Context, most int, keep func(*madeLink) bool) ([]Made, error) {
	site, err := l.Entries.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := l.Entries.Store.Table.Query(ctx, table.Range{Partition: linksPartition, Reverse: true, Limit: most})
	if err != nil {
		return nil, err
	}
	list, now := []Made{}, l.Entries.Store.Now()
	for _, row := range rows {
		var v madeLink
		if err := db.Unpack(row.Body, &v); err != nil {
			return nil, err
		}
		if now.Before(v.ExpiresAt.Time) && keep(&v) {
			list = append(list, v.public(site, row.Sort))
		}
	}
	return list, nil
}

func (v *madeLink) public(now *site.Site, id string) Made {
	made := Made{ID: id, Kind: kindEntry, Entry: v.EntryID, By: cms.Person{ID: v.maker(), Name: v.Name},
		View: v.View, At: v.At, ExpiresAt: v.ExpiresAt}
	if v.View != nil {
		made.Kind = kindSite
	}
	if m := now.ModelByID(v.ModelID); m != nil {
		made.Model = m.Slug
	}
	return made
}

// List lists all valid links, newest first.
func (l Links) List(ctx context.Context) ([]Made, error) {
	return l.list(ctx, maxListed, func(*madeLink) bool { return true })
}

// ByUser lists the valid links that a user or a key made, newest first.
func (l Links) ByUser(ctx context.Context, id string) ([]Made, error) {
	return l.list(ctx, maxListed, func(v *madeLink) bool { return v.maker() == id })
}

// OfEntry lists the valid links to an entry, newest first. Errors: those of Create.
func (l Links) OfEntry(ctx context.Context, model, id string) ([]Made, error) {
	_, e, err := l.entryOf(ctx, model, id)
	if err != nil {
		return nil, err
	}
	return l.list(ctx, maxListed, func(v *madeLink) bool { return v.EntryID == e.ID })
}

// End ends a link. With all set it may be anybody's, else it must be the actor's own. NOT_FOUND if
// there is no such link.
func (l Links) End(ctx context.Context, actor cms.Actor, id string, all bool) error {
	missing := cms.Errorf(cms.CodeNotFound, "There is no such preview link.")
	if !cms.IsUUID(id) {
		return missing
	}
	v, _, err := db.Read[madeLink](ctx, l.Entries.Store.DB, linkKey(id))
	if err != nil {
		return db.Missing(err, missing)
	}
	if !all && v.maker() != actor.UserID || !l.Entries.Store.Now().Before(v.ExpiresAt.Time) {
		return missing
	}
	tx := l.Entries.Store.Begin()
	tx.Delete(linkKey(id))
	tx.Activity(actor, "preview.ended", "preview link of "+v.Name, cmp.Or(v.EntryID, id))
	return l.Entries.Store.Commit(ctx, tx)
}

// EndByUser ends all links that a user made.
func (l Links) EndByUser(ctx context.Context, userID string) error {
	return l.endWhere(ctx, func(v *madeLink) bool { return v.maker() == userID })
}

// endWhere ends the rows of all links for which matches is true.
func (l Links) endWhere(ctx context.Context, matches func(*madeLink) bool) error {
	list, err := l.list(ctx, 0, matches)
	if err != nil || len(list) == 0 {
		return err
	}
	keys := slice.Map(list, func(made Made) table.Key { return linkKey(made.ID) })
	return l.Entries.Store.Table.BatchWrite(ctx, nil, keys)
}

// Shown is what a valid token shows.
type Shown struct {
	ID    string           // of the entry
	Maker *cms.Permissions // drafts are shown of what these permit to read
	byKey bool
}

// Shows reports whether the maker may still make links to the entry.
func (s Shown) Shows(m *site.Model, e *cms.Entry) bool {
	action := cms.ActionWrite
	if s.byKey {
		action = cms.ActionRead // the role admin makes links
	}
	return s.Maker.May(action, m.Slug, e.Locale)
}

// Open returns what a token of a model shows. Errors: FORBIDDEN for a token that is invalid,
// expired, revoked or ended, or whose maker has no account any more, or a key without the role
// admin.
func (l Links) Open(ctx context.Context, m *site.Model, token string) (Shown, error) {
	key, err := l.storedKey(ctx)
	if err != nil {
		return Shown{}, err
	}
	t, ok := Read(token, key.public, m.ID, l.Entries.Store.Now().Time)
	if !ok {
		return Shown{}, errNoPreview
	}
	rows, err := l.Entries.Store.Table.Get(ctx, table.Strong, revokedKey(t.ID), linkKey(t.LinkID))
	if err != nil {
		return Shown{}, err
	}
	if rows[1] == nil || t.Revoked != 0 && rows[0] == nil || rows[0] != nil && rows[0].Count != t.Revoked {
		return Shown{}, errNoPreview
	}
	var v madeLink
	if err := db.Unpack(rows[1].Body, &v); err != nil {
		return Shown{}, err
	}
	shown := Shown{ID: t.ID, byKey: v.By.KeyID != ""}
	if shown.Maker, err = l.permissionsOf(ctx, v.By); cms.CodeOf(err) == cms.CodeForbidden {
		err = errNoPreview
	}
	return shown, err
}

// OpenAny is Open for a token of any model.
func (l Links) OpenAny(ctx context.Context, now *site.Site, token string) (Shown, error) {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != tokenSize {
		return Shown{}, errNoPreview
	}
	v, _, err := db.Read[madeLink](ctx, l.Entries.Store.DB, linkKey(uuid.UUID(raw[:idSize]).String()))
	if err != nil {
		return Shown{}, db.Missing(err, errNoPreview)
	}
	m := now.ModelByID(v.ModelID)
	if m == nil { // the link is one to the site, or the model was deleted
		return Shown{}, errNoPreview
	}
	return l.Open(ctx, m, token)
}

func (l Links) permissionsOf(ctx context.Context, by cms.Actor) (*cms.Permissions, error) {
	if by.KeyID == "" {
		return rights.Of(ctx, l.Entries.Store.DB, by)
	}
	key, err := rights.Key(ctx, l.Entries.Store.DB, by.KeyID)
	if err == nil && !key.IsAdmin() {
		err = errNoPreview
	}
	return key.Permissions(), err
}

// revokeOf ends the rows of all links to an entry, after its tokens were revoked.
func (l Links) revokeOf(ctx context.Context, entryID string) error {
	return l.endWhere(ctx, func(v *madeLink) bool { return v.EntryID == entryID })
}
