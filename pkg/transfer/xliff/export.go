package xliff

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/groups"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// Exchange writes files for translators and takes them back.
type Exchange struct {
	Entries *editing.Entries
	// SaveAlt saves the alternative text of a file in a locale. Only Import needs it.
	SaveAlt func(ctx context.Context, actor cms.Actor, file, locale, text string) error
}

// States of a segment.
const (
	stateInitial    = "initial" // without a translation, or with an outdated one
	stateTranslated = "translated"
)

// Export returns a file with the texts of entries of one locale, drafts included, and their present
// translations in another. Errors: VALIDATION_FAILED if they are too many for one file.
func (x Exchange) Export(ctx context.Context, now *site.Site, m *site.Model, locale string,
	entries []*cms.Entry) ([]byte, error) {
	d := document{Source: entries[0].Locale, Target: locale}
	sources, err := x.Entries.WithDraft(ctx, now, m, entries...)
	if err != nil {
		return nil, err
	}
	translations, err := x.translations(ctx, now, m, locale, entries)
	if err != nil {
		return nil, err
	}
	alts := make([][]text, len(entries))
	if input.Permit(ctx, cms.ActionRead, cms.AreaMedia, "file") == nil {
		drafted := slice.Map(sources, func(d *editing.Drafted) *cms.Entry { return d.Entry })
		if alts, err = x.altsOf(ctx, &m.Model, locale, drafted...); err != nil {
			return nil, err
		}
	}
	size, written := 0, map[string]bool{} // paths of alternative texts, each of which is written once
	for i, source := range sources {
		f := file{ID: source.Live.ID, Original: m.Slug + "/" + source.Live.ID, Space: "preserve",
			Notes: &notes{[]note{{"entry", source.Entry.Title}}}}
		translation, state := (*cms.Entry)(nil), stateInitial
		if t := translations[i]; t != nil {
			translation = t.Entry
			if !t.Live.UpdatedAt.Before(source.Live.UpdatedAt.Time) {
				state = stateTranslated
			}
		}
		for _, t := range append(textsOf(&m.Model, source.Entry), alts[i]...) {
			target, is := valueAt(&t, source.Entry, translation), state
			if t.file != "" {
				if written[t.path] {
					continue
				}
				written[t.path], is = true, stateTranslated
			}
			if target == "" {
				is = stateInitial
			}
			f.Units = append(f.Units, unitOf(t.path, t.field, t.notes(&m.Model), t.value, target, is))
			size += len(t.value) + len(target)
		}
		if size > MaxBytes {
			return nil, tooMuch()
		}
		d.Files = append(d.Files, f)
	}
	raw, err := d.writeFile()
	if err == nil && len(raw) > MaxBytes {
		err = tooMuch()
	}
	return raw, err
}

func tooMuch() error {
	p := cms.Problems{}
	p.Add("ids", "have more than 4 MB of texts: choose fewer entries")
	return p.Err()
}

// translations returns the translation of each of some entries, nil for those that have none.
func (x Exchange) translations(ctx context.Context, now *site.Site, m *site.Model, locale string,
	entries []*cms.Entry) ([]*editing.Drafted, error) {
	of, err := groups.Of(ctx, x.Entries.Store, m, slice.Map(entries, func(e *cms.Entry) string { return e.ID }))
	if err != nil {
		return nil, err
	}
	found := make([]*editing.Drafted, len(entries))
	var refs []content.Reference
	var at []int
	for i, g := range of {
		if id := g.Members[locale]; id != "" {
			refs, at = append(refs, content.Reference{Model: m, ID: id}), append(at, i)
		}
	}
	stored, err := x.Entries.Store.EntriesByID(ctx, refs)
	if err != nil {
		return nil, err
	}
	var there []*cms.Entry
	var placed []int
	for i, e := range stored {
		if e != nil { // not in the trash
			there, placed = append(there, e), append(placed, at[i])
		}
	}
	drafted, err := x.Entries.WithDraft(ctx, now, m, there...)
	for i, d := range drafted {
		found[placed[i]] = d
	}
	return found, err
}
