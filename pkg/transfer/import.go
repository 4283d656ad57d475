package transfer

import (
	"cmp"
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/standing"
	"headless/pkg/groups"
	"headless/pkg/input"
	"headless/pkg/markdown"
	"headless/pkg/site"
	"headless/pkg/slug"
)

// Importer stores entries from lines of an export, batch by batch.
type Importer struct{ Entries *editing.Entries }

// importMeta holds the values of a line that only an import may set: the id, the times and the
// draft.
type importMeta struct {
	ID                                *string
	PublishedAt, CreatedAt, UpdatedAt *cms.Time
	Draft                             map[string]any
}

// Import stores the entry of a line with its id, times, status and draft. Its references may name
// entries that are imported later. A parent that is not taken is named in note. An identical entry keeps its version.
// result is one of the results of package input. Errors: MODEL_NOT_FOUND, VALIDATION_FAILED, SLUG_CONFLICT, CONFLICT.
func (b *Batch) Import(ctx context.Context, actor cms.Actor, model string, line map[string]any,
	o input.ImportOptions) (id, result, note string, err error) {
	in, body, p := decodeImport(line)
	others := translationsOf(line, p)
	patch := cms.DecodeEntryPatch(body)
	if in.ID != nil {
		id, _ = input.CanonicalID(*in.ID)
	}
	if err := p.Err(); err != nil {
		return id, "", "", err
	}
	err = b.Entries.Change(ctx, model, func(site *site.Site, m *site.Model) (*db.Tx, error) {
		rec, err := b.importTarget(ctx, site, m, id)
		if err != nil {
			return nil, err
		}
		if patch.Data, err = b.Entries.StoreReferences(ctx, site, m, nil, patch.Data); err != nil {
			return nil, err
		}
		e, err := importedEntry(m, site, id, patch, in, rec)
		if err != nil {
			return nil, err
		}
		stands, notTaken, err := standing.Import(ctx, b.Entries.Store, m, rec, e)
		if err != nil {
			return nil, err
		}
		note = notTaken
		groups, err := b.Entries.ImportGroup(ctx, m, rec, e, line, others)
		if err != nil {
			return nil, err
		}
		if result, err = importResult(m, e, rec, in, o, groups.Changed()); err != nil ||
			result == input.ImportUnchanged || result == input.ImportSkipped {
			return nil, errors.Join(err, errNothingToSave)
		}
		tx := b.importTx(actor, m, rec, e)
		stands.Apply(tx)
		if err = groups.Apply(tx, b.Entries.Store, m, e); err == nil && o.DryRun {
			err = errors.Join(b.try(ctx, tx), errNothingToSave)
		}
		return tx, err
	}, func() bool { return false })
	if errors.Is(err, errNothingToSave) {
		err = importFailure(err)
	}
	if err != nil || in.Draft == nil || result == input.ImportSkipped ||
		o.DryRun && result != input.ImportUnchanged {
		return id, result, note, err
	}
	drafted, err := b.importDraft(ctx, actor, model, id, in.Draft, o)
	if result == input.ImportUnchanged {
		result = drafted
	}
	return id, result, note, err
}

var errNothingToSave = errors.New("transfer: nothing to save")

// importFailure returns the cms.Error that is joined with errNothingToSave, nil if there is none.
func importFailure(err error) error {
	if known, ok := errors.AsType[*cms.Error](err); ok {
		return known
	}
	return nil
}

// decodeImport splits a line into the values that only imports have and the body of an entry.
func decodeImport(line map[string]any) (in importMeta, body map[string]any, p cms.Problems) {
	body, p = map[string]any{}, cms.Problems{}
	for key, v := range line {
		switch key {
		case "model", "meta":
		case "id":
			if id, ok := v.(string); ok && cms.IsUUID(id) {
				in.ID = &id
			}
		case "published_at":
			in.PublishedAt = input.ImportTime(p, key, v)
		case "created_at":
			in.CreatedAt = input.ImportTime(p, key, v)
		case "updated_at":
			in.UpdatedAt = input.ImportTime(p, key, v)
		case "draft":
			changes, ok := v.(map[string]any)
			if !ok && v != nil {
				p.Add(key, "must be an object")
			}
			delete(changes, "base_version") // versions of another service have no meaning here
			in.Draft = changes
		default:
			body[key] = v
		}
	}
	if in.ID == nil {
		p.Add("id", "must be a UUID")
	}
	return in, body, p
}

// importTarget reads the stored entry with the id of a line; nil if there is none. Error: CONFLICT
// if an entry in the trash or of another model has the id.
func (b *Batch) importTarget(ctx context.Context, now *site.Site, m *site.Model,
	id string) (*content.EntryRecord, error) {
	rec, err := b.Entries.Store.EntryForChange(ctx, m, id)
	if err == nil || !errors.Is(err, db.ErrNotFound) {
		return rec, err
	}
	if _, err := b.Entries.Store.FromTrash(ctx, now, id); err == nil {
		return nil, cms.Errorf(cms.CodeConflict, "The entry is in the trash. Restore it or delete it for good first.")
	} else if !errors.Is(err, db.ErrNotFound) {
		return nil, err
	}
	return nil, b.checkRivals(ctx, now, m, id)
}

// importedEntry returns the entry of a line, validated like a save with its status. Drafts may be
// incomplete, and locales inactive, as they are where the line comes from.
func importedEntry(m *site.Model, site *site.Site, id string, patch cms.EntryPatch, in importMeta,
	rec *content.EntryRecord) (*cms.Entry, error) {
	e := &cms.Entry{}
	patch.Apply(e)
	e.Status = cmp.Or(e.Status, cms.StatusDraft)
	switch { // what is not localized may be in another locale where the line comes from
	case !m.Localized && rec != nil:
		e.Locale = rec.Entry.Locale
	case !m.Localized || e.Locale == "":
		e.Locale = site.Default
	}
	if e.Slug == "" {
		e.Slug = slug.Of(e.Title, e.Locale)
	}
	if m.Tree && e.Spot == nil {
		e.Stand("", 0)
	}
	if m.ReservesSlug(e.Slug) && patch.Slug == nil {
		e.Slug += "-2"
	}
	e.ID = id
	if rec != nil {
		e.PublishedAt, e.CreatedAt, e.Version = rec.Entry.PublishedAt, rec.Entry.CreatedAt, rec.Entry.Version
	}
	e.PublishedAt, e.CreatedAt, e.UpdatedAt = input.Given(in.PublishedAt, e.PublishedAt),
		input.Given(in.CreatedAt, e.CreatedAt), input.Given(in.UpdatedAt, cms.Time{})
	p := markdown.Checks.Imported(&m.Model, patch, e)
	if site.Locale(e.Locale) == nil {
		p.Add("locale", "is not a locale of this site")
	}
	if in.Draft != nil {
		for path, messages := range editing.CheckDraft(m, e, in.Draft) {
			p["draft."+path] = messages
		}
	}
	return e, p.Err()
}

// importResult decides what to do with a line by comparing it with the stored entry. regrouped says
// that the line changes the translation group.
func importResult(m *site.Model, e *cms.Entry, rec *content.EntryRecord, in importMeta, o input.ImportOptions,
	regrouped bool) (string, error) {
	if rec == nil {
		return input.ImportCreated, nil
	}
	same, err := sameEntry(m, e, rec.Entry, in)
	switch {
	case err != nil:
		return "", err
	case same && !regrouped:
		return input.ImportUnchanged, nil
	case o.OnConflict == input.ImportSkip:
		return input.ImportSkipped, nil
	case o.OnConflict == input.ImportFail:
		return "", cms.Errorf(cms.CodeConflict, "There is already another entry with this id.")
	case in.UpdatedAt != nil && in.UpdatedAt.Before(rec.Entry.UpdatedAt.Time):
		return input.ImportSkipped, nil
	}
	return input.ImportUpdated, nil
}

// sameEntry reports whether two entries are equal except for their versions and for values of fields
// that the model does not have any more. If the line has no updated_at, it is not compared.
func sameEntry(m *site.Model, line, stored *cms.Entry, in importMeta) (bool, error) {
	a, b := *line, *stored
	b.Data = cms.EntryPatch{Data: b.Data}.ForModel(&m.Model).Data
	a.Version, b.Version = 0, 0
	if in.UpdatedAt == nil {
		a.UpdatedAt, b.UpdatedAt = cms.Time{}, cms.Time{}
	}
	x, err := cms.Marshal(&a)
	if err != nil {
		return false, err
	}
	y, err := cms.Marshal(&b)
	return string(x) == string(y), err
}

// importTx returns the transaction that saves an imported entry, with the events of its change of
// status.
func (i Importer) importTx(actor cms.Actor, m *site.Model, rec *content.EntryRecord, e *cms.Entry) *db.Tx {
	tx := i.Entries.Store.Begin()
	event := cms.EventEntryUpdated
	was := rec != nil && rec.Entry.Status == cms.StatusPublished
	if rec == nil {
		event = cms.EventEntryCreated
	}
	e.Version++
	if e.CreatedAt.IsZero() {
		e.CreatedAt = tx.At()
	}
	if e.UpdatedAt.IsZero() {
		e.UpdatedAt = tx.At()
	}
	events := []string{event}
	switch is := e.Status == cms.StatusPublished; {
	case is && e.PublishedAt.IsZero():
		e.PublishedAt = tx.At()
		fallthrough
	case is && !was:
		events = append(events, cms.EventEntryPublished)
	case was && !is:
		events = append(events, cms.EventEntryUnpublished)
	}
	content.ImportEntry(tx, m, rec, e, actor, event)
	if rec != nil && rec.Coverage().Default != "" { // the imported version may be older than the stored one
		groups.Follow(tx, i.Entries.Store, m, e.ID)
	}
	editing.Record(tx, actor, m, e, events...)
	return tx
}
