package editing

import (
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/input"
	"headless/pkg/refs"
	"headless/pkg/site"
)

// checkReferences adds a problem for each reference of e whose target does not exist. References
// that the entry had before are not checked.
func (s *Entries) checkReferences(ctx context.Context, p cms.Problems, site *site.Site,
	m *site.Model, before, e *cms.Entry) error {
	known := map[string]bool{}
	if before != nil {
		for _, r := range refs.References(&m.Model, before.Data) {
			known[r.ID] = true
		}
	}
	refs := slices.DeleteFunc(refs.References(&m.Model, e.Data),
		func(r refs.Reference) bool { return known[r.ID] })
	var media []string
	var entries []content.Reference
	var paths []string
	for _, r := range refs {
		if r.Kind == cms.TypeMedia {
			media = append(media, r.ID)
			continue
		}
		target := site.Models[r.Model]
		if target == nil {
			p.Add(r.Path, "relates to a model that no longer exists")
			continue
		}
		id, _ := input.CanonicalID(r.ID)
		entries, paths = append(entries, content.Reference{Model: target, ID: id}), append(paths, r.Path)
	}
	found, err := s.Store.EntriesByID(ctx, entries)
	if err != nil {
		return err
	}
	for i, e := range found {
		if e == nil {
			p.Add(paths[i], "there is no such entry")
		}
	}
	return s.checkMedia(ctx, p, refs, media)
}

func (s *Entries) checkMedia(ctx context.Context, p cms.Problems, refs []refs.Reference,
	ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	types, err := s.MediaTypes(ctx, ids)
	if err != nil {
		return err
	}
	for _, r := range refs {
		if r.Kind != cms.TypeMedia {
			continue
		}
		mime, ok := types[r.ID]
		switch {
		case !ok:
			p.Add(r.Path, "there is no such file")
		case len(r.Mimes) > 0 && !cms.MatchMime(r.Mimes, mime):
			p.Add(r.Path, "must be of type %s, not %s", joined(r.Mimes), mime)
		}
	}
	return nil
}
