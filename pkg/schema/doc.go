// Package schema handles the configuration of a site as one document for version control
// (extensions §10). The document can be exported, compared with another one (a plan), and applied,
// completely or not at all.
//
// A part is one model, locale, setting, form, folder, webhook, role or redirect. Parts that a
// document does not mention stay, unless its deletes name them. A plan is not stored. Its id is a
// hash of the current configuration, the document and the changes, so a change of any of these
// makes the plan out of date.
package schema

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"headless/pkg/access"
	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/hooks"
	"headless/pkg/redirects"
	"headless/pkg/rooms"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// Schemas are the use cases of a site's schema.
type Schemas struct {
	Store     *rooms.Stores
	Models    *site.Models
	Locales   *site.Locales
	Webhooks  hooks.Webhooks
	Redirects *redirects.Redirects
}

// Document is the schema of a site, in a fixed order and without ids, times and secrets. Values of
// private settings, headers of webhooks and secret keys of forms are left out.
type Document struct {
	Models    []Part `json:"models"`
	Locales   []Part `json:"locales"`
	Settings  []Part `json:"settings"`
	Forms     []Part `json:"forms"`
	Folders   []Part `json:"folders"`
	Webhooks  []Part `json:"webhooks"`
	Roles     []Part `json:"roles"`
	Redirects []Part `json:"redirects"`
}

// Part is the body of one part, with the keys of its admin routes.
type Part = any

// state is the configuration from which a plan is made.
type state struct {
	site    *site.Site
	hooks   []namedHook
	folders []assets.Folder // by name
	roles   []access.Role   // by slug

	redirects []redirects.Redirect // by from
}

// namedHook is a webhook and its name in a document: that of the webhook, or else its URL.
type namedHook struct {
	name string
	hook hooks.Webhook
}

// Current returns the schema of the site, with the addresses of webhooks and notifications or
// without.
func (s *Schemas) Current(ctx context.Context, addresses bool) (Document, error) {
	st, err := s.state(ctx)
	if err != nil {
		return Document{}, err
	}
	return st.document(addresses), nil
}

// NoteExport records that the content is being exported, with the choice of the export.
func (s *Schemas) NoteExport(ctx context.Context, actor cms.Actor, choice map[string]any) error {
	tx := s.Store.DB.Begin()
	tx.Audit(actor, "export.made", "content", "", nil, choice)
	return s.Store.DB.Commit(ctx, tx)
}

func (s *Schemas) state(ctx context.Context) (*state, error) {
	site, err := s.Store.Site.Site(ctx)
	if err != nil {
		return nil, err
	}
	st := &state{site: site}
	if st.folders, err = s.Store.Assets.Folders(ctx); err != nil {
		return nil, err
	}
	cms.SortBy(st.folders, func(f assets.Folder) string { return f.Name })
	if st.redirects, err = s.Store.Redirects.All(ctx); err != nil {
		return nil, err
	}
	stored, err := s.Store.Hooks.Webhooks(ctx)
	if err != nil {
		return nil, err
	}
	if st.roles, err = s.Store.Access.Roles(ctx); err != nil {
		return nil, err
	}
	cms.SortBy(st.roles, func(r access.Role) string { return string(r.Slug) })
	cms.SortBy(stored, func(h hooks.Webhook) string { return cmp.Or(h.Name, h.URL) })
	names := namer{}
	for _, h := range stored {
		if h.Listen {
			continue // it ends in a moment
		}
		st.hooks = append(st.hooks, namedHook{names.nextName(cmp.Or(h.Name, h.URL)), h})
	}
	return st, nil
}

// sortedModels returns the models by slug.
func sortedModels(siteNow *site.Site) []*site.Model { return sortedValues(siteNow.Models) }

// sortedValues returns the values of a map by their keys.
func sortedValues[T any](parts map[string]T) []T {
	return slice.Map(slices.Sorted(maps.Keys(parts)), func(key string) T { return parts[key] })
}
