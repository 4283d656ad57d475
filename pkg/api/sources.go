package api

import (
	"cmp"
	"strconv"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/links"
	"headless/pkg/site"
	"headless/pkg/urls"
)

// wantsSources reads the parameter source of a preview (extensions §15). It returns nil if the request has
// none. Errors: BAD_REQUEST for an unknown value, FORBIDDEN without a preview.
func wantsSources(c *pipeline.Call) (*links.Sources, error) {
	q := c.R.URL.Query()
	asked := q.Get("source")
	if !q.Has("source") {
		return nil, nil
	}
	if asked != "stega" && asked != "map" {
		return nil, cms.Errorf(cms.CodeBadRequest, "source must be stega or map.")
	}
	if !asksPreview(c) {
		return nil, cms.Errorf(cms.CodeForbidden, "source works with a preview token only.")
	}
	s := &links.Sources{SiteURL: cmp.Or(c.SiteURL(), "https://"+c.R.Host)}
	if asked == "map" {
		s.ByPointer = map[string]string{}
	}
	return s, nil
}

// markNodes marks the titles of a tree. pointer leads to the nodes in the answer.
func markNodes(s *links.Sources, m *site.Model, nodes []*urls.Node, pointer string) {
	for i, n := range nodes {
		at := pointer + "/" + strconv.Itoa(i)
		n.Title, _ = s.Entry(&m.Model, n.ID, n.Title, nil, true, at)
		markNodes(s, m, n.Children, at+"/children")
	}
}

// mark marks the texts of entries as they are shown.
func (v *view) mark(entries []*cms.Entry, shown []map[string]any) {
	v.sources.HTML = v.html
	for i, e := range entries {
		pointer := "/data"
		if !v.single {
			pointer += "/" + strconv.Itoa(i)
		}
		marked := *e
		marked.Title, shown[i] = v.sources.Entry(v.model, e.ID, e.Title, shown[i],
			v.fields == nil || v.fields["title"], pointer)
		entries[i] = &marked
	}
	v.about.Sources = v.sources.ByPointer
}
