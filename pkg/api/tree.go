package api

import (
	"headless/pkg/api/pipeline"
	"headless/pkg/site"
	"headless/pkg/urls"
)

// tree answers GET /{model}/tree: the entries that the reader sees, nested (extensions §13).
func (h entries) tree(c *pipeline.Call, m *site.Model) (pipeline.Answer, error) {
	c.SetParams(urls.NodeParams)
	n := urls.Nodes{Store: h.service.Store, Model: m, Admin: c.IsAdmin(), Sees: c.Sees, Tags: c.Tags}
	if err := n.Ask(c.R.URL.Query(), c.Site); err != nil {
		return pipeline.Answer{}, err
	}
	data, err := n.Read(c.Context())
	return pipeline.Answer{Data: data}, err
}
