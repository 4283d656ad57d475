package links

import (
	"context"
	"maps"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/site"
)

// maxIncludeDepth is how many names an include path may have (decisions §3).
const maxIncludeDepth = 3

// Include is what the include parameter asks to resolve inline, as a tree of field names.
type Include struct {
	site     *site.Site
	admin    bool
	images   []int     // widths that media show in srcset; nil for no srcset
	drafts   bool      // drafts are laid over what is included
	Tags     *cms.Tags // takes what the answer is made of; nil where nobody asks
	children map[string]*includeNode
	any      bool // included entries of every status
	// Locales in which included entries are shown, the best first; nil for as they are referred to.
	chain []string
	ahead ahead
	left  int // bytes that may still be encoded
}

// LayDrafts lays drafts over what is included. nil includes nothing.
func (inc *Include) LayDrafts() {
	if inc != nil {
		inc.drafts = true
	}
}

// ShowUnpublished includes entries of every status. nil includes nothing.
func (inc *Include) ShowUnpublished() {
	if inc != nil {
		inc.any = true
	}
}

// Limits of what an answer includes (extensions §1).
const (
	maxIncluded      = 2000     // objects, each placement counts
	maxIncludedBytes = 64 << 20 // of all encoded objects, nested ones more than once
)

var (
	errIncluded = cms.Errorf(cms.CodeBadRequest,
		"include would resolve more than %d objects in this answer. Ask for fewer items with per_page, "+
			"or for fewer or shorter paths.",
		maxIncluded)
	errIncludedBytes = cms.Errorf(cms.CodePayloadTooLarge,
		"What include resolves is too large for one answer. Ask for fewer items with per_page, or for fewer paths.")
)

// slot is a place in data whose ids are to be replaced. An object that is included at several
// places is resolved once for all of them: times is how often the slot is in the answer.
type slot struct {
	object map[string]any
	node   *includeNode
	times  int
}

// ids are those of the slot's value.
func (sl slot) ids() []string { return idsOf(sl.object[sl.node.field.Name]) }

// placing names an object at a place of the tree of names.
type placing struct {
	node *includeNode
	id   string
}

// level is what the slots of one level are replaced by.
type level struct {
	inc     *Include
	files   map[string]any
	related map[content.Reference]*editing.Drafted
	objects map[placing]*relatedEntry
	times   map[*relatedEntry]int
	order   []*relatedEntry
}

// Resolve replaces ids by what they stand for in the data of some entries, level by level with one
// batched read each. The maps are changed; what lies below them is copied first. BAD_REQUEST where
// that would be more than 2,000 objects.
func Resolve(ctx context.Context, s *editing.Entries, inc *Include, data []map[string]any) error {
	if inc == nil {
		return nil
	}
	inc.left = maxIncludedBytes
	var slots []slot
	for _, d := range data {
		slots = gather(slots, d, inc.children, 1)
	}
	placed := 0
	for len(slots) > 0 {
		for _, sl := range slots {
			if placed += sl.times * len(sl.ids()); placed > maxIncluded {
				return errIncluded
			}
		}
		files, related, err := fetch(ctx, s, inc, slots)
		if err != nil {
			return err
		}
		l := level{inc: inc, files: files, related: related, objects: map[placing]*relatedEntry{},
			times: map[*relatedEntry]int{}}
		for _, sl := range slots {
			l.replace(sl)
		}
		slots = slots[:0]
		for _, o := range l.order {
			slots = gather(slots, o.Data, o.node.children, l.times[o])
		}
	}
	return nil
}

// fetch reads what the slots of one level refer to.
func fetch(ctx context.Context, s *editing.Entries, inc *Include, slots []slot) (map[string]any,
	map[content.Reference]*editing.Drafted, error) {
	var media []string
	var refs []content.Reference
	for _, sl := range slots {
		for _, id := range sl.ids() {
			if sl.node.field.Type == cms.TypeMedia {
				media = append(media, id)
				inc.Tags.File(id)
			} else if canonical, ok := input.CanonicalID(id); ok && sl.node.target != nil {
				refs = append(refs, content.Reference{Model: sl.node.target, ID: canonical})
				inc.Tags.Entry(sl.node.target.Slug, canonical)
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
	if inc.drafts {
		if drafts, err = s.Store.Drafts(ctx, shown(refs, entries)); err != nil {
			return nil, nil, err
		}
	}
	related := make(map[content.Reference]*editing.Drafted, len(refs))
	for i, r := range refs {
		switch {
		case entries[i] == nil:
		case inc.drafts:
			related[r] = editing.Lay(r.Model, entries[i], drafts[i])
		default:
			related[r] = &editing.Drafted{Entry: entries[i], Live: entries[i]}
		}
	}
	return files, related, nil
}

// gather finds the slots below an object, copying groups and lists on the way.
func gather(slots []slot, object map[string]any, nodes map[string]*includeNode, times int) []slot {
	for name, n := range nodes {
		if object[name] == nil {
			continue
		}
		if n.field.IsReference() {
			slots = append(slots, slot{object, n, times})
			continue
		}
		switch v := object[name].(type) {
		case map[string]any:
			v = maps.Clone(v)
			object[name] = v
			slots = gather(slots, v, n.children, times)
		case []any:
			v = slices.Clone(v)
			object[name] = v
			for i := range v {
				if item, ok := v[i].(map[string]any); ok {
					item = maps.Clone(item)
					v[i] = item
					slots = gather(slots, item, n.children, times)
				}
			}
		}
	}
	return slots
}

func idsOf(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var ids []string
		for _, item := range v {
			if id, ok := item.(string); ok {
				ids = append(ids, id)
			}
		}
		return ids
	}
	return nil
}

// replace puts the objects into a slot; what leads nowhere is null, or left out of a list.
func (l *level) replace(sl slot) {
	name := sl.node.field.Name
	switch v := sl.object[name].(type) {
	case string:
		sl.object[name] = l.object(sl, v)
	case []any:
		list := []any{}
		for _, id := range idsOf(v) {
			if o := l.object(sl, id); o != nil {
				list = append(list, o)
			}
		}
		sl.object[name] = list
	}
}

// object is what stands for an id in a slot, nil for what leads nowhere.
func (l *level) object(sl slot, id string) any {
	if sl.node.field.Type == cms.TypeMedia {
		return l.inc.media(l.files[id])
	}
	canonical, _ := input.CanonicalID(id)
	at := placing{sl.node, canonical}
	o, known := l.objects[at]
	if !known {
		o = l.inc.related(sl.node, l.related[content.Reference{Model: sl.node.target, ID: canonical}])
		if l.objects[at] = o; o != nil {
			l.order = append(l.order, o)
		}
	}
	if o == nil {
		return nil
	}
	l.times[o] += sl.times
	return o
}

// related makes the object of an entry, nil where there is none that the reader may see.
func (inc *Include) related(n *includeNode, d *editing.Drafted) *relatedEntry {
	if d == nil || !inc.admin && (!inc.any && d.Entry.Status != cms.StatusPublished || !n.target.IsActive) {
		return nil
	}
	e := d.Entry
	return &relatedEntry{
		relatedKeys: relatedKeys{
			ID: e.ID, Model: n.target.Slug, Slug: e.Slug, Title: e.Title,
			Data: cms.VisibleData(&n.target.Model, n.target.VisibleTo(inc.admin), e.Data), Draft: d.Info,
		},
		inc: inc, node: n,
	}
}

// relatedEntry is an entry resolved inline (decisions §3), encoded once however often it stands in
// the answer.
type relatedEntry struct {
	relatedKeys
	inc  *Include
	node *includeNode
	raw  []byte
}

type relatedKeys struct {
	ID    string         `json:"id"`
	Model string         `json:"model"`
	Slug  string         `json:"slug"`
	Title string         `json:"title"`
	Data  map[string]any `json:"data"`
	Draft *cms.DraftInfo `json:"draft,omitempty"`
}

// MarshalJSON encodes the object, within what one answer may include.
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
