package site

import (
	"context"

	"headless/pkg/cms"
)

// Visible returns the site without the models, forms and settings that p does not permit to read.
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

// Permit checks that an action is permitted on an entry before and after its change; nil means no
// entry. Published entries also need the permission to publish. The commit makes the same check.
// Use cases check first, so that clients without permission learn nothing about the content from
// validation errors. SERVICE_UNAVAILABLE while the locale of the entry is being deleted.
func (m *Model) Permit(ctx context.Context, action cms.Action, before, after *cms.Entry) error {
	p := cms.PermissionsOf(ctx)
	for _, e := range []*cms.Entry{before, after} {
		if e == nil {
			continue
		}
		if err := p.Check(action, m.Slug, e.Locale, "entry"); err != nil {
			return err
		}
		if m.site != nil {
			if err := m.site.localeClosed(e.Locale); err != nil {
				return err
			}
		}
		if e.Status == cms.StatusPublished {
			if err := p.Check(cms.ActionPublish, m.Slug, e.Locale, "entry"); err != nil {
				return err
			}
		}
	}
	return nil
}
