package delivery

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"headless/pkg/api"
	"headless/pkg/assets/variant"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/search"
	"headless/pkg/site"
	"headless/pkg/urls"
	"headless/pkg/web"
)

const (
	// maxSyncPage is the maximum number of changes in a page of a sync.
	maxSyncPage = 100
	// maxSyncBytes is the maximum size of a page with more than one change. A page that is too
	// large for an answer would block the sync.
	maxSyncBytes = 4 << 20
)

// errPageFull says that the changes of a page have more than maxSyncBytes.
var errPageFull = errors.New("delivery: the page is full")

var syncRoute = &route{name: "sync", alone: "token", handle: refusePreview((*making).sync),
	params: []string{"models", "locale", "per_page", "urls", "images", "token", "preview"}}

// syncOp is one change of a sync: an entry or file in its current state, or its deletion.
type syncOp struct {
	Op     string          `json:"op"` // upsert or delete
	ID     string          `json:"id,omitempty"`
	Model  string          `json:"model"`
	Locale json.RawMessage `json:"locale,omitempty"` // only for delete; null for a file
	Entry  json.RawMessage `json:"entry,omitempty"`

	id string // of an upsert
}

// syncing is a page of a sync that is being computed.
type syncing struct {
	*making
	state syncState
	scope scope
	room  int // maximum number of changes in the page
	ops   []syncOp
	bytes int // of ops
}

// sync answers GET …/sync (extensions §8) with every published entry, then with changes.
func (m *making) sync() error {
	s, err := m.openSync()
	if err != nil {
		return err
	}
	complete, skipped, err := s.page()
	for errors.Is(err, errPageFull) { // start over with as many changes as fit
		room := len(s.ops)
		if s, err = m.openSync(); err != nil {
			return err
		}
		s.room = room
		complete, skipped, err = s.page()
	}
	if err != nil {
		return err
	}
	token := m.parameters().Get("token")
	if len(s.ops) > 0 || !complete || skipped || token == "" {
		if token, err = s.seal(); err != nil {
			return err
		}
	}
	m.body, err = web.Envelope(s.ops, struct {
		NextToken string `json:"next_token"`
		Complete  bool   `json:"complete"`
	}{token, complete})
	return err
}

// openSync decodes the state of the sync from the token of the request, or starts a sync.
func (m *making) openSync() (*syncing, error) {
	q := m.parameters()
	s := &syncing{making: m, ops: []syncOp{}}
	site := m.open.Site.Visible(m.open.Key.Permissions())
	var err error
	if q.Has("token") {
		s.state, err = m.openToken(q.Get("token"))
	} else {
		s.state, err = newSync(site, q, m.h.Keys.Now().Time)
	}
	if err != nil {
		return nil, err
	}
	s.room, s.scope = s.state.PerPage, scopeOf(site, m.open.Key, s.state)
	return s, s.state.adaptTo(s.scope)
}

// page fills a page: first with the walks through what entered or left the scope, then with the
// changes in the feeds.
func (s *syncing) page() (complete, skipped bool, err error) {
	for len(s.state.Walks) > 0 {
		if room := s.room - len(s.ops); room <= 0 {
			return false, false, nil
		}
		if err := s.walk(); err != nil {
			return false, false, err
		}
	}
	return s.feeds()
}

// walk adds the next part of the first walk, and removes that walk after its last part.
func (s *syncing) walk() error {
	w := &s.state.Walks[0]
	room := s.room - len(s.ops)
	next, err := "", error(nil)
	if w.Model == db.FeedMedia {
		next, err = s.walkFiles(w, room)
	} else {
		next, err = s.walkEntries(w, room)
	}
	if err != nil {
		return err
	}
	if w.Cursor = next; next == "" {
		s.state.Walks = s.state.Walks[1:]
	}
	return nil
}

// walkEntries adds published entries of a model and returns the cursor of the next part. Entries
// that left the scope are read without the key's permissions, since only their ids are shown.
func (s *syncing) walkEntries(w *syncWalk, room int) (string, error) {
	ctx, site := s.ctx, s.open.Site
	if w.Gone {
		ctx = cms.WithPermissions(ctx, nil)
	}
	m := site.ModelByID(w.Model)
	if m == nil {
		return "", nil
	}
	slug := m.Slug
	if left := slices.IndexFunc(s.state.Left, func(n syncModel) bool { return n.ID == m.ID }); left >= 0 {
		slug = s.state.Left[left].Slug // the slug that the client knows, if the model was renamed
	}
	locales := w.Locales
	if !m.Localized {
		locales = site.Codes()
	}
	page, err := search.List(ctx, s.h.Entries.Store, site, m, content.EntryQuery{
		ListQuery: index.ListQuery{Paging: db.Paging{Page: 1, PerPage: room}, Cursor: w.Cursor},
		Locales:   locales, Statuses: []cms.Status{cms.StatusPublished}, Public: true,
	})
	if cms.CodeOf(err) == cms.CodeBadRequest && w.Cursor != "" { // the model's order changed meanwhile
		w.Cursor = ""
		return s.walkEntries(w, room)
	}
	if err != nil {
		return "", err
	}
	for i := range page.Items {
		e, err := page.Items[i].Decoded()
		if err != nil {
			return "", err
		}
		switch {
		case !slices.Contains(w.Locales, e.Locale):
		case w.Gone:
			s.addDeletion(e.ID, slug, &e.Locale)
		default:
			if err := s.upsert(ctx, m, page.Items[i], e.ID); err != nil {
				return "", err
			}
		}
	}
	return page.Next, nil
}

// walkFiles adds media files and returns the cursor of the next part.
func (s *syncing) walkFiles(w *syncWalk, room int) (string, error) {
	q := index.ListQuery{Paging: db.Paging{Page: 1, PerPage: room}, Cursor: w.Cursor}
	if w.Folder != "" {
		q.Filters = []query.Filter{{Path: "folder", Op: query.OpEq, Values: []string{w.Folder}}}
	}
	page, err := s.h.Media.Store.MediaFiles(s.ctx, q)
	if err != nil {
		return "", err
	}
	for _, f := range page.Items {
		if w.Gone {
			s.addDeletion(f.ID, db.FeedMedia, nil)
			continue
		}
		if err := s.file(f.ID); err != nil {
			return "", err
		}
	}
	return page.Next, nil
}

// addDeletion adds the deletion of an entry or a file. Files have no locale.
func (s *syncing) addDeletion(id, model string, locale *string) {
	raw, _ := json.Marshal(locale) // a string or null
	s.ops = append(s.ops, syncOp{Op: "delete", ID: id, Model: model, Locale: raw, id: id})
}

// upsert adds an entry in the form of lists, unless the page already has it in the same form.
func (s *syncing) upsert(ctx context.Context, m *site.Model, item content.EntryItem, id string) error {
	var shown *urls.Answer
	if s.state.URLs {
		shown = &urls.Answer{Store: s.h.Entries.Store}
	}
	raw, err := api.Render(ctx, s.open, s.h.Entries, m, item, shown)
	if err != nil {
		return err
	}
	return s.addChange(syncOp{Op: "upsert", Model: m.Slug, Entry: raw, id: id})
}

// addChange adds a change, unless the page already has it. It returns errPageFull if the page would be
// too large.
func (s *syncing) addChange(op syncOp) error {
	for _, other := range s.ops {
		if other.Op == op.Op && other.id == op.id && string(other.Entry) == string(op.Entry) {
			return nil
		}
	}
	if s.bytes += len(op.Entry); s.bytes > maxSyncBytes && len(s.ops) > 0 {
		return errPageFull
	}
	s.ops = append(s.ops, op)
	return nil
}

// file adds a media file in its current state, or its deletion.
func (s *syncing) file(id string) error {
	v, err := s.h.Media.Get(s.ctx, id)
	if cms.CodeOf(err) == cms.CodeFileNotFound {
		s.addDeletion(id, db.FeedMedia, nil)
		return nil
	}
	if err != nil {
		return err
	}
	shown := struct {
		cms.Media
		Srcset *string           `json:"srcset,omitempty"`
		Alts   map[string]string `json:"alts,omitempty"` // the last keys here too
		Crop   *cms.Crop         `json:"crop,omitempty"`
	}{Media: v, Alts: v.Alts, Crop: v.Crop}
	if s.state.Images != nil {
		shown.Srcset = new(string)
		if v.Scalable && v.Width != nil {
			*shown.Srcset = variant.Srcset(v.URL, *v.Width, v.Focal, s.state.Images)
		}
	}
	raw, err := cms.Marshal(shown)
	if err != nil {
		return err
	}
	return s.addChange(syncOp{Op: "upsert", Model: db.FeedMedia, Entry: raw, id: id})
}

// syncModels parses the parameter models: slugs of models that the key may read, or media.
func syncModels(site *site.Site, text string) (slugs []string, err error) {
	if text == "" {
		return nil, nil
	}
	for _, slug := range strings.Split(text, ",") {
		if m := site.Models[slug]; slug != cms.AreaMedia && (m == nil || !m.IsActive) {
			return nil, cms.Errorf(cms.CodeBadRequest, "There is no model %q to sync.", slug)
		}
		slugs = append(slugs, slug)
	}
	return slugs, nil
}
