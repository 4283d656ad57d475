package links

import (
	"context"
	"maps"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/site"
)

// objectKey identifies an included object: its target in the tree of names, and its id.
type objectKey struct {
	target *includeTarget
	id     string
}

// level holds the objects that replace the ids of one level.
type level struct {
	inc     *Include
	files   map[string]any
	related map[content.Reference]*editing.Drafted
	objects map[objectKey]*relatedEntry
	places  map[string]*cms.Place // of the entries by id, if URLs are shown
	order   []*relatedEntry
}

// Resolve replaces ids by objects in data, the shown data of some entries, level by level, with one batched
// read per level. It changes the maps in data, but copies nested values first. Error: BAD_REQUEST
// for more than 2,000 objects.
func Resolve(ctx context.Context, s *editing.Entries, inc *Include, entries []*cms.Entry,
	data []map[string]any) error {
	if inc == nil {
		return nil
	}
	inc.left = maxIncludedBytes
	var slots []slot
	for i, d := range data {
		slots = gather(slots, d, inc.children, &relatedEntry{locale: entries[i].Locale, times: 1})
	}
	placed := 0
	for len(slots) > 0 {
		for _, sl := range slots {
			if placed += sl.in.times * len(sl.references()); placed > maxIncluded {
				return errIncluded
			}
		}
		files, related, err := fetch(ctx, s, inc, slots)
		if err != nil {
			return err
		}
		places, err := inc.places(ctx, related)
		if err != nil {
			return err
		}
		l := level{places: places, inc: inc, files: files, related: related, objects: map[objectKey]*relatedEntry{}}
		for _, sl := range slots {
			l.replaceSlot(sl)
		}
		slots = slots[:0]
		for _, o := range l.order {
			slots = gather(slots, o.Data, o.target.children, o)
		}
	}
	return nil
}

// fetch reads the files and entries that the slots of one level refer to.
func fetch(ctx context.Context, s *editing.Entries, inc *Include, slots []slot) (map[string]any,
	map[content.Reference]*editing.Drafted, error) {
	var media []string
	var refs []content.Reference
	for _, sl := range slots {
		for _, v := range sl.references() {
			if sl.node.field.Type == cms.TypeMedia {
				_, id := sl.node.field.Target(v)
				media = append(media, id)
				inc.Tags.File(id)
			} else if _, r, ok := sl.node.reference(v); ok {
				refs = append(refs, r)
				inc.Tags.Entry(r.Model.Slug, r.ID)
			}
		}
	}
	var files map[string]any
	if len(media) > 0 {
		var err error
		if files, err = s.MediaInline(ctx, media); err != nil {
			return nil, nil, err
		}
	}
	entries, err := inc.entries(ctx, s.Store, slots, refs)
	if err != nil {
		return nil, nil, err
	}
	var drafts []*content.Draft
	if inc.Drafts {
		if drafts, err = s.Store.Drafts(ctx, replaceTranslated(refs, entries)); err != nil {
			return nil, nil, err
		}
	}
	related := make(map[content.Reference]*editing.Drafted, len(refs))
	for i, r := range refs {
		switch {
		case entries[i] == nil:
		case inc.Drafts && inc.isRevealed(r.Model, entries[i]):
			related[r] = editing.Lay(r.Model, entries[i], drafts[i])
		default:
			related[r] = &editing.Drafted{Entry: entries[i], Live: entries[i]}
		}
	}
	return files, related, nil
}

// gather appends the slots in an object and its nested objects, which stand in an entry. It copies
// groups and lists on the way.
func gather(slots []slot, object map[string]any, nodes map[string]*includeNode, in *relatedEntry) []slot {
	for name, n := range nodes {
		if object[name] == nil {
			continue
		}
		if n.field.IsReference() {
			slots = append(slots, slot{object, n, in})
			continue
		}
		switch v := object[name].(type) {
		case map[string]any:
			v = maps.Clone(v)
			object[name] = v
			slots = gather(slots, v, n.children, in)
		case []any:
			v = slices.Clone(v)
			object[name] = v
			for i := range v {
				if item, ok := v[i].(map[string]any); ok {
					item = maps.Clone(item)
					v[i] = item
					slots = gather(slots, item, n.children, in)
				}
			}
		}
	}
	return slots
}

// replaceSlot replaces the ids of a slot by their objects. An id without an object becomes null, and is
// left out of a list.
func (l *level) replaceSlot(sl slot) {
	name := sl.node.field.Name
	switch v := sl.object[name].(type) {
	case []any:
		list := []any{}
		for _, item := range sl.references() {
			if o := l.objectFor(sl, item); o != nil {
				list = append(list, o)
			}
		}
		sl.object[name] = list
	default:
		if sl.node.refers(v) {
			sl.object[name] = l.objectFor(sl, v)
		}
	}
}

// objectFor returns the object for a reference in a slot, nil if there is none.
func (l *level) objectFor(sl slot, v any) any {
	if sl.node.field.Type == cms.TypeMedia {
		_, id := sl.node.field.Target(v)
		return l.inc.media(l.files[id], sl.in.locale)
	}
	target, r, ok := sl.node.reference(v)
	if !ok {
		return nil
	}
	key := objectKey{target, r.ID}
	o, known := l.objects[key]
	if !known {
		o = l.entryObject(target, l.related[r])
		if l.objects[key] = o; o != nil {
			l.order = append(l.order, o)
			l.inc.objects = append(l.inc.objects, o)
		}
	}
	if o == nil {
		return nil
	}
	o.times += sl.in.times
	return o
}

// shows reports whether the reader may see an entry of a model. A preview shows to all readers what
// its maker may read; what the maker may not read, it shows to none that could not read it without.
func (inc *Include) shows(m *site.Model, e *cms.Entry) bool {
	return inc.All && m.IsActive || inc.site.Shows(m, e.Locale) &&
		(e.Status == cms.StatusPublished || inc.Unpublished && inc.isRevealed(m, e))
}

// entryObject returns the object of an entry, nil if there is no entry or the reader may not see it.
func (l *level) entryObject(t *includeTarget, d *editing.Drafted) *relatedEntry {
	inc := l.inc
	if d == nil || !inc.shows(t.model, d.Live) {
		return nil
	}
	e := d.Entry
	var address *cms.EntryURL
	if inc.URLs != nil {
		address = inc.URLs.Of(t.model, *l.places[d.Live.ID])
	}
	return &relatedEntry{
		relatedKeys: relatedKeys{
			ID: e.ID, Model: t.model.Slug, Slug: e.Slug, Title: e.Title,
			Data: inc.Texts.Split(t.model.Fields,
				cms.VisibleData(&t.model.Model, t.model.VisibleTo(inc.admin), e.Data)),
			Draft: d.Info.For(inc.admin), URL: address,
		},
		inc: inc, target: t, locale: e.Locale,
	}
}

// relatedEntry is an entry resolved inline (decisions §3). It is encoded only once, even if it
// appears several times in the answer.
type relatedEntry struct {
	relatedKeys
	inc    *Include
	target *includeTarget
	locale string
	times  int // how often it appears in the answer
	raw    []byte
}

type relatedKeys struct {
	ID    string         `json:"id"`
	Model string         `json:"model"`
	Slug  string         `json:"slug"`
	Title string         `json:"title"`
	Data  map[string]any `json:"data"`
	Draft *cms.DraftInfo `json:"draft,omitempty"`
	URL   *cms.EntryURL  `json:"url,omitempty"`
}

// MarshalJSON encodes the object. It fails beyond maxIncludedBytes of the answer.
func (r *relatedEntry) MarshalJSON() ([]byte, error) {
	if r.raw == nil {
		raw, err := cms.Marshal(r.relatedKeys)
		if err != nil {
			return nil, err
		}
		r.raw = raw
	}
	if r.inc.left -= len(r.raw); r.inc.left < 0 {
		return nil, errIncludedBytes
	}
	return r.raw, nil
}
