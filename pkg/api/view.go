package api

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"headless/pkg/api/pipeline"
	"headless/pkg/assets/variant"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/links"
	"headless/pkg/site"
	"headless/pkg/urls"
	"headless/pkg/web"
)

// view renders entries for one request: limited to visible and requested fields, with includes
// resolved.
type view struct {
	c       *pipeline.Call
	h       entries
	full    *site.Model
	model   *cms.Model      // as the key may see it
	fields  map[string]bool // top-level keys to show; nil: all
	data    map[string]bool // keys of data to show; nil: all
	include *links.Include
	drafts  bool // drafts are applied
	groups  bool // translations are listed
	single  bool // the draft info of an entry is in meta, not in the entry
	about   EntryMeta
	raw     bool           // references in texts stay in their stored form
	html    bool           // texts are shown as HTML
	parts   bool           // texts are shown in parts
	images  []int          // widths for srcset; nil for no srcset
	urls    *urls.Answer   // nil if no URLs are shown
	placed  *cms.Place     // stored place of a single entry that is rendered with its draft
	sources *links.Sources // marks the texts of a preview; nil if they are not marked
	chain   []string       // locales of translations, the best first; nil without fallback
	// stored is a single entry with references in their stored form, nil if that is what is shown.
	stored json.RawMessage
}

// EntryMeta is the meta of a single entry.
type EntryMeta struct {
	Draft *cms.DraftInfo `json:"draft,omitempty"` // the draft that is applied
	// Locale is the locale of the entry, and RequestedLocale the requested one, if the request has
	// fallback.
	Locale          string `json:"locale,omitempty"`
	RequestedLocale string `json:"requested_locale,omitempty"`
	// MovedTo is the current slug of the entry, if a former slug was requested.
	MovedTo string `json:"moved_to,omitempty"`
	slug    string // of the entry, if the request has fallback
	// Sources has the addresses at which the texts of a preview are edited, by their JSON pointers.
	Sources map[string]string `json:"sources,omitzero"`
}

// WithIgnored returns the meta with the names of ignored parameters before its own keys.
func (m EntryMeta) WithIgnored(names []string) any {
	return struct {
		Ignored []string `json:"ignored"`
		EntryMeta
	}{names, m}
}

// meta returns the meta of a single entry, nil if it is empty.
func (v *view) meta() any {
	if about := v.about; about.Draft == nil && about.Locale == "" && about.RequestedLocale == "" &&
		about.MovedTo == "" && about.Sources == nil {
		return nil
	}
	return v.about
}

// listModel returns the model that defines the filters and sorts of a list.
func (v *view) listModel() *cms.Model {
	if v.c.IsAdmin() {
		return v.model.WithDrafts()
	}
	return v.model
}

// view reads fields and include.
func (h entries) view(c *pipeline.Call, m *site.Model) (*view, error) {
	v := &view{c: c, h: h, full: m, model: c.VisibleModel(m)}
	q := c.R.URL.Query()
	if err := v.parseFields(q.Get("fields")); err != nil {
		return nil, err
	}
	var err error
	if v.drafts, err = wantsDrafts(c); err != nil {
		return nil, err
	}
	if v.raw, err = wantsRaw(c); err != nil {
		return nil, err
	}
	if v.sources, err = wantsSources(c); err != nil {
		return nil, err
	}
	if v.html, v.parts, err = links.ParseRichText(q); err != nil {
		return nil, err
	}
	v.groups = q.Get("translations") == "true" && (v.fields == nil || v.fields["translations"])
	if v.groups {
		c.Tags.Model(m.Slug) // the response shows every member of a group
	}
	if v.include, err = links.ParseInclude(c.Site, v.model, q.Get("include"), c.IsAdmin()); err != nil {
		return nil, err
	}
	if v.fields == nil || v.fields["url"] {
		v.urls = urls.Asked(q, h.service.Store, c.Tags)
	}
	if asked := cmp.Or(askedLocale(c), c.Site.Default); wantsFallback(c) && c.Site.Locale(asked) != nil {
		v.chain = c.Site.Chain(asked)
	}
	if q.Has("images") {
		v.images, err = variant.ParseImages(q.Get("images"))
	}
	if inc := v.include; inc != nil {
		inc.All, inc.Tags, inc.Drafts = c.SeesAll(), c.Tags, v.drafts
		inc.Chain, inc.Images, inc.URLs = v.chain, v.images, v.urls
		if h.token != nil {
			inc.Drafts, inc.Unpublished, inc.Maker = true, true, h.token.Maker
		}
	}
	return v, err
}

func (v *view) parseFields(s string) error {
	if s == "" {
		return nil
	}
	v.fields, v.data = map[string]bool{"id": true}, map[string]bool{}
	for _, name := range strings.Split(s, ",") {
		key, inData := strings.CutPrefix(name, "data.")
		switch {
		case inData && v.model.Field(key) != nil:
			v.fields["data"], v.data[key] = true, true
		case !inData && slices.Contains(v.model.EntryKeys(), name):
			v.fields[name] = true
		default:
			known := slices.Clone(v.model.EntryKeys())
			for _, f := range v.model.Fields {
				known = append(known, "data."+f.Name)
			}
			return cms.Errorf(cms.CodeBadRequest, "Unknown field %q in fields. Known: %s.", name,
				strings.Join(known, ", "))
		}
	}
	if slices.Contains(strings.Split(s, ","), "data") {
		v.data = nil
	}
	return nil
}

// plain reports whether entries are rendered exactly as they are stored.
func (v *view) plain() bool {
	return v.fields == nil && v.include == nil && !v.drafts && v.h.token == nil && !v.groups && v.urls == nil &&
		v.sources == nil && v.model == &v.full.Model
}

func (v *view) render(item content.EntryItem) (json.RawMessage, error) {
	v.single = true
	list, err := v.renderEach([]content.EntryItem{item})
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// renderAll returns the JSON array of a page.
func (v *view) renderAll(items []content.EntryItem) (json.RawMessage, error) {
	list, err := v.renderEach(items)
	if err != nil {
		return nil, err
	}
	size := len("[]")
	for _, raw := range list {
		if size += len(raw) + len(","); size > web.MaxAnswer {
			return nil, web.ErrAnswerTooLarge
		}
	}
	array := append(make(json.RawMessage, 0, size), '[') // grows no more: a page may have megabytes
	for i, raw := range list {
		if i > 0 {
			array = append(array, ',')
		}
		array = append(array, raw...)
	}
	return append(array, ']'), nil
}

func (v *view) renderEach(items []content.EntryItem) ([]json.RawMessage, error) {
	list := make([]json.RawMessage, len(items))
	texts, err := v.texts()
	if err != nil {
		return nil, err
	}
	if v.plain() && !mayDiffer(texts, items) {
		for i := range items {
			list[i] = items[i].JSON
		}
		return list, nil
	}
	shown := make([]map[string]any, len(items))
	raw := make([]*cms.Entry, len(items))
	for i := range items {
		var err error
		if raw[i], err = items[i].Decoded(); err != nil {
			return nil, err
		}
	}
	translations, err := v.translations(raw)
	if err != nil {
		return nil, err
	}
	places := make([]cms.Place, len(raw)) // as stored, without drafts
	for i, e := range raw {
		places[i] = e.Place()
		if v.placed != nil {
			places[i] = *v.placed
		}
	}
	if err := v.urls.ReadLists(v.c.Context(), v.full, places, translations); err != nil {
		return nil, err
	}
	if err := v.layDrafts(raw); err != nil {
		return nil, err
	}
	for i := range translations {
		e := *raw[i]
		e.Translations = &translations[i]
		raw[i] = &e
	}
	for i, e := range raw {
		if v.urls != nil {
			raw[i] = v.withURL(e, places[i])
		}
		shown[i] = v.visibleData(e.Data)
	}
	if err := v.resolve(texts, raw, shown); err != nil {
		return nil, err
	}
	if v.sources != nil {
		v.mark(raw, shown)
	}
	for i, e := range raw {
		var err error
		if list[i], err = v.encodeEntry(e, shown[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// withURL returns an entry with the URLs of itself and its translations.
func (v *view) withURL(e *cms.Entry, p cms.Place) *cms.Entry {
	with := *e
	with.URL = v.urls.Of(v.full, p)
	if e.Translations != nil {
		list := slices.Clone(*e.Translations)
		for i := range list {
			list[i].URL = v.urls.Of(v.full, list[i].Place)
		}
		with.Translations = &list
	}
	return &with
}

// translations returns the translations of stored entries, if the request asks for them.
func (v *view) translations(entries []*cms.Entry) ([][]cms.Translation, error) {
	if !v.groups {
		return nil, nil
	}
	return v.h.service.Translations(v.c.Context(), v.c.Site, v.full, !v.c.SeesAll(), entries...)
}

// layDrafts applies drafts to entries, if the request asks for them.
func (v *view) layDrafts(entries []*cms.Entry) error {
	if v.h.token != nil {
		return v.h.token.lay(entries)
	}
	if !v.drafts {
		return nil
	}
	drafted, err := v.h.service.WithDraft(v.c.Context(), v.c.Site, v.full, entries...)
	if err != nil {
		return err
	}
	for i, d := range drafted {
		e := *d.Entry
		if v.single {
			v.about.Draft = d.Info
		} else {
			e.Draft = d.Info
		}
		entries[i] = &e
	}
	return nil
}

// visibleData returns a copy of data without hidden and unrequested fields.
func (v *view) visibleData(data map[string]any) map[string]any {
	data = cms.VisibleData(&v.full.Model, v.model, data)
	if v.data != nil {
		maps.DeleteFunc(data, func(key string, _ any) bool { return !v.data[key] })
	}
	return data
}

// encodeEntry writes the keys in the order of the API.
func (v *view) encodeEntry(e *cms.Entry, data map[string]any) (json.RawMessage, error) {
	shown := *e
	shown.Data = data
	raw, err := cms.Marshal(&shown)
	if err != nil || v.fields == nil {
		return raw, err
	}
	return appendKeys(nil, raw, v.model.EntryKeys(), slices.Collect(maps.Keys(v.fields)))
}
