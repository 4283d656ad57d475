package site

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site/renames"
	"headless/pkg/table"
)

// Former is the generation of a model's index that serves lists, searches, slugs and unique values
// while a new one is built. It is complete: saves write to it, by the definition that it was built
// for. After the new generation is complete, the former one is removed.
type Former struct {
	Gen   int       `json:"gen"`
	Model cms.Model `json:"model"`
	// Home is the locale in the entries' keys until then, if the model is localized in only one of
	// the two generations.
	Home string `json:"home"`
}

// Building reports whether a new generation of the model's index is being built.
func (m *Model) Building() bool { return m.Former != nil }

// Next returns the model in its state after the new generation is complete.
func (m *Model) Next() *Model {
	if m.Former == nil {
		return m
	}
	next := *m
	next.Former, next.index, next.reads = nil, nil, nil
	next.prepareIndexes()
	return &next
}

// Rebuild rebuilds a stale entry in the new generation.
func (m *Model) Rebuild(ctx context.Context, id uuid.UUID) {
	if m.rebuild != nil {
		m.rebuild(ctx, m.ID, id)
	}
}

// Pace delays a save while too many changes of the model's texts are pending.
func (m *Model) Pace(ctx context.Context) error {
	if m.pace == nil {
		return nil
	}
	return m.pace(ctx, m.IndexName())
}

// prepareIndexes makes the index specifications, which all requests share.
func (m *Model) prepareIndexes() { m.index, m.reads = m.writeSpec(), m.readSpec() }

// Listed returns the definition by which the model's entries are currently listed and searched.
func (m *Model) Listed() *cms.Model {
	if m.Former != nil {
		return &m.Former.Model
	}
	return &m.Model
}

// ListedGen returns the generation that serves lists and searches.
func (m *Model) ListedGen() int {
	if m.Former != nil {
		return m.Former.Gen
	}
	return m.Gen
}

// IndexName returns the name of the generation that serves lists and searches.
func (m *Model) IndexName() string { return IndexName(m.ID, m.ListedGen()) }

// IndexName returns the name of a generation of a model's index.
func IndexName(modelID string, gen int) string { return modelID + "." + strconv.Itoa(gen) }

// KeyLocale returns the locale part in the keys of slugs and lists of entries: the locale itself,
// or SharedLocale if the model is not localized.
func (m *Model) KeyLocale(locale string) string {
	now, former := m.Localized, m.Listed().Localized
	switch {
	case former && (now || m.Former == nil):
		return locale
	case former: // until the new generation is complete, all entries are in one locale
		return m.Former.Home
	case now && locale != m.Former.Home:
		return locale
	}
	return SharedLocale
}

// LocaleOf returns the locale of entries with this key part; ok is false if they may have any
// locale.
func (m *Model) LocaleOf(keyLocale string) (locale string, ok bool) {
	switch {
	case !m.Localized:
		return "", false
	case keyLocale == SharedLocale:
		return m.Former.Home, true
	}
	return keyLocale, true
}

// LocaleIn returns the locale of a space's entries; other is returned for a model that is not
// localized.
func LocaleIn(space, other string) string {
	keyLocale := strings.Split(space, "#")[1]
	if keyLocale == SharedLocale {
		return other
	}
	return keyLocale
}

// Spaces returns the spaces of the entries with some locales and statuses. For a model that is not
// localized, pass all locales that its entries may have.
func (m *Model) Spaces(locales []string, statuses []cms.Status) []string {
	var keyLocales, spaces []string
	if !m.Localized && len(locales) == 0 {
		locales = []string{""}
	}
	for _, locale := range locales {
		if p := m.KeyLocale(locale); !slices.Contains(keyLocales, p) {
			keyLocales = append(keyLocales, p)
		}
	}
	for _, keyLocale := range keyLocales {
		for _, status := range statuses {
			spaces = append(spaces, entrySpace(m.ID, m.ListedGen(), keyLocale, status))
		}
	}
	return spaces
}

// ListedEntry returns an entry whose fields are named as in the definition by which it is listed.
func (m *Model) ListedEntry(e *cms.Entry) *cms.Entry {
	pending := m.PendingRenames()
	if len(pending) == 0 {
		return e
	}
	before := *e
	before.Data = cms.CloneJSON(e.Data).(map[string]any)
	renames.MoveBack(m.Fields, before.Data, pending)
	return &before
}

// NextGeneration prepares the index for a change of a model's definition. If the index must change,
// a new generation is built in the background, and the former one serves meanwhile. It does so even
// for a model without entries, since one may be created before the change is committed. home is the
// locale with entries if only one locale has any, else the default locale.
func (m *Model) NextGeneration(was *Model, home string) {
	if was == nil {
		m.Gen, m.Former = 1, nil
		return
	}
	m.Former = was.Former
	if renamed := m.stampRenames(was.Gen + 1); !renamed && sameIndex(&was.Model, &m.Model) {
		return
	}
	m.Gen = was.Gen + 1
	if m.Former == nil {
		m.Former = &Former{Gen: was.Gen, Model: was.Model, Home: home}
	}
}

// sameIndex reports whether two definitions have the same index.
func sameIndex(was, now *cms.Model) bool {
	return textKind(was) == textKind(now) && maps.Equal(indexKinds(was), indexKinds(now)) &&
		slices.Equal(indexPaths(was), indexPaths(now)) && uniqueKind(was) == uniqueKind(now)
}

// ModelsToReindex lists the ids of models whose new generation must be built.
func (s *Site) ModelsToReindex() []string {
	var ids []string
	for _, m := range s.Models {
		if m.Building() {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// generations returns the generations of which a model has rows.
func (m *Model) generations() []int {
	if m.Former != nil {
		return []int{m.Former.Gen, m.Gen}
	}
	return []int{m.Gen}
}

// Gone is a generation of a model's index that is no longer used, except by requests that are still
// running. It will be removed.
type Gone struct {
	ModelID    string   `json:"model_id"`
	Gen        int      `json:"gen"`
	KeyLocales []string `json:"locales"` // in which it may have entries
	At         cms.Time `json:"at"`      // since then
}

// dropGenerations records, for removal, the generations that was has and now does not. now is nil
// if the model is deleted.
func dropGenerations(t *db.Tx, site *Site, was, now *Model) {
	for _, gen := range was.generations() {
		if now != nil && slices.Contains(now.generations(), gen) {
			continue
		}
		g := Gone{ModelID: was.ID, Gen: gen, KeyLocales: append(site.Codes(), SharedLocale), At: t.Time}
		t.Put(table.Item{Key: goneKey(was.ID, gen), Body: db.MustMarshal(g)})
	}
}

// FormerSpaces returns all spaces in which the former generation may have entries, in order.
func (m *Model) FormerSpaces(site *Site) []string {
	spaces := SpacesIn(m.ID, m.Former.Gen, append(site.Codes(), SharedLocale, m.Former.Home))
	slices.Sort(spaces)
	return slices.Compact(spaces)
}

// FormerSpaceAfter returns the space that follows in FormerSpaces, "" after the last.
func (m *Model) FormerSpaceAfter(site *Site, space string) string {
	for _, next := range m.FormerSpaces(site) {
		if next > space {
			return next
		}
	}
	return ""
}

// SpacesIn returns the spaces of a generation of a model's index for some key locales.
func SpacesIn(modelID string, gen int, keyLocales []string) (spaces []string) {
	for _, keyLocale := range keyLocales {
		for _, status := range cms.Statuses {
			spaces = append(spaces, entrySpace(modelID, gen, keyLocale, status))
		}
	}
	return spaces
}

// Fixed returns the value that all entries of a space have at a path; ok is false if they may
// differ.
func (m *Model) Fixed(space, path string) (v string, ok bool) {
	parts := strings.Split(space, "#")
	switch {
	case path == "status" && len(parts) == 3:
		return parts[2], true
	case path == "locale" && len(parts) == 3:
		return m.LocaleOf(parts[1])
	}
	return "", false
}

// MarkShared records that several entries of a model have the same unique value.
func (s *Store) MarkShared(ctx context.Context, modelID string) error {
	return ChangeSite(ctx, s, func(site *Site, tx *db.Tx) error {
		m := site.ModelByID(modelID)
		if m == nil || m.Shared {
			return nil
		}
		shared := *m
		shared.Shared = true
		PutModel(tx, site, m.Slug, shared)
		return nil
	})
}
