package takeback

import (
	"cmp"
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/site"
)

// PutText saves a text in place of another one, unless ok refuses the present one. id is that of the file, setting or
// redirect.
type PutText func(ctx context.Context, actor cms.Actor, id, locale, text string, ok func(now string) error) error

// Text is a text that took the place of another one where no versions are kept: the alternative text of a file in a
// locale, or a setting or a redirect as JSON.
type Text struct {
	Locale string `json:"locale,omitempty"`
	Was    string `json:"was"`
	Now    string `json:"now"`
}

// Back returns the change that takes t back.
func (t Text) Back() Saved { return Saved{Text: &Text{Locale: t.Locale, Was: t.Now, Now: t.Was}} }

// Item names an item that a job changes: an entry after the id of its model; a file, setting or redirect after its
// area.
func Item(of, id string) string { return of + "/" + id }

// Saved describes the save of an entry or of a text by an import or a job, so that it can be taken back. It also
// describes the change that takes one back.
type Saved struct {
	Version int64 `json:"version"`           // of the entry; 0 if it stayed
	Draft   int64 `json:"draft"`             // number of the draft; 0 if there is none
	Was     int64 `json:"was,omitempty"`     // version or number before, of an import; else it is one less
	Created bool  `json:"created,omitempty"` // the entry is new, or came back from the trash
	Trashed bool  `json:"trashed,omitempty"` // the entry went to the trash
	First   bool  `json:"first,omitempty"`   // there was no draft before
	Ended   bool  `json:"ended,omitempty"`   // the draft was discarded
	Text    *Text `json:"alt,omitempty"`     // nothing else is set with it
}

// After joins s with an earlier save of the same import. It returns s if somebody saved between them.
func (s Saved) After(before Saved) Saved {
	switch {
	case s.Version > 0 && before.Created && before.Version == s.Was:
		return Saved{Version: s.Version, Created: true}
	case s.Version > 0 && before.Version == s.Was, before.Draft > 0 && before.Draft == s.Was:
		s.Was, s.First = before.Was, before.First
	}
	return s
}

// Back takes back the save of an entry. saving is called before each commit with the saves of the commit, and whether
// it takes back all of the save: somebody may have changed the entry alone, or the draft alone. Errors:
// editing.ErrNothingReplaced if the entry and its draft were changed since, and those of the use cases of entries.
func (s Saved) Back(ctx context.Context, entries *editing.Entries, actor cms.Actor, model, id string,
	saving func(back Saved, all bool)) error {
	ofDraft := func(d *editing.Drafted) error {
		if d.Number != s.Draft || (d.Info == nil) != s.Ended {
			return editing.ErrNothingReplaced
		}
		return nil
	}
	ofEntry := func(e *cms.Entry) error {
		if e.Version != s.Version {
			return editing.ErrNothingReplaced
		}
		return nil
	}
	switch {
	case s.Created:
		d, err := entries.DraftOrLive(ctx, model, id)
		if err == nil && d.Info != nil {
			err = editing.ErrNothingReplaced
		}
		if err != nil {
			return err
		}
		saving(Saved{Version: s.Version + 1, Trashed: true}, true)
		return entries.Delete(ctx, actor, model, id, ofEntry)
	case s.Trashed:
		now, err := entries.Store.Site(ctx)
		if err != nil {
			return err
		}
		rec, err := entries.Store.FromTrash(ctx, now, id)
		if err == nil {
			err = ofEntry(rec.Entry)
		}
		if err != nil {
			return db.Missing(err, editing.ErrNothingReplaced)
		}
		saving(Saved{Version: s.Version + 1, Created: true}, true)
		_, err = entries.RestoreFromTrash(ctx, actor, id)
		return err
	case s.Ended:
		saving(Saved{Draft: s.Draft + 1, First: true}, true)
		_, err := entries.RestoreDraftRevision(ctx, actor, model, id, s.Draft, ofDraft)
		return err
	case s.First:
		saving(Saved{Draft: s.Draft, Ended: true}, true)
		err := entries.DiscardDraft(ctx, actor, model, id, ofDraft)
		if cms.CodeOf(err) == cms.CodeNotFound { // it was published or discarded
			err = editing.ErrNothingReplaced
		}
		return err
	case s.Version > 0 && s.Was > 0:
		return s.putBack(ctx, entries, actor, model, id, ofEntry, saving)
	}
	err := entries.Rewrite(ctx, actor, model, id, true, func(m *site.Model, e *cms.Entry, d *content.Draft) (*cms.Entry,
		cms.EntryPatch, error) {
		edited, changes, all := e, d.Changes.ForModel(&m.Model), true
		switch {
		case s.Version > 0 && e.Version == s.Version:
			was, err := entries.Store.Revision(ctx, m, id, e.Version-1)
			if err != nil {
				return nil, changes, err
			}
			now := *e
			now.Title, now.Data, now.SEO = was.Title, was.Data, was.SEO
			edited = &now
		default:
			all = s.Version == 0
		}
		switch {
		case s.Draft > 0 && d.Open && d.Number == s.Draft:
			was, err := entries.Store.DraftRevision(ctx, m, id, cmp.Or(s.Was, d.Number-1))
			if err != nil {
				return nil, changes, err
			}
			changes = was.Changes.ForModel(&m.Model)
		case edited == e:
			return nil, changes, editing.ErrNothingReplaced
		default:
			all = all && s.Draft == 0
		}
		saving(Saving(e, edited, d), all)
		return edited, changes, nil
	})
	return db.Missing(err, editing.ErrNothingReplaced) // the revision is not kept any more
}

// Saving describes a save by Entries.Rewrite of the entry now in place of e, and of the draft d.
func Saving(e, now *cms.Entry, d *content.Draft) (s Saved) {
	if now != e {
		s.Version = e.Version + 1
	}
	if d.Open {
		s.Draft = d.Number + 1
	}
	return s
}

// putBack makes an entry as it was before a save.
func (s Saved) putBack(ctx context.Context, entries *editing.Entries, actor cms.Actor, model, id string,
	ok func(*cms.Entry) error, saving func(Saved, bool)) error {
	now, err := entries.Store.Site(ctx)
	if err != nil {
		return err
	}
	m, err := now.ActiveModel(model)
	if err != nil {
		return err
	}
	was, err := entries.Store.Revision(ctx, m, id, s.Was)
	if errors.Is(err, db.ErrNotFound) {
		_, err = entries.DraftOrLive(ctx, model, id)
		return cmp.Or(err, editing.ErrNothingReplaced)
	}
	if err != nil {
		return err
	}
	body := Content(m, was)
	body["status"], body["locale"] = string(was.Status), was.Locale
	saving(Saved{Version: s.Version + 1, Was: s.Version}, true)
	_, err = entries.Update(ctx, actor, model, id, body, ok)
	return err
}

// Content returns the content of an entry as the body of an update.
func Content(m *site.Model, e *cms.Entry) map[string]any {
	data := map[string]any{}
	for i := range m.Fields { // fields that are empty are cleared
		data[m.Fields[i].Name] = e.Data[m.Fields[i].Name]
	}
	return map[string]any{"title": e.Title, "slug": e.Slug, "data": data, "seo": map[string]any{"title": e.SEO.Title,
		"description": e.SEO.Description, "noindex": e.SEO.Noindex}}
}
