package links

import (
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/site"
)

type includeNode struct {
	field    cms.Field
	target   *site.Model // of a relation
	resolve  bool        // named itself, or on the way to what is named
	children map[string]*includeNode
}

// ParseInclude reads an include parameter such as "cover,author.photo" against the model as the key
// sees it; nil for "". A relation on the way is resolved too. BAD_REQUEST for an unknown or too
// deep path.
func ParseInclude(site *site.Site, m *cms.Model, s string, admin bool) (*Include, error) {
	if s == "" {
		return nil, nil
	}
	inc := &Include{site: site, admin: admin, children: map[string]*includeNode{}}
	for _, path := range strings.Split(s, ",") {
		names := strings.Split(path, ".")
		if len(names) > maxIncludeDepth {
			return nil, cms.Errorf(cms.CodeBadRequest, "include takes at most %d names in a path.",
				maxIncludeDepth)
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
		return cms.Errorf(cms.CodeBadRequest,
			"Unknown include %q below the media field %q. Known: none.", cms.Shorten(names[1]), f.Name)
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
		below = n.target.VisibleTo(inc.admin).Fields
	}
	if len(names) == 1 {
		return nil
	}
	return inc.add(n.children, below, names[1:])
}

// includable finds a reference, or a group, list or blocks field on the way to one; the block types
// of a blocks field count as one set of fields.
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
