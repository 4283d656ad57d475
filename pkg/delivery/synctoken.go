package delivery

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"time"

	"headless/pkg/apikeys"
	"headless/pkg/assets/variant"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/web"
)

// syncState is the content of a token: the parameters of the sync, the models and locales that the
// client has, and the positions in the feeds.
//
// A row may appear in a feed a little later than rows with a later time. So a state has two
// positions. No new rows appear up to Settled. Count is the number of rows between Settled and
// Read. If there are more of them at the next request, all rows after Settled are read again.
type syncState struct {
	Asked   []string    `json:"a,omitempty"` // models, by slug; empty: all
	Locale  string      `json:"l,omitempty"` // "" for all
	PerPage int         `json:"n"`
	URLs    bool        `json:"u,omitempty"` // entries have their URLs
	Images  []int       `json:"i,omitempty"` // widths for srcset of files; nil for no srcset
	Models  []syncModel `json:"m"`           // models that the client has, or gets by Walks
	Locales []string    `json:"c"`           // locales that the client has, or gets by Walks
	Plain   []string    `json:"p,omitempty"` // those of models that are not localized, whose entries each locale shows
	Left    []syncModel `json:"o,omitempty"` // models that left the scope
	Walks   []syncWalk  `json:"w,omitempty"` // lists to go through first
	Settled string      `json:"s"`           // hexadecimal
	Read    string      `json:"r"`           // hexadecimal
	Count   int         `json:"k,omitempty"`
	Issued  int64       `json:"t"` // Unix seconds
}

// syncModel is a model with a hash of the definition of its entries.
type syncModel struct {
	ID   string `json:"i"`
	Slug string `json:"s"`
	Sum  string `json:"h,omitempty"`

	Had []string `json:"l,omitempty"` // locales that the client had, of a model that left the scope

	plain bool // it is not localized
}

// syncWalk is a list of entries or files to go through once.
type syncWalk struct {
	Model   string   `json:"m"`           // id, or db.FeedMedia
	Folder  string   `json:"f,omitempty"` // only the files in this folder
	Locales []string `json:"l,omitempty"`
	Gone    bool     `json:"g,omitempty"` // its entries left the scope
	Cursor  string   `json:"c,omitempty"`
}

// scope is the models and locales that a sync shows now.
type scope struct {
	models  []syncModel
	locales []string
	plain   []string // of models that are not localized
}

var (
	errSyncExpired = cms.Errorf(cms.CodeSyncExpired,
		"This token is too old, or the fields of a model changed. Start without a token.")
	errSyncToken = cms.Errorf(cms.CodeBadRequest, "This token does not belong to this key. Start without a token.")
)

// newSync returns the state of a new sync. Error: BAD_REQUEST for an unknown model or locale, or a
// parameter that is not valid.
func newSync(site *site.Site, q url.Values, now time.Time) (s syncState, err error) {
	s.PerPage = maxSyncPage
	if q.Has("per_page") {
		if _, s.PerPage, err = web.Page(q, maxSyncPage); err != nil {
			return s, err
		}
	}
	if s.Asked, err = syncModels(site, q.Get("models")); err != nil {
		return s, err
	}
	if s.Locale = q.Get("locale"); s.Locale != "" {
		if err := site.RequireLocale(s.Locale); err != nil {
			return s, err
		}
	}
	if s.URLs, err = web.Flag(q, "urls"); err != nil {
		return s, err
	}
	if q.Has("images") {
		if s.Images, err = variant.ParseImages(q.Get("images")); err != nil {
			return s, err
		}
	}
	s.Settled = hex.EncodeToString([]byte(db.FeedPos(now.Add(-db.FeedSettled))))
	s.Read = s.Settled
	return s, nil
}

// scopeOf returns the requested models and locales that a key may read.
func scopeOf(site *site.Site, key *apikeys.Key, s syncState) scope {
	sc := scope{}
	p := key.Permissions()
	for _, l := range site.Locales {
		if (s.Locale == "" || s.Locale == l.Code) && (len(key.Locales) == 0 || slices.Contains(key.Locales, l.Code)) {
			if sc.plain = append(sc.plain, l.Code); l.IsActive {
				sc.locales = append(sc.locales, l.Code)
			}
		}
	}
	for _, slug := range slices.Sorted(maps.Keys(site.Models)) {
		if m := site.Models[slug]; m.IsActive && (len(s.Asked) == 0 || slices.Contains(s.Asked, slug)) {
			sc.models = append(sc.models, syncModel{ID: m.ID, Slug: slug, Sum: sumOf(m), plain: !m.Localized})
		}
	}
	if slices.Contains(s.Asked, cms.AreaMedia) && p.May(cms.ActionRead, cms.AreaMedia, "") {
		sc.models = append(sc.models, syncModel{ID: db.FeedMedia, Slug: cms.AreaMedia})
	}
	return sc
}

// sumOf returns a hash of everything that the form of a model's entries depends on.
func sumOf(m *site.Model) string {
	raw, _ := json.Marshal([]any{m.Slug, m.Kind, m.Localized, m.Fields, m.VisibleFields}) // they were stored as JSON
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:4])
}

// adaptTo adapts the state to a scope: it adds walks through what entered and what left the scope.
// Error: SYNC_EXPIRED if the fields of a model changed.
func (s *syncState) adaptTo(sc scope) error {
	for _, m := range s.Models {
		now := slices.IndexFunc(sc.models, func(n syncModel) bool { return n.ID == m.ID })
		switch {
		case now < 0:
			m.Had = slice.Distinct(slices.Concat(s.Locales, s.Plain)) // whether it was localized is not known any more
			s.Left = append(s.Left, m)
			s.Walks = append(s.Walks, syncWalk{Model: m.ID, Locales: m.Had, Gone: true})
		case sc.models[now].Sum != m.Sum:
			return errSyncExpired
		case m.ID == db.FeedMedia:
		default:
			had, has := s.Locales, sc.locales
			if sc.models[now].plain {
				had, has = s.Plain, sc.plain
			}
			if lost := slice.Without(had, has); len(lost) > 0 {
				s.Walks = append(s.Walks, syncWalk{Model: m.ID, Locales: lost, Gone: true})
			}
			if gained := slice.Without(has, had); len(gained) > 0 {
				s.Walks = append(s.Walks, syncWalk{Model: m.ID, Locales: gained})
			}
		}
	}
	for _, m := range sc.models {
		if !slices.ContainsFunc(s.Models, func(n syncModel) bool { return n.ID == m.ID }) {
			locales := sc.locales
			if m.plain {
				locales = sc.plain
			}
			s.Walks = append(s.Walks, syncWalk{Model: m.ID, Locales: locales})
		}
	}
	s.Models, s.Locales, s.Plain = sc.models, sc.locales, sc.plain
	return nil
}

// seal returns the token of the state. It is valid for this key only.
func (s *syncing) seal() (string, error) {
	s.state.Issued = s.h.Keys.Now().Unix()
	raw, _ := json.Marshal(s.state) // plain values always encode
	return s.h.Keys.EncodeCursor(s.ctx, tokenCheck(s.open.Key), string(raw))
}

// openToken decodes a token. Errors: BAD_REQUEST if it does not belong to this key, SYNC_EXPIRED if
// it is too old.
func (m *making) openToken(token string) (s syncState, err error) {
	text, err := m.h.Keys.DecodeCursor(m.ctx, tokenCheck(m.open.Key), token)
	if text == "" && err == nil || cms.CodeOf(err) == cms.CodeBadRequest {
		err = errSyncToken
	}
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return s, err
	}
	now := m.h.Keys.Now().Time
	if now.Sub(time.Unix(s.Issued, 0)) > db.FeedDays*24*time.Hour ||
		now.Sub(db.FeedTime(unhex(s.Read))) > db.FeedDays*24*time.Hour {
		return s, errSyncExpired
	}
	return s, nil
}

// tokenCheck identifies a key and its present secret.
func tokenCheck(key *apikeys.Key) []byte {
	return slices.Concat([]byte("sync "+key.ID+" "), key.SecretHash)
}

// unhex decodes a position of a token. The token was sealed, so it is well formed.
func unhex(s string) string {
	raw, _ := hex.DecodeString(s)
	return string(raw)
}
