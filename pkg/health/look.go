package health

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/refs"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Limits of the texts for search engines, in characters.
const (
	MaxTitle       = 60
	MaxDescription = 160
)

// subject is an entry that is checked.
type subject struct {
	target
	now    *site.Site
	m      *site.Model // nil if the model is deleted
	e      *cms.Entry  // nil if readers do not see it
	exists bool
	hidden bool // published, but readers do not see it
	group  *groups.Group
	state  state
	links  []link
	linked func() (*linked, error) // what the links of all entries that were read together refer to

	followed bool // whoever checks it checks its holders next

	members []*cms.Entry // of its group that exist, the original first; read by look
}

// link is a place that refers to an entry or a file.
type link struct {
	path string
	id   string
	bare bool // it shows a picture without a text of its own
}

// visible reports whether readers see an entry of a model.
func visible(now *site.Site, m *site.Model, status cms.Status, locale string) bool {
	return m != nil && status == cms.StatusPublished && now.Shows(m, locale)
}

// linksOf returns the places of an entry that refer to entries and files.
func linksOf(m *cms.Model, e *cms.Entry) (links []link) {
	for _, r := range refs.References(m, e.Data) {
		links = append(links, link{r.Path, strings.ToLower(r.ID), r.Kind == cms.TypeMedia})
	}
	refs.EachText(m.Fields, e.Data, func(path, text string) {
		bare := refs.BarePictures(text)
		for _, t := range refs.TextTargets(text) {
			l := link{path, t.ID, slices.Contains(bare, t.ID)}
			if !slices.Contains(links, l) {
				links = append(links, l)
			}
		}
	})
	return slices.DeleteFunc(links, func(l link) bool { return l.id == e.ID })
}

// partitions returns the partitions in which the entry has rows, sorted.
func (v *subject) partitions() (wanted []string) {
	if v.e == nil {
		return nil
	}
	wanted = slice.Map(v.links, func(l link) string { return refPartition(l.id) })
	if v.m.URL != "" {
		for kind, text := range v.texts() {
			if text != "" {
				wanted = append(wanted, textPartition(v.e.Locale, kind, text))
			}
		}
	}
	slices.Sort(wanted)
	return slices.Compact(wanted)
}

// texts returns the texts of the entry for search engines.
func (v *subject) texts() map[Kind]string {
	title := cmp.Or(v.e.SEO.Title, v.e.Title)
	return map[Kind]string{SEOTitle: strings.TrimSpace(title), SEODescription: strings.TrimSpace(v.e.SEO.Description)}
}

// look returns the findings of an entry that readers see. shared holds the partitions of its texts that
// other entries have too.
func (c Checks) look(ctx context.Context, v *subject, shared map[string]bool) (all []Found, err error) {
	add := func(kind Kind, field string, details ...string) {
		all = append(all, Found{Kind: kind, Field: field, Detail: strings.Join(details, ", "), Locale: v.e.Locale,
			Gen: v.m.Gen})
	}
	if err := v.lookAtLinks(add); err != nil {
		return nil, err
	}
	if v.m.URL != "" {
		v.lookAtTexts(shared, add)
		if err := c.lookForHolders(ctx, v, add); err != nil {
			return nil, err
		}
	}
	if err := c.lookAtGroup(ctx, v, add); err != nil {
		return nil, err
	}
	if due := v.staleAt(); !due.IsZero() && !c.Store.Now().Before(due.Time) {
		add(Stale, "")
		all[len(all)-1].Since = due
	}
	return all, nil
}

type adder func(kind Kind, field string, details ...string)

// lookAtLinks finds references to what readers cannot see, and pictures without a text. The findings of
// one place are one.
func (v *subject) lookAtLinks(add adder) error {
	if len(v.links) == 0 {
		return nil
	}
	found, err := v.linked()
	if err != nil {
		return err
	}
	for i := 0; i < len(v.links); {
		path, wrong := v.links[i].path, map[Kind][]string{}
		for ; i < len(v.links) && v.links[i].path == path; i++ {
			if kind := v.faultOf(v.links[i], found); kind != "" {
				wrong[kind] = append(wrong[kind], v.links[i].id)
			}
		}
		for _, kind := range Kinds {
			if ids := wrong[kind]; ids != nil {
				add(kind, path, ids...)
			}
		}
	}
	return nil
}

// faultOf returns what is wrong with a place that refers, "" if nothing is.
func (v *subject) faultOf(l link, found *linked) Kind {
	a, isEntry := found.entries[l.id]
	file := found.files[l.id]
	switch {
	case isEntry && !visible(v.now, v.now.ModelByID(a.ModelID), a.Status, a.Locale):
		return LinkUnpublished
	case isEntry:
	case file == nil:
		return LinkGone
	case l.bare && strings.HasPrefix(file.Mime, "image/") && !file.Decorative &&
		strings.TrimSpace(cmp.Or(file.Alts[v.e.Locale], file.Alt)) == "":
		return AltMissing
	}
	return ""
}

func (v *subject) lookAtTexts(shared map[string]bool, add adder) {
	limits := map[Kind]int{SEOTitle: MaxTitle, SEODescription: MaxDescription}
	for kind, text := range v.texts() {
		var details []string
		if text == "" {
			details = append(details, "missing")
		}
		if utf8.RuneCountInString(text) > limits[kind] {
			details = append(details, "longer than "+strconv.Itoa(limits[kind]))
		}
		if text != "" && shared[textPartition(v.e.Locale, kind, text)] {
			details = append(details, "the same elsewhere")
		}
		if details != nil {
			add(kind, string(kind), details...)
		}
	}
}

// lookForHolders finds an entry to which nothing refers that readers see.
func (c Checks) lookForHolders(ctx context.Context, v *subject, add adder) error {
	if v.e.Slug == v.m.Home && v.m.Home != "" {
		return nil
	}
	holders, err := c.Store.Table.Query(ctx, table.Range{Partition: refPartition(v.id), Limit: 1})
	if err == nil && len(holders) == 0 {
		add(Orphan, "")
	}
	return err
}

// lookAtGroup finds missing translations, for the first member of the group that readers see, and
// whether the entry is older than the original.
func (c Checks) lookAtGroup(ctx context.Context, v *subject, add adder) error {
	if !v.m.Localized {
		return nil
	}
	var members []content.Reference
	for _, code := range append([]string{v.now.Default}, v.now.Codes()...) {
		if id := v.group.Members[code]; id != "" && id != v.id &&
			!slices.ContainsFunc(members, func(r content.Reference) bool { return r.ID == id }) {
			members = append(members, content.Reference{Model: v.m, ID: id})
		}
	}
	found, err := c.Store.EntriesByID(ctx, members)
	if err != nil {
		return err
	}
	v.members = slices.DeleteFunc(found, func(e *cms.Entry) bool { return e == nil })
	if o := v.original(); o != nil && v.e.UpdatedAt.Before(o.UpdatedAt.Time) {
		add(TranslationOutdated, "")
	}
	order := func(code string) int {
		if code == v.now.Default {
			return -1
		}
		return slices.Index(v.now.Codes(), code)
	}
	for _, e := range v.members {
		if visible(v.now, v.m, e.Status, e.Locale) && order(e.Locale) < order(v.e.Locale) {
			return nil // that one has the finding
		}
	}
	for _, code := range v.m.Translate {
		has := func(e *cms.Entry) bool { return e.Locale == code }
		if v.now.Locale(code) != nil && code != v.e.Locale && !slices.ContainsFunc(v.members, has) {
			add(TranslationMissing, "translations."+code, code)
		}
	}
	return nil
}

// original returns the member of the group in the default locale, nil if that is the entry itself or if
// there is none.
func (v *subject) original() *cms.Entry {
	if len(v.members) > 0 && v.members[0].Locale == v.now.Default && v.e.Locale != v.now.Default {
		return v.members[0]
	}
	return nil
}

// staleAt returns when the entry becomes stale; the zero time if it never does.
func (v *subject) staleAt() cms.Time {
	if v.e == nil || v.m.StaleAfterMonths == 0 {
		return cms.Time{}
	}
	return cms.At(v.e.UpdatedAt.AddDate(0, v.m.StaleAfterMonths, 0))
}

// fieldNow returns the present path of a field of a finding whose names are of a generation of the model; "" if
// another field has its name now.
func (v *subject) fieldNow(field string, gen int) string {
	if now := v.m.PathSince(gen, &field); now != nil {
		return *now
	}
	return ""
}

// valueHash returns the hash of what a finding is about. It changes when somebody changes that.
func (v *subject) valueHash(kind Kind, field string) string {
	switch kind {
	case SEOTitle, SEODescription:
		return hashOf(v.texts()[kind])
	case TranslationOutdated:
		if o := v.original(); o != nil {
			return hashOf(o.UpdatedAt.String())
		}
		return ""
	case Stale:
		return hashOf(v.e.UpdatedAt.String())
	case TranslationMissing, Orphan:
		return ""
	}
	return hashOf(valueAt(v.e.Data, strings.Split(field, ".")[1:]))
}

// valueAt returns the value at a path in data as JSON. A step into a text leads to the text itself.
func valueAt(v any, path []string) string {
	for _, step := range path {
		switch at := v.(type) {
		case map[string]any:
			v = at[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(at) {
				return ""
			}
			v = at[i]
		}
	}
	text, _ := json.Marshal(v) // content is valid JSON
	return string(text)
}
