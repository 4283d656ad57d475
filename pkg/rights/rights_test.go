package rights_test

import (
	"path/filepath"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/rights"
	"headless/pkg/table/bolt"
)

// TestOf looks up every kind of actor, in every state that an account or a key can have.
func TestOf(t *testing.T) {
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	defer tb.Close()
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	d := db.New(tb, func() time.Time { return now })
	tx := d.Begin()
	for id, role := range map[string]cms.UserRole{"ed": "editor", "vi": "viewer", "de": "german", "lost": "none"} {
		rights.Put(tx, cms.User{ID: id, Role: role, IsActive: true}, rights.SignIn{})
	}
	rights.Put(tx, cms.User{ID: "off", Role: "admin"}, rights.SignIn{Term: 1})
	rights.Put(tx, cms.User{ID: "back", Role: "editor", IsActive: true}, rights.SignIn{Term: 1})
	keys := db.Docs[cms.Key]{DB: d, Kind: "key"}
	keys.Create(tx, "open", cms.Key{Scopes: []string{"read", "write"}, Models: []string{"posts"}}, nil)
	keys.Create(tx, "read", cms.Key{Scopes: []string{"read"}}, nil)
	keys.Create(tx, "old", cms.Key{Scopes: []string{"write"}, ExpiresAt: cms.At(now)}, nil)
	db.Docs[cms.Role]{DB: d, Kind: "role"}.Create(tx, "german", cms.Role{Slug: "german",
		Rules: []cms.Rule{{Locales: []string{"de"}}}}, nil)
	users := db.Docs[cms.User]{DB: d, Kind: "user"} // as stored before there were accounts
	users.Create(tx, "early", cms.User{ID: "early", Email: "early@example.com", Role: "viewer", IsActive: true}, nil)
	users.ReserveName(tx, "early@example.com", "early", nil)
	must.Do(t, d.Commit(t.Context(), tx))
	for name, c := range map[string]struct {
		by                []cms.Actor
		ended             bool
		read, publish, en bool // in posts
	}{
		"the service":            {nil, false, true, true, true},
		"an editor":              {[]cms.Actor{{UserID: "ed"}}, false, true, true, true},
		"a viewer":               {[]cms.Actor{{UserID: "vi"}}, false, true, false, true},
		"a role":                 {[]cms.Actor{{UserID: "de"}}, false, true, true, false},
		"both":                   {[]cms.Actor{{UserID: "de"}, {UserID: "vi"}}, false, true, false, false},
		"inactive":               {[]cms.Actor{{UserID: "off"}}, true, false, false, false},
		"of a former term":       {[]cms.Actor{{UserID: "back"}}, true, false, false, false},
		"of the present term":    {[]cms.Actor{{UserID: "back", Term: 1}}, false, true, true, true},
		"of both terms":          {[]cms.Actor{{UserID: "back", Term: 1}, {UserID: "back"}}, true, false, false, false},
		"one of two is inactive": {[]cms.Actor{{UserID: "ed"}, {UserID: "off"}}, true, false, false, false},
		"deleted":                {[]cms.Actor{{UserID: "nobody"}}, true, false, false, false},
		"a role that is missing": {[]cms.Actor{{UserID: "lost"}}, true, false, false, false},
		"a key":                  {[]cms.Actor{{KeyID: "open"}}, false, true, true, true},
		"a key that reads":       {[]cms.Actor{{KeyID: "read"}}, false, true, false, true},
		"an expired key":         {[]cms.Actor{{KeyID: "old"}}, true, false, false, false},
		"a deleted key":          {[]cms.Actor{{KeyID: "none"}}, true, false, false, false},
		"without an account row": {[]cms.Actor{{UserID: "early"}}, false, true, false, true},
		"without an id":          {[]cms.Actor{{Name: "Early@example.com"}}, false, true, false, true},
		"without an id, deleted": {[]cms.Actor{{Name: "other@example.com"}}, true, false, false, false},
	} {
		ctx, err := rights.As(t.Context(), d, c.by...)
		if ended := cms.CodeOf(err) == cms.CodeForbidden; ended != c.ended || !ended && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if p := cms.PermissionsOf(ctx); !c.ended && (p.May(cms.ActionRead, "posts", "de") != c.read ||
			p.May(cms.ActionPublish, "posts", "de") != c.publish || p.May(cms.ActionRead, "posts", "en") != c.en) {
			t.Errorf("%s: %+v", name, p)
		}
	}
}
