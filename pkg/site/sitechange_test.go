package site

import (
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/table/bolt"
)

// TestChangesAtOnce makes many changes of the configuration at once. None overtakes another: each would then load
// all models again for each change that was faster, and at last give up.
func TestChangesAtOnce(t *testing.T) {
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	s := Open(db.New(tb, time.Now))
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	const n = 32
	var tries atomic.Int64
	var g errgroup.Group
	for i := range n {
		g.Go(func() error {
			return ChangeSite(t.Context(), s, func(site *Site, tx *db.Tx) error {
				tries.Add(1)
				PutSettings(tx, site, cms.Setting{Group: "g", Key: fmt.Sprint("k", i), Value: "v"})
				return nil
			})
		})
	}
	must.Do(t, g.Wait())
	if site, err := s.Site(t.Context()); err != nil || len(site.Settings) != n || tries.Load() != n {
		t.Errorf("%d changes took %d tries and made %d settings, %v", n, tries.Load(), len(site.Settings), err)
	}
}
