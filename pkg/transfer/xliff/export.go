package xliff

import (
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/editing/takeback"
	"headless/pkg/groups"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/transfer"
)

// Exchange writes files for translators and takes them back.
type Exchange struct {
	Entries *editing.Entries
	SaveAlt takeback.PutText // only Import needs it
}

// partBytes is how much of the stored entries is read together, without their drafts and translations.
const partBytes = 1 << 20

// States of a segment.
const (
	stateInitial    = "initial" // without a translation, or with an outdated one
	stateTranslated = "translated"
)

// Export returns a file with the texts of those entries that are of the locale source, drafts included, and their
// present translations in another. It reads a few entries at a time, so that its memory depends on the size of the
// file. Errors: VALIDATION_FAILED if there is nothing to translate, or too much for one file.
func (x Exchange) Export(ctx context.Context, now *site.Site, m *site.Model, source, locale string,
	entries []content.Reference) ([]byte, error) {
	d := document{Source: source, Target: locale}
	w := exporter{Exchange: x, now: now, model: m, file: &d, written: map[string]bool{}}
	for read, stored := 0, 0; read < len(entries); {
		part := entries[read:min(len(entries), read+transfer.NextPage(read, stored, partBytes))]
		found, rows, err := x.Entries.Store.EntriesWithRows(ctx, part)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if row != nil {
				stored += len(row.Body)
			}
		}
		found = slices.DeleteFunc(found, func(e *cms.Entry) bool { return e == nil || e.Locale != source })
		if err := w.add(ctx, found); err != nil {
			return nil, err
		}
		read += len(part)
	}
	if len(d.Files) == 0 {
		return nil, cms.Problems{"ids": {"there is nothing to translate from " + source + " to " + locale}}.Err()
	}
	raw, err := d.writeFile()
	if err == nil && len(raw) > MaxBytes {
		err = tooMuch()
	}
	return raw, err
}

// exporter adds the texts of entries to a document.
type exporter struct {
	Exchange
	now     *site.Site
	model   *site.Model
	file    *document
	size    int             // bytes that its units take at least
	written map[string]bool // paths of alternative texts, each of which is written once
}

func (x *exporter) add(ctx context.Context, entries []*cms.Entry) error {
	m, locale := x.model, x.file.Target
	sources, err := x.Entries.WithDraft(ctx, x.now, m, entries...)
	if err != nil {
		return err
	}
	translations, err := x.translations(ctx, entries)
	if err != nil {
		return err
	}
	alts := make([][]text, len(entries))
	if input.Permit(ctx, cms.ActionRead, cms.AreaMedia, "file") == nil {
		drafted := slice.Map(sources, func(d *editing.Drafted) *cms.Entry { return d.Entry })
		if alts, err = x.altsOf(ctx, &m.Model, locale, drafted...); err != nil {
			return err
		}
	}
	for i, source := range sources {
		f := file{ID: source.Live.ID, Original: m.Slug + "/" + source.Live.ID, Space: "preserve",
			Notes: &notes{[]note{{"entry", source.Entry.Title}}}}
		state := stateInitial
		if t := translations[i]; t != nil && !t.Live.UpdatedAt.Before(source.Live.UpdatedAt.Time) {
			state = stateTranslated
		}
		for _, t := range append(textsOf(&m.Model, source.Entry), alts[i]...) {
			target, is := valueAt(&t, source.Entry, translations[i]), state
			if t.file != "" {
				if x.written[t.path] {
					continue
				}
				x.written[t.path], is = true, stateTranslated
			}
			if target == "" {
				is = stateInitial
			}
			u := unitOf(t.path, t.field, t.notes(&m.Model), t.value, target, is)
			if x.size += u.size(); x.size > MaxBytes {
				return tooMuch()
			}
			f.Units = append(f.Units, u)
		}
		x.file.Files = append(x.file.Files, f)
	}
	return nil
}

func tooMuch() error {
	p := cms.Problems{}
	p.Add("ids", "have more than 4 MB of texts: choose fewer entries")
	return p.Err()
}

// translations returns the translation of each of some entries, nil for those that have none.
func (x *exporter) translations(ctx context.Context, entries []*cms.Entry) ([]*editing.Drafted, error) {
	of, err := groups.Of(ctx, x.Entries.Store, x.model, slice.Map(entries, func(e *cms.Entry) string { return e.ID }))
	if err != nil {
		return nil, err
	}
	var refs []content.Reference
	var at []int
	for i, g := range of {
		if id := g.Members[x.file.Target]; id != "" {
			refs, at = append(refs, content.Reference{Model: x.model, ID: id}), append(at, i)
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
	found := make([]*editing.Drafted, len(entries))
	drafted, err := x.Entries.WithDraft(ctx, x.now, x.model, there...)
	for i, d := range drafted {
		found[placed[i]] = d
	}
	return found, err
}
