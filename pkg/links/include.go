package links

import (
	"context"

	"headless/pkg/assets/variant"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/urls"
)

// maxIncludeDepth is the maximum number of names in an include path (decisions §3).
const maxIncludeDepth = 3

// Include is a parsed include parameter: the references to resolve inline, as a tree of field
// names. The exported fields say how included entries and files are shown.
type Include struct {
	All         bool             // entries of every status and locale are included
	Unpublished bool             // entries of every status are included
	Drafts      bool             // drafts are laid over included entries
	Maker       *cms.Permissions // Unpublished and Drafts are limited to what they may read; nil for no limit
	Chain       []string         // locales in which entries are included, the best first; nil for no translation
	Images      []int            // widths for srcset of images; nil for no srcset
	URLs        *urls.Answer     // adds the URLs of entries; nil for none
	Texts       *Texts           // how texts are shown; may be nil
	Tags        *cms.Tags        // collects the cache tags of the answer; may be nil

	site       *site.Site
	admin      bool // hidden fields are shown
	children   map[string]*includeNode
	prefetched prefetched
	left       int             // bytes that may still be encoded
	objects    []*relatedEntry // all included entries
}

// places returns the places of included entries by id, if URLs are shown.
func (inc *Include) places(ctx context.Context,
	related map[content.Reference]*editing.Drafted) (map[string]*cms.Place, error) {
	places := map[string]*cms.Place{}
	if inc.URLs == nil {
		return places, nil
	}
	byModel := map[*site.Model][]*cms.Place{}
	for r, d := range related {
		p := d.Live.Place()
		places[p.ID] = &p
		byModel[r.Model] = append(byModel[r.Model], &p)
	}
	for m, list := range byModel {
		if err := inc.URLs.Read(ctx, m, list...); err != nil {
			return nil, err
		}
	}
	return places, nil
}

// isRevealed reports whether a preview may show the draft and the status of an entry.
func (inc *Include) isRevealed(m *site.Model, e *cms.Entry) bool {
	return inc.Maker.May(cms.ActionRead, m.Slug, e.Locale)
}

// Limits of the included objects of an answer (extensions §1).
const (
	maxIncluded      = 2000     // objects; an object counts wherever it appears
	maxIncludedBytes = 64 << 20 // size of all encoded objects; nested ones count more than once
)

var (
	errIncluded = cms.Errorf(cms.CodeBadRequest,
		"include would resolve more than %d objects in this answer. Ask for fewer items with per_page, "+
			"or for fewer or shorter paths.",
		maxIncluded)
	errIncludedBytes = cms.Errorf(cms.CodePayloadTooLarge,
		"The included objects are too large for one answer. Ask for fewer items with per_page, or for fewer paths.")
)

// slot is the value of a reference field in an object, whose ids are to be replaced by objects. An
// object that appears several times in the answer is resolved only once. The entry in which it stands
// knows how often.
type slot struct {
	object map[string]any
	node   *includeNode
	in     *relatedEntry
}

// references returns the references in the slot, whichever they lead to.
func (sl slot) references() []any {
	v := sl.object[sl.node.field.Name]
	list, isList := v.([]any)
	if !isList {
		list = []any{v}
	}
	return slice.Filter(list, sl.node.refers)
}

// refers reports whether a value of the node's field is a reference.
func (n *includeNode) refers(v any) bool {
	_, id := n.field.Target(v)
	return id != ""
}

// reference returns the entry that a value of a relation refers to. ok is false if there can be none.
func (n *includeNode) reference(v any) (t *includeTarget, r content.Reference, ok bool) {
	slug, id := n.field.Target(v)
	canonical, ok := input.CanonicalID(id)
	if t = n.targetFor(slug); t == nil || !ok {
		return nil, r, false
	}
	return t, content.Reference{Model: t.model, ID: canonical}, true
}

// media returns an included file with its alternative text in a locale. It adds srcset to an image if the query
// parameter images asks for it.
func (inc *Include) media(file any, locale string) any {
	m, ok := file.(*cms.MediaInline)
	if !ok {
		return file
	}
	if m = m.In(locale); inc.Images == nil {
		return m
	}
	srcset := ""
	if m.Scalable && m.Width != nil {
		srcset = variant.Srcset(m.URL, *m.Width, m.Focal, inc.Images)
	}
	m.Srcset = &srcset
	return m
}
