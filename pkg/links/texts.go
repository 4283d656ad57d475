package links

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/groups"
	"headless/pkg/markdown"
	"headless/pkg/refs"
	"headless/pkg/site"
	"headless/pkg/translations"
)

// Texts replaces the references in the texts of one answer by addresses (extensions §12).
type Texts struct {
	Site        *site.Site
	Entries     *editing.Entries
	Own         refs.Own         // addresses of files, which count as references
	Admin       bool             // the reader may see entries of every status
	Unpublished bool             // other readers may too, if Maker may read them
	Maker       *cms.Permissions // of a preview link; nil: all
	Chain       []string         // locales of translations, the best first; nil for no translation
	Tags        *cms.Tags        // collects the targets; may be nil
	Raw         bool             // references stay in their stored form
	HTML, Parts bool             // the form in which texts are shown
	Images      []int            // widths for srcset in HTML; nil for no srcset

	split     markdown.Budget // of the texts that Split parses
	targets   []refs.Target
	parsed    map[string][]refs.Destination // of each text that may have references
	addresses map[refs.Target]string        // of the targets that the reader may see
	files     map[string]*cms.MediaInline   // by their addresses
	locale    string                        // of the entry whose texts are shown
}

// maxTextTargets is how many targets the texts of an answer may have.
const maxTextTargets = 2000

// ErrTextTargets says that the texts of an answer refer to too much.
var ErrTextTargets = cms.Errorf(cms.CodeBadRequest,
	"The texts of this answer refer to more than %d entries and files. Ask for their stored form with "+
		"refs=raw, for fewer keys with fields, or for fewer items with per_page.", maxTextTargets)

// Expand replaces the references in the texts of some entries of a model and of what inc included in
// them. It changes the elements of data, but copies what it changes in them. It reports whether any
// text changed. All targets are read together. Error: BAD_REQUEST for more than 2,000 targets.
func (t *Texts) Expand(ctx context.Context, m *cms.Model, data []map[string]any, inc *Include) (bool, error) {
	if t.Raw {
		return false, nil
	}
	t.parsed, t.addresses = map[string][]refs.Destination{}, map[refs.Target]string{}
	t.files = map[string]*cms.MediaInline{}
	seen := map[refs.Target]bool{}
	var budget markdown.Budget
	t.mapEach(m, data, inc, func(_, text string) string {
		if t.parsed[text] == nil && t.Own.MayRefer(text) && budget.Takes(text) {
			t.parsed[text] = refs.Destinations(text)
			for _, d := range t.parsed[text] {
				if target, _, ok := t.Own.TargetOf(text[d.Start:d.End]); ok && !seen[target] {
					seen[target], t.targets = true, append(t.targets, target)
				}
			}
		}
		return text
	})
	if len(t.targets) == 0 {
		return false, nil
	}
	if len(t.targets) > maxTextTargets {
		return false, ErrTextTargets
	}
	if err := t.readTargets(ctx); err != nil {
		return false, err
	}
	changed := false
	t.mapEach(m, data, inc, func(_, text string) string {
		now := refs.Substitute(text, t.parsed[text], t.addressOf)
		changed = changed || now != text
		return now
	})
	return changed, nil
}

// mapEach maps the texts of the entries and of the included ones.
func (t *Texts) mapEach(m *cms.Model, data []map[string]any, inc *Include, change func(path, text string) string) {
	for i := range data {
		data[i] = refs.MapTexts(m.Fields, data[i], change)
	}
	if inc != nil {
		for _, o := range inc.objects {
			o.Data = refs.MapTexts(o.target.model.Fields, o.Data, change)
		}
	}
}

// addressOf returns the address for a destination; ok is false if it stays.
func (t *Texts) addressOf(destination string) (string, bool) {
	target, rest, ok := t.Own.TargetOf(destination)
	address := t.addresses[target]
	if !ok || address == "" {
		return "", false
	}
	return refs.Join(address, rest), true
}

// readTargets reads the addresses of the targets.
func (t *Texts) readTargets(ctx context.Context) error {
	var files, ids []string
	for _, target := range t.targets {
		if target.File {
			files = append(files, target.ID)
			t.Tags.File(target.ID)
		} else {
			ids = append(ids, target.ID)
		}
	}
	var found map[string]any
	var addresses map[string]content.Address
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		if len(files) > 0 {
			found, err = t.Entries.MediaInline(gctx, files)
		}
		return err
	})
	g.Go(func() (err error) {
		addresses, err = t.Entries.Store.AddressesAbove(gctx, ids)
		return err
	})
	if err := g.Wait(); err != nil {
		return err
	}
	for id, file := range found {
		if inline, ok := file.(*cms.MediaInline); ok {
			t.addresses[refs.Target{File: true, ID: id}] = inline.URL
			t.files[inline.URL] = inline
		}
	}
	return t.readEntries(ctx, ids, addresses)
}

// readEntries sets the addresses of the entries that the reader may see, with Chain those of their
// best translations.
func (t *Texts) readEntries(ctx context.Context, ids []string, addresses map[string]content.Address) error {
	var list []translations.Candidate
	var localized []content.Reference
	for _, id := range ids {
		a, known := addresses[id]
		m := t.Site.ModelByID(a.ModelID)
		if !known || m == nil {
			t.Tags.Unknown(id)
			continue
		}
		t.Tags.Entry(m.Slug, id)
		if !t.sees(ctx, m, a) {
			continue
		}
		t.setAddress(id, id, m, a)
		if m.URL != "" {
			t.Tags.Add(cms.TagSettings)
		}
		if t.Chain != nil && m.Localized {
			list = append(list, translations.Candidate{Model: m, Entry: stub(id, a)})
			localized = append(localized, content.Reference{Model: m, ID: id})
		}
	}
	if len(list) == 0 {
		return nil
	}
	return t.translate(ctx, list, localized)
}

// translate replaces addresses by those of the best translations.
func (t *Texts) translate(ctx context.Context, list []translations.Candidate,
	localized []content.Reference) error {
	found, err := groups.OfEach(ctx, t.Entries.Store, localized)
	if err != nil {
		return err
	}
	var ids []string
	for i := range list {
		list[i].Group = found[i]
		t.Tags.Model(list[i].Model.Slug) // a translation that is published later replaces this one
		ids = append(ids, translations.Better(t.Chain, list[i].Entry.Locale, found[i])...)
	}
	slices.Sort(ids)
	addresses, err := t.Entries.Store.AddressesAbove(ctx, slices.Compact(ids))
	if err != nil {
		return err
	}
	for _, c := range list {
		byID := map[string]*cms.Entry{}
		for _, id := range c.Group.Members {
			if a, ok := addresses[id]; ok && t.sees(ctx, c.Model, a) {
				byID[id] = stub(id, a)
			}
		}
		best := c.Best(t.Chain, func(*cms.Entry) bool { return true }, byID)
		if best != nil && best.ID != c.Entry.ID {
			t.Tags.Entry(c.Model.Slug, best.ID)
			t.setAddress(c.Entry.ID, best.ID, c.Model, addresses[best.ID])
		}
	}
	return nil
}

// setAddress makes links to an entry show the address of another one, or its own.
func (t *Texts) setAddress(target, id string, m *site.Model, a content.Address) {
	for _, above := range a.Above() {
		t.Tags.Entry(m.Slug, above)
	}
	t.addresses[refs.Target{ID: target}] = a.On(t.Site, id)
}

func stub(id string, a content.Address) *cms.Entry {
	return &cms.Entry{ID: id, Locale: a.Locale, Status: a.Status, Slug: a.Slug}
}

// sees reports whether the reader may see the entry of an address.
func (t *Texts) sees(ctx context.Context, m *site.Model, a content.Address) bool {
	if !m.IsActive || !cms.PermissionsOf(ctx).May(cms.ActionRead, m.Slug, a.Locale) {
		return false
	}
	if t.Admin {
		return true
	}
	return t.Site.Shows(m, a.Locale) && (a.Status == cms.StatusPublished ||
		t.Unpublished && t.Maker.May(cms.ActionRead, m.Slug, a.Locale))
}
