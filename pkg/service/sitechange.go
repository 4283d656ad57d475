package service

import (
	"context"

	"headless/pkg/store"
)

// changeSite commits what change makes of the site's configuration; where another change came first, it is asked again about the result of that.
func changeSite(ctx context.Context, st *store.Store, change func(site *store.Site, tx *store.Tx) error) error {
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
