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
	"headless/pkg/table"
)

// Former is the generation of a model's index that serves lists, searches, slugs and unique values
// while a new one is built. It is complete: a save writes to it by the definition that it was made
// for. When the new generation is complete too, it takes over, and the former one is removed.
type Former struct {
	Gen   int       `json:"gen"`
	Model cms.Model `json:"model"`
	// Home is the locale under which the entries keep their keys until then, where the model is
	// localized in one generation and not in the other.
	Home string `json:"home"`
}

// Building reports whether a new generation of the model's index is being built.
func (m *Model) Building() bool { return m.Former != nil }

// Next is the model as it is once its new generation is complete.
func (m *Model) Next() *Model {
	if m.Former == nil {
		return m
	}
	next := *m
	next.Former, next.index, next.reads = nil, nil, nil
	next.prepare()
	return &next
}

// Rebuild has an entry built that is stale in the generation which is being built.
func (m *Model) Rebuild(ctx context.Context, id uuid.UUID) {
	if m.rebuild != nil {
		m.rebuild(ctx, m.ID, id)
	}
}

// Pace holds a save up while too many changes of the model's texts are pending.
func (m *Model) Pace(ctx context.Context) error {
	if m.pace == nil {
		return nil
	}
	return m.pace(ctx, m.IndexName())
}

// prepare makes the specifications of the index, once for all requests.
func (m *Model) prepare() { m.index, m.reads = m.writeSpec(), m.readSpec() }

// Listed is the definition by which the model's entries are listed and searched now.
func (m *Model) Listed() *cms.Model {
	if m.Former != nil {
		return &m.Former.Model
	}
	return &m.Model
}

// ListedGen is the generation that serves lists and searches.
func (m *Model) ListedGen() int {
	if m.Former != nil {
		return m.Former.Gen
	}
	return m.Gen
}

// IndexName names the generation that serves lists and searches.
func (m *Model) IndexName() string { return IndexName(m.ID, m.ListedGen()) }

// IndexName names a generation of a model's index.
func IndexName(modelID string, gen int) string { return modelID + "." + strconv.Itoa(gen) }

// KeyLocale is what stands for a locale in the keys of slugs and lists of its entries: the locale
// itself, or SharedLocale where the model is not localized.
func (m *Model) KeyLocale(locale string) string {
	now, former := m.Localized, m.Listed().Localized
	switch {
	case former && (now || m.Former == nil):
		return locale
	case former: // until the new generation is complete, all are in the one locale that has entries
		return m.Former.Home
	case now && locale != m.Former.Home:
		return locale
	}
	return SharedLocale
}

// LocaleOf is the locale that a part of a key stands for; ok is false where they may be of any.
func (m *Model) LocaleOf(keyLocale string) (locale string, ok bool) {
	switch {
	case !m.Localized:
		return "", false
	case keyLocale == SharedLocale:
		return m.Former.Home, true
	}
	return keyLocale, true
}

// Spaces lists where entries of some locales and statuses are. For a model that is not localized,
// locales are all that its entries may have been saved with.
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
			spaces = append(spaces, EntrySpace(m.ID, m.ListedGen(), keyLocale, status))
		}
	}
	return spaces
}

// ListedEntry is an entry with the names that its fields have in the definition by which it is
// listed.
func (m *Model) ListedEntry(e *cms.Entry) *cms.Entry {
	pending := m.PendingRenames()
	if len(pending) == 0 {
		return e
	}
	before := *e
	before.Data = cms.CloneJSON(e.Data).(map[string]any)
	renameBack(before.Data, pending)
	return &before
}

// NextGeneration prepares the index for a change of a model's definition. Where the change matters
// to the index, a new generation is built behind, and the former one goes on serving. That the
// model has no entries is left to the building to find out: one may be created until the change is
// committed. home is the locale that has the entries where only one has, else the default locale.
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

// sameIndex reports whether the index of one definition serves another.
func sameIndex(was, now *cms.Model) bool {
	return textKind(was) == textKind(now) && maps.Equal(indexKinds(was), indexKinds(now)) &&
		slices.Equal(indexPaths(was), indexPaths(now)) && uniqueKind(was) == uniqueKind(now)
}

// ModelsToReindex lists the ids of models with a new generation of their index to be built.
func (s *Site) ModelsToReindex() []string {
	var ids []string
	for _, m := range s.Models {
		if m.Building() {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// generations are those that a model has rows of.
func (m *Model) generations() []int {
	if m.Former != nil {
		return []int{m.Former.Gen, m.Gen}
	}
	return []int{m.Gen}
}

// Gone is a generation of a model's index that nothing reads any more, once the requests that may
// still do so are over.
type Gone struct {
	ModelID    string   `json:"model_id"`
	Gen        int      `json:"gen"`
	KeyLocales []string `json:"locales"` // where it may have entries
	At         cms.Time `json:"at"`      // since when
}

// dropGenerations notes the generations of a model that are not those of another version of it, nil
// where it is deleted.
func dropGenerations(t *db.Tx, site *Site, was, now *Model) {
	for _, gen := range was.generations() {
		if now != nil && slices.Contains(now.generations(), gen) {
			continue
		}
		g := Gone{ModelID: was.ID, Gen: gen, KeyLocales: append(site.Codes(), SharedLocale), At: t.Time}
		t.Put(table.Item{Key: goneKey(was.ID, gen), Body: db.MustMarshal(g)})
	}
}

// FormerSpaces are all spaces that the former generation may have entries in, in order.
func (m *Model) FormerSpaces(site *Site) []string {
	spaces := SpacesIn(m.ID, m.Former.Gen, append(site.Codes(), SharedLocale, m.Former.Home))
	slices.Sort(spaces)
	return slices.Compact(spaces)
}

// FormerSpaceAfter is the next of these spaces, "" after the last.
func (m *Model) FormerSpaceAfter(site *Site, space string) string {
	for _, next := range m.FormerSpaces(site) {
		if next > space {
			return next
		}
	}
	return ""
}

// SpacesIn are the spaces of a generation of a model's index under some locales of keys.
func SpacesIn(modelID string, gen int, keyLocales []string) (spaces []string) {
	for _, keyLocale := range keyLocales {
		for _, status := range cms.Statuses {
			spaces = append(spaces, EntrySpace(modelID, gen, keyLocale, status))
		}
	}
	return spaces
}

// Fixed is the value that all entries of a space share at a path; ok is false where they may
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

// MarkShared remembers that entries of a model share unique values.
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
