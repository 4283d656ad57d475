package site

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// ChangeSite runs change on the current configuration and commits it. It retries after a conflict. change must not
// call ChangeSite.
func ChangeSite(ctx context.Context, st *Store, change func(site *Site, tx *db.Tx) error) error {
	return st.Retry(ctx, func() error {
		if err := st.site.changes.Acquire(ctx, 1); err != nil {
			return err
		}
		defer st.site.changes.Release(1)
		site, err := st.Site(ctx)
		if err != nil {
			return err
		}
		tx := st.Begin()
		if err := change(site, tx); err != nil {
			return err
		}
		return st.Commit(ctx, tx)
	})
}

// NoteLocales raises the event of a change of locales (extensions §16).
func NoteLocales(tx *db.Tx, actor cms.Actor, codes ...string) {
	tx.Event(actor, cms.EventLocalesUpdated, "", struct {
		Codes []string `json:"codes"`
	}{codes})
}

// NoteSchema raises the event of a change of models and forms, named by their slugs (extensions §16).
func NoteSchema(tx *db.Tx, actor cms.Actor, models, forms []string) {
	tx.Event(actor, cms.EventSchemaUpdated, "", struct {
		Models []string `json:"models"`
		Forms  []string `json:"forms"`
	}{append([]string{}, models...), append([]string{}, forms...)})
}
