package site

import (
	"context"

	"headless/pkg/db"
)

// ChangeSite runs change on the current configuration and commits it. It retries after a conflict.
func ChangeSite(ctx context.Context, st *Store, change func(site *Site, tx *db.Tx) error) error {
	return st.Retry(ctx, func() error {
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
