package site

import "headless/pkg/cms"

// Visible returns the site as somebody with these permissions sees it: without the models, forms
// and settings that they may not read.
func (s *Site) Visible(p *cms.Permissions) *Site {
	if p == nil {
		return s
	}
	v := *s
	v.Models = make(map[string]*Model, len(s.Models))
	for slug, m := range s.Models {
		if p.May(cms.ActionRead, slug, "") {
			v.Models[slug] = m
		}
	}
	if !p.May(cms.ActionRead, cms.AreaForms, "") {
		v.Forms = map[string]*cms.Form{}
	}
	if !p.May(cms.ActionRead, cms.AreaSettings, "") {
		v.Settings = nil
	}
	return &v
}
