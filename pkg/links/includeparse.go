package links

import (
	"cmp"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/site"
)

type includeNode struct {
	field    cms.Field
	targets  []*includeTarget // of a relation: the models that it leads to, as far as they exist
	resolve  bool             // named in the parameter, or a parent of a named field
	children map[string]*includeNode
}

// includeTarget is a model that a relation leads to, with what is included of its entries.
type includeTarget struct {
	model    *site.Model
	children map[string]*includeNode
}

// targetFor returns the target with a slug, nil if there is none.
func (n *includeNode) targetFor(slug string) *includeTarget {
	for _, t := range n.targets {
		if t.model.Slug == slug {
			return t
		}
	}
	return nil
}

// ParseInclude parses an include parameter such as "cover,author.photo". m is the model with the
// fields that the caller may see. "" gives nil. Relations on a path are resolved too. Error:
// BAD_REQUEST for an unknown or too long path.
func ParseInclude(site *site.Site, m *cms.Model, s string, admin bool) (*Include, error) {
	if s == "" {
		return nil, nil
	}
	inc := &Include{site: site, admin: admin, children: map[string]*includeNode{}}
	for _, path := range strings.Split(s, ",") {
		names := strings.Split(path, ".")
		if len(names) > maxIncludeDepth {
			return nil, cms.Errorf(cms.CodeBadRequest, "include takes at most %d names in a path.", maxIncludeDepth)
		}
		if err := inc.addPath(inc.children, m.Fields, names); err != nil {
			return nil, err
		}
	}
	return inc, nil
}

// addPath adds a path to the tree: names[0] is a field of fields.
func (inc *Include) addPath(nodes map[string]*includeNode, fields []cms.Field, names []string) error {
	f := includable(fields, names[0])
	if f == nil || len(names) == 1 && !f.IsReference() {
		known := includableNames(fields)
		if len(known) == 0 {
			known = []string{"none"}
		}
		return cms.UnknownName("include", names[0], known...)
	}
	if len(names) > 1 && f.Type == cms.TypeMedia {
		return cms.Errorf(cms.CodeBadRequest,
			"Unknown include %q below the media field %q. Known: none.", cms.Shorten(names[1]), f.Name)
	}
	n := nodes[f.Name]
	if n == nil {
		n = &includeNode{field: *f, children: map[string]*includeNode{}}
		nodes[f.Name] = n
	}
	n.resolve = true
	if f.Type == cms.TypeRelation {
		return inc.addTargets(n, names[1:])
	}
	if len(names) == 1 {
		return nil
	}
	return inc.addPath(n.children, f.Fields, names[1:])
}

// addTargets adds the models of a relation, and the names below it to each that has them. Error:
// BAD_REQUEST if none has them.
func (inc *Include) addTargets(n *includeNode, below []string) (err error) {
	known := false
	for _, slug := range n.field.Targets() {
		model := inc.site.Models[slug]
		if model == nil {
			continue
		}
		t := n.targetFor(slug)
		if t == nil {
			t = &includeTarget{model, map[string]*includeNode{}}
			n.targets = append(n.targets, t)
		}
		if len(below) > 0 {
			failure := inc.addPath(t.children, model.VisibleTo(inc.admin).Fields, below)
			known, err = known || failure == nil, cmp.Or(err, failure)
		}
	}
	if known {
		return nil
	}
	return err
}

// includable returns the field name if it is a reference, or a field with fields that may hold one. The
// fields of all block types of a field are merged into one list.
func includable(fields []cms.Field, name string) *cms.Field {
	for i := range fields {
		f := fields[i]
		if f.Name != name || !f.IsReference() && !f.HasFields() && !f.HasBlockTypes() {
			continue
		}
		if f.HasBlockTypes() {
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
		} else if fields[i].HasFields() || fields[i].HasBlockTypes() {
			for _, nested := range includableNames(includable(fields, fields[i].Name).Fields) {
				names = append(names, fields[i].Name+"."+nested)
			}
		}
	}
	return slices.Compact(names)
}
