package links

import (
	"context"
	"errors"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/takeback"
	"headless/pkg/input"
	"headless/pkg/refs"
	"headless/pkg/settings"
	"headless/pkg/site"
)

// Replacement replaces all references to one file by references to another (extensions §6), or all to one entry
// by references to another. Both ids are in lower case.
type Replacement struct {
	Entries  *editing.Entries
	From, To string
	Model    string // slug of the model of the entry To; "" for a file
}

// DecodeReplacement decodes the body of a replacement of the file from; "with" of the body is the
// id of the new file. Errors: VALIDATION_FAILED.
func DecodeReplacement(ctx context.Context, entries *editing.Entries, from string,
	body map[string]any) (Replacement, error) {
	in, p := input.Decode[struct {
		With string `json:"with"`
	}](body)
	with, ok := input.CanonicalID(in.With)
	switch {
	case len(p) > 0:
	case !ok:
		p.Add("with", "must be the id of a file")
	case with == from:
		p.Add("with", "is the file itself")
	default:
		types, err := entries.MediaTypes(ctx, []string{with})
		if err != nil {
			return Replacement{}, err
		}
		if types[with] == "" {
			p.Add("with", "there is no such file")
		}
	}
	return Replacement{Entries: entries, From: from, To: with}, p.Err()
}

// DecodeEntryReplacement decodes the body of a replacement of the entry "from", which may be gone, by the entry
// "with". Errors: VALIDATION_FAILED.
func DecodeEntryReplacement(ctx context.Context, entries *editing.Entries, body map[string]any) (Replacement, error) {
	in, p := input.Decode[struct {
		From string `json:"from"`
		With string `json:"with"`
	}](body)
	from, ok := input.CanonicalID(in.From)
	if !ok && len(p["from"]) == 0 {
		p.Add("from", "must be the id of an entry")
	}
	with, ok := input.CanonicalID(in.With)
	switch {
	case len(p["with"]) > 0:
	case !ok:
		p.Add("with", "must be the id of an entry")
	case with == from:
		p.Add("with", "is the entry itself")
	}
	if len(p) > 0 {
		return Replacement{}, p.Err()
	}
	now, err := entries.Store.Site(ctx)
	if err != nil {
		return Replacement{}, err
	}
	at, err := entries.Store.Addresses(ctx, []string{with})
	if err != nil {
		return Replacement{}, err
	}
	m := now.ModelByID(at[with].ModelID)
	if m == nil || !cms.PermissionsOf(ctx).May(cms.ActionRead, m.Slug, at[with].Locale) {
		p.Add("with", "there is no such entry")
		return Replacement{}, p.Err()
	}
	return Replacement{Entries: entries, From: from, To: with, Model: m.Slug}, nil
}

// Items returns a page of the items that refer to the file. An item is an entry with its draft, as
// "<model id>/<entry id>", or a setting, as "settings/<group>/<key>". next is the cursor of the next page, "" at the
// end.
func (r Replacement) Items(ctx context.Context, cursor string) (items []string, next string, err error) {
	var after *db.Holder
	if parts := strings.SplitN(cursor, "/", 3); len(parts) == 3 {
		after = &db.Holder{Kind: parts[0], ModelID: parts[1], ID: parts[2]}
	}
	holders, err := r.Entries.Store.Holders(ctx, r.From, after, holderPart)
	if err != nil {
		return nil, "", err
	}
	if len(holders) == holderPart {
		last := holders[len(holders)-1]
		next = strings.Join([]string{last.Kind, last.ModelID, last.ID}, "/")
	}
	items, err = r.holdersOf(ctx, holders)
	return items, next, err
}

// holdersOf returns the items of the holders that do refer to the file. If both an entry and its
// draft do, only the holder of the draft, which comes first, gives an item.
func (r Replacement) holdersOf(ctx context.Context, holders []db.Holder) ([]string, error) {
	site, err := r.Entries.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	var items, kinds []string
	var held []content.Reference
	for _, h := range holders {
		if h.Kind == db.HolderSettings {
			for _, v := range site.Settings {
				if _, refers := refs.ReplaceInSetting(v, r.From, r.To); refers {
					items = append(items, takeback.Item(cms.AreaSettings, settings.Name(v)))
				}
			}
		} else if m := site.ModelByID(h.ModelID); m != nil && h.ID != r.From { // an entry's own references stay
			held, kinds = append(held, content.Reference{Model: m, ID: h.ID}), append(kinds, h.Kind)
		}
	}
	entries, err := r.Entries.Store.EntriesByID(ctx, held)
	if err != nil {
		return nil, err
	}
	drafts, err := r.Entries.Store.Drafts(ctx, held)
	if err != nil {
		return nil, err
	}
	for i, e := range entries {
		if e == nil { // in the trash, or not readable
			continue
		}
		m, d := held[i].Model, drafts[i]
		edit := refs.Retarget(r.From, r.To, r.Model)
		_, inDraft := edit.Patch(&m.Model, d.Changes.ForModel(&m.Model))
		_, inEntry := edit(&m.Model, e)
		inDraft = inDraft && d.Open
		if kinds[i] == db.HolderDraft && inDraft || kinds[i] == db.HolderEntry && inEntry && !inDraft {
			items = append(items, takeback.Item(m.ID, e.ID))
		}
	}
	return items, nil
}

// InEntry replaces the references of an entry and its draft, through their use cases. It may be repeated. saving is
// called before each commit with its saves. Errors: editing.ErrNothingReplaced if nothing is left to do, and those
// of an update of the entry.
func (r Replacement) InEntry(ctx context.Context, entries *editing.Entries, actor cms.Actor, model, id string,
	saving func(takeback.Saved)) error {
	err := entries.Rewrite(ctx, actor, model, id, false,
		func(m *site.Model, e *cms.Entry, d *content.Draft) (*cms.Entry, cms.EntryPatch, error) {
			now, changes, err := editEntry(m, e, d, refs.Retarget(r.From, r.To, r.Model))
			saving(takeback.Saving(e, now, d))
			return now, changes, err
		})
	if errors.Is(err, db.ErrNotFound) || cms.CodeOf(err) == cms.CodeEntryNotFound {
		return editing.ErrNothingReplaced // deleted meanwhile
	}
	return err
}

// InSetting is InEntry for a setting. more adds to the transaction that saves it.
func (r Replacement) InSetting(ctx context.Context, actor cms.Actor, name string, saving func(takeback.Saved),
	more func(*db.Tx) error) error {
	now, err := r.Entries.Store.Site(ctx)
	if err != nil {
		return err
	}
	for _, v := range now.Settings {
		replaced, refers := refs.ReplaceInSetting(v, r.From, r.To)
		if !refers || settings.Name(v) != name {
			continue
		}
		was, to := settings.Text(v), settings.Text(replaced)
		saving(takeback.Saved{Text: &takeback.Text{Was: was, Now: to}})
		s := settings.Settings{Store: r.Entries.Store.Store, More: more}
		return s.PutText(ctx, actor, name, "", to, func(now string) error {
			if now != was {
				return db.ErrOvertaken
			}
			return nil
		})
	}
	return editing.ErrNothingReplaced
}
