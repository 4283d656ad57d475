package urls

import (
	"context"
	"net/url"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/content/tree"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/web"
)

// Node is an entry in the answer of GET /{model}/tree.
type Node struct {
	ID       string        `json:"id"`
	Slug     string        `json:"slug"`
	Title    string        `json:"title"`
	Status   cms.Status    `json:"status"`
	URL      *cms.EntryURL `json:"url"`
	Position float64       `json:"position"`
	Children []*Node       `json:"children"`
}

// ErrWideTree says that an answer would have too many entries.
var ErrWideTree = cms.Errorf(cms.CodeBadRequest,
	"The tree has more than %d entries. Ask for a part of it with parent or depth.", cms.MaxNodes)

// Nodes asks for the tree of a model in a locale.
type Nodes struct {
	Store  *content.Store
	Model  *site.Model
	Locale string
	Parent string // only what is below this entry; "": all
	Depth  int    // on so many levels
	Admin  bool   // entries of all statuses
	Sees   Sees
	Tags   *cms.Tags // collects what the answer depends on; may be nil
}

// NodeParams are the query parameters of GET /{model}/tree.
var NodeParams = []string{"locale", "parent", "depth", "preview", "source"}

// Ask sets locale, parent and depth from query parameters. Error: BAD_REQUEST.
func (n *Nodes) Ask(q url.Values, now *site.Site) (err error) {
	if err := web.CheckRepeated(q, NodeParams); err != nil {
		return err
	}
	if n.Locale = now.Default; q.Has("locale") {
		n.Locale = q.Get("locale")
		if err := now.RequireLocale(n.Locale); err != nil {
			return err
		}
	}
	if n.Depth, err = web.Positive(q, "depth", cms.MaxLevels); err != nil {
		return err
	}
	if parent := q.Get("parent"); parent != "" && parent != "null" {
		isID := false
		if n.Parent, isID = input.CanonicalID(parent); !isID {
			return cms.Errorf(cms.CodeBadRequest, "parent must be the id of an entry.")
		}
	}
	return nil
}

// Read returns the entries of the tree that the reader sees, nested. Errors: ENTRY_NOT_FOUND if the reader
// sees no such parent; ErrWideTree.
func (n Nodes) Read(ctx context.Context) ([]*Node, error) {
	t, above, err := n.read(ctx)
	if cms.CodeOf(err) == cms.CodeQueryNotIndexed || err == nil && len(t.Nodes) > cms.MaxNodes {
		err = ErrWideTree
	}
	if err != nil {
		return nil, err
	}
	return nestedNodes(t, n.Model, n.Parent, above, n.Depth), nil
}

// ReadOpened is Read for pages. It returns the whole tree if that has at most cms.MaxNodes entries, else only the
// entries directly below the parent. Error: tree.ErrLargeTree for more than tree.MaxLevel of these.
func (n Nodes) ReadOpened(ctx context.Context) (*tree.Tree, []*Node, error) {
	n.Depth = 1
	t, above, err := n.read(ctx)
	if err != nil {
		return nil, nil, err
	}
	if t.Whole {
		n.Parent, n.Depth, above = "", cms.MaxLevels, nil
	}
	return t, nestedNodes(t, n.Model, n.Parent, above, n.Depth), nil
}

// ReadAfter is ReadOpened for a page of a level with too many entries, in the order of the index. It reads no more than
// the page, after those before next was returned.
func (n Nodes) ReadAfter(ctx context.Context, after string, most int) (nodes []*Node, next string, err error) {
	above, err := n.slugsAbove(ctx)
	if err != nil || !cms.PermissionsOf(ctx).May(cms.ActionRead, n.Model.Slug, n.Locale) {
		return nil, "", err
	}
	t, next, err := n.Store.LevelAfter(ctx, n.Model, n.Locale, n.Parent, after, most)
	if err != nil {
		return nil, "", err
	}
	return nestedNodes(t, n.Model, n.Parent, above, 1), next, nil
}

// read also returns the slugs of the parent and of the entries above it.
func (n Nodes) read(ctx context.Context) (t *tree.Tree, above []string, err error) {
	n.Tags.List(n.Model.Slug, n.Locale)
	n.Tags.Add(cms.TagSettings)
	if above, err = n.slugsAbove(ctx); err != nil {
		return nil, nil, err
	}
	statuses := []cms.Status{cms.StatusPublished}
	if n.Admin {
		statuses = cms.Statuses
	}
	if !cms.PermissionsOf(ctx).May(cms.ActionRead, n.Model.Slug, n.Locale) {
		return &tree.Tree{Whole: true}, above, nil
	}
	t, err = n.Store.ReadTree(ctx, n.Model, n.Locale, statuses, n.Parent, n.Depth)
	return t, above, err
}

// slugsAbove returns the slugs above the entries below the parent.
func (n Nodes) slugsAbove(ctx context.Context) ([]string, error) {
	if n.Parent == "" {
		return nil, nil
	}
	known := content.Above{}
	if err := n.Store.AddAbove(ctx, known, n.Parent); err != nil {
		return nil, err
	}
	ids := append(known.Chain(n.Parent), n.Parent)
	for _, id := range ids {
		n.Tags.Entry(n.Model.Slug, id)
		at := known[id]
		if at.ModelID != n.Model.ID || n.Model.KeyLocale(at.Locale) != n.Model.KeyLocale(n.Locale) ||
			!n.Sees(n.Model, &cms.Entry{Locale: at.Locale, Status: at.Status}) {
			return nil, content.ErrEntryNotFound
		}
	}
	return known.Slugs(ids), nil
}

// nestedNodes returns the entries below a parent, down to a depth. above has the slugs of the parent and of the
// entries above it.
func nestedNodes(t *tree.Tree, m *site.Model, parent string, above []string, depth int) []*Node {
	list := []*Node{}
	for _, n := range t.Below(parent) {
		place := n.Place(n.ID)
		place.Above = above
		node := &Node{ID: n.ID, Slug: n.Slug, Title: n.Title, Status: n.Status, URL: (&Answer{}).Of(m, place),
			Position: n.Position, Children: []*Node{}}
		if depth > 1 {
			node.Children = nestedNodes(t, m, n.ID, append(above[:len(above):len(above)], n.Slug), depth-1)
		}
		list = append(list, node)
	}
	return list
}
