package site

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/site/renames"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Model is a content model with the state of its index.
type Model struct {
	cms.Model
	Gen    int     `json:"gen"`              // generation of the index for this definition
	Former *Former `json:"former,omitempty"` // generation that serves queries while Gen is being built, else nil
	// Shared means that several entries have the same value of a unique field, which only the first
	// has reserved. This happens if the field became unique later.
	Shared bool `json:"shared,omitempty"`
	// ClosedUntil is set while the model is closed for its deletion, which may still be refused.
	ClosedUntil time.Time `json:"closed_until,omitzero"`
	// SharedSince is the version of the site with which a model that was never localized was made, 0 if it is not known.
	SharedSince int64 `json:"shared_since,omitempty"`
	// Renames are the renamed fields, in the order of the changes; see RenameFields.
	Renames []renames.Rename `json:"renames,omitempty"`

	index *index.IndexSpec // the index that saves write; made when the site is loaded
	reads *index.IndexSpec // the index that queries use

	site *Site // in which the model was loaded; nil for a model that is not stored yet

	rebuild func(ctx context.Context, modelID string, id uuid.UUID) // see Store.Rebuild
	pace    func(ctx context.Context, index string) error           // see Store.Pace
}

// SharedLocale replaces the locale in the keys of models that are not localized.
const SharedLocale = "-"

// OnlyLocale returns the locale of all entries of a model that is not localized: the default locale, if no other one
// was that since the model was made. It returns "" if entries may have another one.
func (m *Model) OnlyLocale() string {
	if m.Localized || m.site == nil || m.SharedSince == 0 {
		return ""
	}
	since := m.site.docs.locales[m.site.Default].Value.DefaultSince
	if since == 0 || m.SharedSince < since {
		return ""
	}
	return m.site.Default
}

// Space returns the space in which an entry is currently listed.
func (m *Model) Space(e *cms.Entry) string { return m.SpaceOf(e.Locale, e.Status) }

// SpaceOf returns the space in which entries of a locale and status are currently listed.
func (m *Model) SpaceOf(locale string, status cms.Status) string {
	return entrySpace(m.ID, m.ListedGen(), m.KeyLocale(locale), status)
}

// Spec returns the index that saves write.
func (m *Model) Spec() *index.IndexSpec {
	if m.index == nil {
		return m.writeSpec() // a model that is not stored yet
	}
	return m.index
}

// ReadSpec returns the index that queries use.
func (m *Model) ReadSpec() *index.IndexSpec {
	if m.reads == nil {
		return m.readSpec()
	}
	return m.reads
}

// Site is the configuration of the site at one version. Every request needs it, and it rarely
// changes. It is immutable.
type Site struct {
	Version  int64
	Models   map[string]*Model // by slug
	Locales  []cms.Locale      // by sort order, including inactive ones
	Default  string            // code of the default locale
	Settings []cms.Setting
	Forms    map[string]*cms.Form // by slug
	docs     siteDocs
	versions siteVersions
	fence    int64 // counts the changes that writes under way must know; see RequireFence
	store    *Store
}

// siteDocs are the stored documents of a site, for changes.
type siteDocs struct {
	models   map[string]db.Doc[Model] // by slug
	locales  map[string]db.Doc[storedLocale]
	settings map[string]db.Doc[cms.Setting] // by group and key
	forms    map[string]db.Doc[cms.Form]    // by slug
}

// ActiveModel returns the active model with a slug; MODEL_NOT_FOUND if there is none, and
// SERVICE_UNAVAILABLE while it is being deleted, because it stays if the deletion is refused.
func (s *Site) ActiveModel(slug string) (*Model, error) {
	m, err := s.Model(slug)
	if err == nil && !m.IsActive {
		return nil, cmp.Or(s.whileClosed(m.ClosedUntil, errModelClosed), noModel(slug))
	}
	return m, err
}

// RequireLocale returns nil for the code of an active locale and for the other names that are allowed,
// SERVICE_UNAVAILABLE for a locale that is being deleted, and else BAD_REQUEST.
func (s *Site) RequireLocale(code string, others ...string) error {
	allowed := append(s.ActiveCodes(), others...)
	if slices.Contains(allowed, code) {
		return nil
	}
	return cmp.Or(s.localeClosed(code), error(cms.Errorf(cms.CodeBadRequest, "%q is not an active locale. Active: %s.",
		cms.Shorten(code), strings.Join(allowed, ", "))))
}

// localeClosed returns SERVICE_UNAVAILABLE while a locale is being deleted.
func (s *Site) localeClosed(code string) error {
	return s.whileClosed(s.docs.locales[code].Value.ClosedUntil, errLocaleClosed)
}

var (
	errModelClosed = &cms.Error{Code: cms.CodeUnavailable, RetryAfter: time.Second,
		Message: "The model is being deleted. Try again."}
	errLocaleClosed = &cms.Error{Code: cms.CodeUnavailable, RetryAfter: time.Second,
		Message: "The locale is being deleted. Try again."}
)

// whileClosed returns err until a time, and then nil.
func (s *Site) whileClosed(until time.Time, err error) error {
	if until.After(s.store.Clock()) {
		return err
	}
	return nil
}

// Model returns the model with a slug, active or not; MODEL_NOT_FOUND if there is none.
func (s *Site) Model(slug string) (*Model, error) {
	if m := s.Models[slug]; m != nil {
		return m, nil
	}
	return nil, noModel(slug)
}

func noModel(slug string) error {
	return cms.Errorf(cms.CodeModelNotFound, "There is no model %q.", cms.Shorten(slug))
}

// ModelByID finds a model by its id, nil if there is none.
func (s *Site) ModelByID(id string) *Model {
	for _, m := range s.Models {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// ModelName returns the name of a model, or its slug if it was deleted.
func (s *Site) ModelName(slug string) string {
	if m := s.Models[slug]; m != nil {
		return m.Name
	}
	return slug
}

// LocaleOfNew returns the locale of new entries of a model: the default one, or "" if they may have any.
func (s *Site) LocaleOfNew(m cms.Model) string {
	if m.Localized {
		return ""
	}
	return s.Default
}

// Locale finds a locale by its code, nil if there is none.
func (s *Site) Locale(code string) *cms.Locale {
	for i := range s.Locales {
		if s.Locales[i].Code == code {
			return &s.Locales[i]
		}
	}
	return nil
}

// Shows reports whether the published entries of a model in a locale are public. A locale that is not active hides
// those of localized models only.
func (s *Site) Shows(m *Model, locale string) bool {
	l := s.Locale(locale)
	return m.IsActive && (!m.Localized || l != nil && l.IsActive)
}

// Codes returns the codes of all locales, including inactive ones.
func (s *Site) Codes() []string {
	return slice.Map(s.Locales, func(l cms.Locale) string { return l.Code })
}

// ActiveCodes returns the codes of the active locales.
func (s *Site) ActiveCodes() []string {
	var codes []string
	for _, l := range s.Locales {
		if l.IsActive {
			codes = append(codes, l.Code)
		}
	}
	return codes
}

// siteCache keeps the newest configuration that was read. It is used only if the version read in
// the same request is equal.
type siteCache struct {
	mu   sync.RWMutex
	site *Site
	// After a change, one request of this process loads the configuration, and the others wait for it. Changes
	// of one process come one by one, since each that overtakes another makes that start again.
	loads, changes *semaphore.Weighted
}

// Site returns the current configuration. It reads the version, and the rest only after a change.
func (s *Store) Site(ctx context.Context) (*Site, error) {
	item, err := s.Get(ctx, ConfigKey(db.RandomShard()))
	if err != nil && err != db.ErrNotFound {
		return nil, err
	}
	site, err := s.SiteAt(ctx, item)
	if err != nil {
		return nil, err
	}
	return site.Visible(cms.PermissionsOf(ctx)), nil
}

// RequireFormat returns an error unless this code can read the format of the table's rows. It makes
// a request only if no configuration has been read yet.
func (s *Store) RequireFormat(ctx context.Context) error {
	if s.CachedSite() != nil {
		return nil
	}
	_, err := s.Site(ctx)
	return err
}

// CachedSite returns the configuration as this process last read it, nil if it never did. It may be
// stale.
func (s *Store) CachedSite() *Site {
	s.site.mu.RLock()
	defer s.site.mu.RUnlock()
	return s.site.site
}

// SiteAt returns the configuration for a version item that was just read. The item is nil if
// nothing has been configured yet.
func (s *Store) SiteAt(ctx context.Context, item *table.Item) (*Site, error) {
	var version int64
	if item != nil {
		version = item.Version
	}
	if cached := s.CachedSite(); cached != nil && cached.Version == version {
		return cached, nil
	}
	if err := s.site.loads.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.site.loads.Release(1)
	if cached := s.CachedSite(); cached != nil && cached.Version >= version {
		return cached, nil
	}
	site, err := s.loadSite(ctx, item)
	if err != nil {
		return nil, err
	}
	version = site.Version
	s.site.mu.Lock()
	defer s.site.mu.Unlock()
	if s.site.site == nil || s.site.site.Version <= version {
		s.site.site = site
	}
	return site, nil
}

// changeSite makes the transaction a change of the configuration. The commit fails with
// ErrOvertaken if the configuration changed after site was read. A second call in one transaction
// does nothing.
func changeSite(t *db.Tx, site *Site) {
	if t.SiteChanged {
		return
	}
	t.SiteChanged = true
	t.Check(func(context.Context) error { seal(t, site); return nil })
	if slices.ContainsFunc(t.Ops, func(op table.Op) bool {
		return op.Item.Key == ConfigKey(0) && op.Kind == table.Put
	}) {
		return
	}
	for shard := range db.Shards {
		t.Save(table.Item{Key: ConfigKey(shard)}, site.Version)
	}
}

// RequireSite makes the commit fail with ErrOvertaken if the configuration changed after site was
// read.
func RequireSite(t *db.Tx, site *Site) {
	op := table.Op{Kind: table.Check, Item: table.Item{Key: ConfigKey(t.Shard)},
		If: table.VersionIs, Version: site.Version}
	if site.Version == 0 {
		op.If = table.Absent
	}
	t.Do(op, db.ErrOvertaken)
}
