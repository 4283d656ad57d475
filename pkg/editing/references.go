package editing

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/input"
	"headless/pkg/refs"
	"headless/pkg/site"
)

// checkReferences adds a problem for each reference of e whose target does not exist, or may not be
// read by the caller. References that the entry had at the same place before are not checked.
func (s *Entries) checkReferences(ctx context.Context, p cms.Problems, site *site.Site,
	m *site.Model, before, e *cms.Entry) error {
	added := addedReferences(m, e, before)
	var media []string
	for _, r := range added {
		if r.Kind == cms.TypeMedia {
			media = append(media, r.ID)
		}
	}
	if err := s.checkTargets(ctx, p, site, added); err != nil {
		return err
	}
	return s.checkMedia(ctx, p, added, media)
}

// addedReferences returns the references of e that none of the former states of the entry has at the
// same place. The place of an item of a list is the list, so that items can be moved.
func addedReferences(m *site.Model, e *cms.Entry, former ...*cms.Entry) []refs.Reference {
	type place struct{ path, model, id string }
	at := func(r refs.Reference) place {
		var names []string
		for _, name := range strings.Split(r.Path, ".") {
			if _, err := strconv.Atoi(name); err != nil {
				names = append(names, name)
			}
		}
		return place{strings.Join(names, "."), r.Model, r.ID}
	}
	known := map[place]bool{}
	for _, before := range former {
		if before == nil {
			continue
		}
		for _, r := range refs.References(&m.Model, before.Data) {
			known[at(r)] = true
		}
	}
	return slices.DeleteFunc(refs.References(&m.Model, e.Data), func(r refs.Reference) bool { return known[at(r)] })
}

// checkTargets adds a problem for each reference to an entry that does not exist or that the caller
// may not read.
func (s *Entries) checkTargets(ctx context.Context, p cms.Problems, site *site.Site,
	added []refs.Reference) error {
	var entries []content.Reference
	var paths []string
	for _, r := range added {
		if r.Kind == cms.TypeMedia {
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
	return nil
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
			p.Add(r.Path, "must be of type %s, not %s", strings.Join(r.Mimes, ", "), mime)
		}
	}
	return nil
}
