package service

import (
	"context"
	"maps"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// maxIncludeDepth is how many names an include path may have (decisions §3).
const maxIncludeDepth = 3

// Include is what the include parameter asks to resolve inline, as a tree of field names.
type Include struct {
	site     *store.Site
	admin    bool
	children map[string]*includeNode
}

type includeNode struct {
	field    cms.Field
	target   *store.Model // of a relation
	resolve  bool         // named itself, or on the way to what is named
	children map[string]*includeNode
}

// ParseInclude reads an include parameter such as "cover,author.photo" against the model as the key sees it; nil for "".
// A relation on the way is resolved too. BAD_REQUEST for an unknown or too deep path.
func ParseInclude(site *store.Site, m *cms.Model, s string, admin bool) (*Include, error) {
	if s == "" {
		return nil, nil
	}
	inc := &Include{site: site, admin: admin, children: map[string]*includeNode{}}
	for _, path := range strings.Split(s, ",") {
		names := strings.Split(path, ".")
		if len(names) > maxIncludeDepth {
			return nil, cms.Errorf(cms.CodeBadRequest, "include takes at most %d names in a path.", maxIncludeDepth)
		}
		if err := inc.add(inc.children, m.Fields, names); err != nil {
			return nil, err
		}
	}
	return inc, nil
}

func (inc *Include) add(into map[string]*includeNode, fields []cms.Field, names []string) error {
	f := includable(fields, names[0])
	if f == nil || len(names) == 1 && !f.IsReference() {
		known := includableNames(fields)
		if len(known) == 0 {
			known = []string{"none"}
		}
		return cms.UnknownName("include", names[0], known...)
	}
	if len(names) > 1 && f.Type == cms.TypeMedia {
		return cms.Errorf(cms.CodeBadRequest, "Unknown include %q below the media field %q. Known: none.", shorten(names[1]), f.Name)
	}
	n := into[f.Name]
	if n == nil {
		n = &includeNode{field: *f, children: map[string]*includeNode{}}
		into[f.Name] = n
	}
	n.resolve = true
	below := f.Fields
	if f.Type == cms.TypeRelation {
		if n.target = inc.site.Models[f.Model]; n.target == nil {
			return nil
		}
		below = visibleModel(n.target, inc.admin).Fields
	}
	if len(names) == 1 {
		return nil
	}
	return inc.add(n.children, below, names[1:])
}

func visibleModel(m *store.Model, admin bool) *cms.Model {
	if admin {
		return &m.Model
	}
	return m.Visible()
}

// includable finds a reference, or a group, list or blocks field on the way to one; the block types of a blocks field count as one set of fields.
func includable(fields []cms.Field, name string) *cms.Field {
	for i := range fields {
		f := fields[i]
		if f.Name != name || !f.IsReference() && !f.HasFields() {
			continue
		}
		if f.Type == cms.TypeBlocks {
			var all []cms.Field
			for _, block := range f.Fields {
				all = append(all, block.Fields...)
			}
			f.Fields = all
		}
		return &f
	}
	return nil
}

func includableNames(fields []cms.Field) []string {
	names := []string{}
	for i := range fields {
		if fields[i].IsReference() {
			names = append(names, fields[i].Name)
		} else if fields[i].HasFields() {
			for _, below := range includableNames(includable(fields, fields[i].Name).Fields) {
				names = append(names, fields[i].Name+"."+below)
			}
		}
	}
	return slices.Compact(names)
}

// VisibleData is a copy of an entry's data for one view: without fields that the view's model hides. What lies below is shared.
func VisibleData(full, view *cms.Model, data map[string]any) map[string]any {
	data = maps.Clone(data)
	if view != full {
		maps.DeleteFunc(data, func(key string, _ any) bool { return view.Field(key) == nil })
	}
	if data == nil {
		data = map[string]any{}
	}
	return data
}

// slot is a place in data whose ids are to be replaced.
type slot struct {
	object map[string]any
	node   *includeNode
}

// Resolve replaces ids by what they stand for in the data of some entries, level by level with one batched read each. The maps are changed;
// what lies below them is copied first.
func (s *Entries) Resolve(ctx context.Context, inc *Include, data []map[string]any) error {
	if inc == nil {
		return nil
	}
	var slots []slot
	for _, d := range data {
		slots = gather(slots, d, inc.children)
	}
	for len(slots) > 0 {
		var media []string
		var refs []store.Reference
		for _, sl := range slots {
			for _, id := range idsOf(sl.object[sl.node.field.Name]) {
				if sl.node.field.Type == cms.TypeMedia {
					media = append(media, id)
				} else if canonical, ok := canonicalID(id); ok && sl.node.target != nil {
					refs = append(refs, store.Reference{Model: sl.node.target, ID: canonical})
				}
			}
		}
		files, related, err := s.fetch(ctx, media, refs)
		if err != nil {
			return err
		}
		var next []slot
		for _, sl := range slots {
			next = inc.replace(next, sl, files, related)
		}
		slots = next
	}
	return nil
}

// fetch reads one level.
func (s *Entries) fetch(ctx context.Context, media []string, refs []store.Reference) (map[string]any, map[store.Reference]*cms.Entry, error) {
	var files map[string]any
	if len(media) > 0 {
		var err error
		if files, err = s.MediaInline(ctx, media); err != nil {
			return nil, nil, err
		}
	}
	entries, err := s.Store.EntriesByID(ctx, refs)
	if err != nil {
		return nil, nil, err
	}
	related := make(map[store.Reference]*cms.Entry, len(refs))
	for i, r := range refs {
		related[r] = entries[i]
	}
	return files, related, nil
}

// gather finds the slots below an object, copying groups and lists on the way.
func gather(slots []slot, object map[string]any, nodes map[string]*includeNode) []slot {
	for name, n := range nodes {
		if object[name] == nil {
			continue
		}
		if n.field.IsReference() {
			slots = append(slots, slot{object, n})
			continue
		}
		switch v := object[name].(type) {
		case map[string]any:
			v = maps.Clone(v)
			object[name] = v
			slots = gather(slots, v, n.children)
		case []any:
			v = slices.Clone(v)
			object[name] = v
			for i := range v {
				if item, ok := v[i].(map[string]any); ok {
					item = maps.Clone(item)
					v[i] = item
					slots = gather(slots, item, n.children)
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
func (inc *Include) replace(next []slot, sl slot, files map[string]any, related map[store.Reference]*cms.Entry) []slot {
	one := func(id string) any {
		if sl.node.field.Type == cms.TypeMedia {
			return files[id]
		}
		canonical, _ := canonicalID(id)
		e := related[store.Reference{Model: sl.node.target, ID: canonical}]
		if e == nil || !inc.admin && (e.Status != cms.StatusPublished || !sl.node.target.IsActive) {
			return nil
		}
		data := VisibleData(&sl.node.target.Model, visibleModel(sl.node.target, inc.admin), e.Data)
		next = gather(next, data, sl.node.children)
		return relatedEntry{ID: e.ID, Model: sl.node.target.Slug, Slug: e.Slug, Title: e.Title, Data: data}
	}
	name := sl.node.field.Name
	switch v := sl.object[name].(type) {
	case string:
		sl.object[name] = one(v)
	case []any:
		list := []any{}
		for _, id := range idsOf(v) {
			if o := one(id); o != nil {
				list = append(list, o)
			}
		}
		sl.object[name] = list
	}
	return next
}

// relatedEntry is an entry resolved inline (decisions §3).
type relatedEntry struct {
	ID    string         `json:"id"`
	Model string         `json:"model"`
	Slug  string         `json:"slug"`
	Title string         `json:"title"`
	Data  map[string]any `json:"data"`
}
