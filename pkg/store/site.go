package store

import (
	"context"
	"slices"
	"sync"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Model is a content model with the state of its index.
type Model struct {
	cms.Model
	Gen int       `json:"gen"`           // generation of the index that saves write and queries read
	Old []Earlier `json:"old,omitempty"` // earlier generations that still hold entries; they are being moved to Gen

	index *indexSpec // made when the site is loaded
}

// Earlier is an earlier generation of a model's index, with what in it is as in the current one, so that the entries which are still there are found
// by it.
type Earlier struct {
	Gen   int      `json:"gen"`
	Paths []string `json:"paths,omitempty"` // whose rows and counters are the same; none where the default order or the place of entries is another
	Text  bool     `json:"text,omitempty"`  // the postings are the same
	// Places are where its entries may have reserved their slugs and unique values.
	Places []string `json:"places"`
}

// sharedPlace stands for the locale in the keys of models that are not localized.
const sharedPlace = "-"

// place is where the entries of a locale have their slugs and lists: one place for all where the model is not localized.
func (m *Model) place(locale string) string {
	if m.Localized {
		return locale
	}
	return sharedPlace
}

func (m *Model) space(e *cms.Entry) string {
	return entrySpace(m.ID, m.Gen, m.place(e.Locale), e.Status)
}

func (m *Model) spec() *indexSpec {
	if m.index == nil {
		return entrySpec(&m.Model) // a model that is about to be stored
	}
	return m.index
}

// Site is the configuration of the site at one version: what every request needs and rarely changes. It is immutable.
type Site struct {
	Version  int64
	Models   map[string]*Model // by slug
	Locales  []cms.Locale      // by sort order, inactive ones too
	Default  string            // code of the default locale
	Settings []cms.Setting
	Forms    map[string]*cms.Form // by slug
	docs     siteDocs
}

// siteDocs are the documents of a site as they are stored, for changes.
type siteDocs struct {
	models   map[string]Doc[Model] // by slug
	locales  map[string]Doc[cms.Locale]
	settings map[string]Doc[cms.Setting] // by group and key
	forms    map[string]Doc[cms.Form]    // by slug
}

// ModelByID finds a model by its id, nil when there is none.
func (s *Site) ModelByID(id string) *Model {
	for _, m := range s.Models {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// Locale finds a locale by its code, nil when there is none.
func (s *Site) Locale(code string) *cms.Locale {
	for i := range s.Locales {
		if s.Locales[i].Code == code {
			return &s.Locales[i]
		}
	}
	return nil
}

// Codes are the codes of all locales, inactive ones too.
func (s *Site) Codes() []string {
	codes := make([]string, len(s.Locales))
	for i, l := range s.Locales {
		codes[i] = l.Code
	}
	return codes
}

// siteCache keeps the newest configuration that was read. It is valid only for the version that the table tells in the same request.
type siteCache struct {
	mu   sync.RWMutex
	site *Site
	keys map[string]*Doc[storedKey] // by public key
}

// Site is the current configuration: one read of its version, more only after a change.
func (s *Store) Site(ctx context.Context) (*Site, error) {
	item, err := s.get(ctx, configKey(randomShard()))
	if err != nil && err != ErrNotFound {
		return nil, err
	}
	return s.siteAt(ctx, item)
}

// CachedSite is the configuration as last seen by this process, nil when none was read yet. It may be out of date.
func (s *Store) CachedSite() *Site {
	s.site.mu.RLock()
	defer s.site.mu.RUnlock()
	return s.site.site
}

// siteAt gives the configuration for a version item just read, nil where nothing was configured yet.
func (s *Store) siteAt(ctx context.Context, item *table.Item) (*Site, error) {
	var version int64
	if item != nil {
		version = item.Version
	}
	if cached := s.CachedSite(); cached != nil && cached.Version == version {
		return cached, nil
	}
	site, err := s.loadSite(ctx, version)
	if err != nil {
		return nil, err
	}
	s.site.mu.Lock()
	defer s.site.mu.Unlock()
	if s.site.site == nil || s.site.site.Version <= version {
		s.site.site = site
	}
	return site, nil
}

// changeSite makes the transaction a change of the configuration as site showed it: the commit is overtaken
// (see Retry) if anything else of the configuration changed since. It counts once a transaction.
func (t *Tx) changeSite(site *Site) {
	if t.siteChanged {
		return
	}
	t.siteChanged = true
	if slices.ContainsFunc(t.ops, func(op table.Op) bool { return op.Item.Key == configKey(0) && op.Kind == table.Put }) {
		return
	}
	for shard := range shards {
		item := table.Item{Key: configKey(shard), Version: site.Version + 1}
		if site.Version == 0 {
			t.create(item, ErrOvertaken)
		} else {
			t.replace(item, site.Version)
		}
	}
}

// HoldSite makes the commit depend on the configuration being still what site showed.
func (t *Tx) HoldSite(site *Site) {
	op := table.Op{Kind: table.Check, Item: table.Item{Key: configKey(t.shard)}, If: table.VersionIs, Version: site.Version}
	if site.Version == 0 {
		op.If = table.Absent
	}
	t.do(op, ErrOvertaken)
}
