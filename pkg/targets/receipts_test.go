package targets_test

import (
	"path/filepath"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/table/bolt"
	"headless/pkg/targets"
)

// TestPurgedWhen shows the time of a purge at the entry whose save it followed, and not at one that was saved long
// before.
func TestPurgedWhen(t *testing.T) {
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	t.Cleanup(func() { tb.Close() })
	store := db.New(tb, time.Now)
	sent := store.Now()
	state, err := store.PurgeState(t.Context())
	must.Do(t, err)
	state.Sent = []db.PurgesSent{{At: sent, Tags: 1}}
	_, _, err = store.AdvancePurges(t.Context(), state)
	must.Do(t, err)
	for saved, want := range map[cms.Time]cms.Time{
		cms.At(sent.Add(-2 * time.Second)): sent,
		cms.At(sent.Add(-time.Hour)):       cms.At(sent.Add(-time.Hour)),
		cms.At(sent.Add(time.Second)):      cms.At(sent.Add(time.Second)),
	} {
		list, err := (&targets.Targets{DB: store}).Receipts(t.Context(),
			&cms.Entry{ID: "e", Status: cms.StatusPublished, UpdatedAt: saved})
		if err != nil || len(list) != 2 || list[1].Kind != "purged" || list[1].At != want {
			t.Errorf("saved at %s: %+v, %v; want a purge at %s", saved, list, err, want)
		}
	}
}
