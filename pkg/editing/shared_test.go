package editing

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/groups"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/site/renames"
)

// TestSharedValueTaken: a value that is unique and shared is refused if another entry has it in any locale of the
// group, also where the group is so large that its members are saved after the commit.
func TestSharedValueTaken(t *testing.T) {
	more := []string{"it", "es", "pt", "nl", "pl", "cs", "da", "sv", "fi"}
	for _, members := range [][]string{{"de"}, append([]string{"de"}, more...)} {
		t.Run(fmt.Sprint(len(members)), func(t *testing.T) {
			w := newContentWorld(t, `{"slug": "goods", "name": "Goods", "localized": true, "fields": [
				{"name": "sku", "type": "text", "unique": true, "translatable": false}]}`)
			for _, code := range more {
				_, err := (&site.Locales{Store: w.Store.Store, InUse: w.LocaleInUse}).Create(t.Context(), w.actor,
					w.body(`{"code": "`+code+`", "name": "`+code+`"}`))
				must.Do(t, err)
			}
			_, err := w.Create(t.Context(), w.actor, "goods",
				w.body(`{"title": "Alone", "locale": "de", "data": {"sku": "taken"}}`))
			must.Do(t, err)
			en, err := w.Create(t.Context(), w.actor, "goods", w.body(`{"title": "One", "data": {"sku": "free"}}`))
			must.Do(t, err)
			for _, code := range members {
				_, err := w.Create(t.Context(), w.actor, "goods", w.body(fmt.Sprintf(
					`{"title": "One", "locale": %q, "translation_of": %q}`, code, en.ID)))
				must.Do(t, err)
			}
			_, err = w.Update(t.Context(), w.actor, "goods", en.ID, w.body(`{"data": {"sku": "taken"}}`), nil)
			if codeOf(err) != cms.CodeConflict {
				t.Errorf("a taken value: %v", err)
			}
			_, err = w.Update(t.Context(), w.actor, "goods", en.ID, w.body(`{"data": {"sku": "new"}}`), nil)
			must.Do(t, err)
		})
	}
}

// TestShareOfFormerMember: the timer that shares values used to copy those of an entry that had left the group since.
func TestShareOfFormerMember(t *testing.T) {
	w := newContentWorld(t, `{"slug": "goods", "name": "Goods", "localized": true, "fields": [
		{"name": "price", "type": "number", "translatable": false}]}`)
	en, err := w.Create(t.Context(), w.actor, "goods", w.body(`{"title": "One", "data": {"price": 1}}`))
	must.Do(t, err)
	de, err := w.Create(t.Context(), w.actor, "goods",
		w.body(fmt.Sprintf(`{"title": "Eins", "locale": "de", "translation_of": %q}`, en.ID)))
	must.Do(t, err)
	_, err = w.Update(t.Context(), w.actor, "goods", en.ID, w.body(`{"data": {"price": 2}}`), nil)
	must.Do(t, err)
	now, err := w.Store.Site(t.Context())
	must.Do(t, err)
	m := now.Models["goods"]
	group, err := groups.ForChange(t.Context(), w.Store, m, de.ID)
	must.Do(t, err)
	_, err = w.Update(t.Context(), w.actor, "goods", en.ID,
		w.body(`{"translation_of": null, "data": {"price": 3}}`), nil)
	must.Do(t, err)
	_, err = w.Share(t.Context(), m.ID+"/"+group.ID)
	must.Do(t, err)
	if de, err = w.Store.Entry(t.Context(), m, de.ID); err != nil || fmt.Sprint(de.Data["price"]) != "2" {
		t.Errorf("the other member has the price %v, want 2: %v", de.Data["price"], err)
	}
}

// TestSharedAfterRename: an entry from the trash used to bring its own value of a shared field that was renamed since.
func TestSharedAfterRename(t *testing.T) {
	w := newContentWorld(t, `{"slug": "goods", "name": "Goods", "localized": true, "fields": [
		{"name": "price", "type": "number", "translatable": false}]}`)
	en, err := w.Create(t.Context(), w.actor, "goods", w.body(`{"title": "One", "data": {"price": 1}}`))
	must.Do(t, err)
	de, err := w.Create(t.Context(), w.actor, "goods",
		w.body(fmt.Sprintf(`{"title": "Eins", "locale": "de", "translation_of": %q}`, en.ID)))
	must.Do(t, err)
	must.Do(t, w.Delete(t.Context(), w.actor, "goods", de.ID, nil))
	was := w.model("goods")
	next := *was
	next.Fields = slices.Clone(was.Fields)
	next.Fields[0].Name = "cost"
	next.RenameFields(renames.Rename{From: "price", To: "cost"})
	next.NextGeneration(was, "en")
	now, err := w.Store.Site(t.Context())
	must.Do(t, err)
	tx := w.Store.Begin()
	site.PutModel(tx, now, "goods", next)
	must.Do(t, w.Store.Commit(t.Context(), tx))
	_, err = w.Update(t.Context(), w.actor, "goods", en.ID, w.body(`{"data": {"cost": 2}}`), nil)
	must.Do(t, err)
	if de, err = w.RestoreFromTrash(t.Context(), w.actor, de.ID); err != nil || fmt.Sprint(de.Data) != "map[cost:2]" {
		t.Errorf("restored %+v, %v", de, err)
	}
}

// TestJoinedMeanwhile makes an entry the first translation of another one while a change of the shared value of that
// one is about to be committed: both have the new value.
func TestJoinedMeanwhile(t *testing.T) {
	w := newContentWorld(t, `{"slug": "goods", "name": "Goods", "localized": true, "fields": [
		{"name": "price", "type": "number", "translatable": false}]}`)
	for name, change := range map[string]func(entries *Entries, id string) error{
		"update": func(entries *Entries, id string) error {
			_, err := entries.Update(t.Context(), w.actor, "goods", id, w.body(`{"data": {"price": 2}}`), nil)
			return err
		},
		"publish": func(entries *Entries, id string) error {
			_, err := w.SaveDraft(t.Context(), w.actor, "goods", id, w.body(`{"data": {"price": 2}}`), nil)
			must.Do(t, err)
			_, err = entries.Publish(t.Context(), w.actor, "goods", id, PublishOptions{}, nil)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			en, err := w.Create(t.Context(), w.actor, "goods", w.body(`{"title": "One", "data": {"price": 1}}`))
			must.Do(t, err)
			de, err := w.Create(t.Context(), w.actor, "goods",
				w.body(`{"title": "Eins", "locale": "de", "data": {"price": 1}}`))
			must.Do(t, err)
			entries, joined := *w.Entries, false
			entries.Follow = func(ctx context.Context, m *site.Model, _ *db.Tx) error {
				if joined {
					return nil
				}
				joined = true // and what follows the commit has not begun yet
				tx := w.Store.Begin()
				groups.Found(tx, m, "g-"+name, en, de, false, true, nil)
				return w.Store.Commit(ctx, tx)
			}
			must.Do(t, change(&entries, en.ID))
			now, err := w.Store.Site(t.Context())
			must.Do(t, err)
			for _, id := range []string{en.ID, de.ID} {
				e, err := w.Store.Entry(t.Context(), now.Models["goods"], id)
				if must.Do(t, err); fmt.Sprint(e.Data["price"]) != "2" {
					t.Errorf("%s costs %v", e.Title, e.Data["price"])
				}
			}
		})
	}
}

// TestFirstDraftBesideNobodysChange saves the first draft of an entry while a translation is about to change a shared
// value, or a job to replace text: the draft is not outdated, since nobody changed its entry.
func TestFirstDraftBesideNobodysChange(t *testing.T) {
	w := newContentWorld(t, `{"slug": "goods", "name": "Goods", "localized": true, "fields": [
		{"name": "price", "type": "number", "translatable": false}]}`)
	for name, change := range map[string]func(entries *Entries, id, translation string) error{
		"shared value": func(entries *Entries, _, translation string) error {
			_, err := entries.Update(t.Context(), w.actor, "goods", translation, w.body(`{"data": {"price": 2}}`), nil)
			return err
		},
		"replacement": func(entries *Entries, id, _ string) error {
			return entries.Rewrite(t.Context(), w.actor, "goods", id, false,
				func(_ *site.Model, e *cms.Entry, d *content.Draft) (*cms.Entry, cms.EntryPatch, error) {
					next := *e
					next.Data = map[string]any{"price": json.Number("2")}
					next.Version++
					return &next, d.Changes, nil
				})
		},
	} {
		t.Run(name, func(t *testing.T) {
			en, err := w.Create(t.Context(), w.actor, "goods", w.body(`{"title": "One", "data": {"price": 1}}`))
			must.Do(t, err)
			de, err := w.Create(t.Context(), w.actor, "goods",
				w.body(fmt.Sprintf(`{"title": "Eins", "locale": "de", "translation_of": %q}`, en.ID)))
			must.Do(t, err)
			entries, saved := *w.Entries, false
			entries.Follow = func(_ context.Context, _ *site.Model, tx *db.Tx) error {
				tx.Check(func(ctx context.Context) error { // the last one before the commit
					if saved {
						return nil
					}
					saved = true
					_, err := w.SaveDraft(ctx, w.actor, "goods", en.ID, w.body(`{"title": "Two"}`), nil)
					return err
				})
				return nil
			}
			must.Do(t, change(&entries, en.ID, de.ID))
			e, err := w.Publish(t.Context(), w.actor, "goods", en.ID, PublishOptions{}, nil)
			if must.Do(t, err); e.Title != "Two" || fmt.Sprint(e.Data["price"]) != "2" {
				t.Errorf("published %+v", e)
			}
		})
	}
}

// TestSharedBeforeLeaving: a change of shared values whose members are saved after the commit used to reach none of
// them if its entry left the group before.
func TestSharedBeforeLeaving(t *testing.T) {
	for name, leave := range map[string]func(w *contentWorld, id string) error{
		"trash": func(w *contentWorld, id string) error { return w.Delete(t.Context(), w.actor, "goods", id, nil) },
		"alone": func(w *contentWorld, id string) error {
			_, err := w.Update(t.Context(), w.actor, "goods", id, w.body(`{"translation_of": null}`), nil)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newContentWorld(t, `{"slug": "goods", "name": "Goods", "localized": true, "fields": [
				{"name": "price", "type": "number", "translatable": false}]}`)
			en, err := w.Create(t.Context(), w.actor, "goods", w.body(`{"title": "One", "data": {"price": 1}}`))
			must.Do(t, err)
			de, err := w.Create(t.Context(), w.actor, "goods",
				w.body(fmt.Sprintf(`{"title": "Eins", "locale": "de", "translation_of": %q}`, en.ID)))
			must.Do(t, err)
			m := w.model("goods")
			rec, err := w.Store.EntryForChange(t.Context(), m, en.ID)
			must.Do(t, err)
			g, err := groups.ForChange(t.Context(), w.Store, m, en.ID)
			must.Do(t, err)
			next := *rec.Entry // the commit of a change of a large group
			next.Version, next.Data = next.Version+1, map[string]any{"price": json.Number("2")}
			tx := w.Store.Begin()
			content.SaveEntry(tx, m, rec, &next, w.actor, cms.EventEntryUpdated)
			groups.Share(tx, m, g, groups.Sharing{Source: en.ID, Actor: w.actor})
			must.Do(t, w.Store.Commit(t.Context(), tx))
			must.Do(t, leave(w, en.ID))
			if de, err = w.Store.Entry(t.Context(), m, de.ID); err != nil || fmt.Sprint(de.Data["price"]) != "2" {
				t.Errorf("the translation has the price %v, want 2: %v", de.Data["price"], err)
			}
		})
	}
}
