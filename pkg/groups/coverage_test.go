package groups_test

import (
	"fmt"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/groups"
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/site"
	"headless/pkg/table/sim"
)

// TestCoverAllSetsOneTimer: a new default locale used to set a timer, and so to send a message, for
// each model. One timer goes over the localized models.
func TestCoverAllSetsOneTimer(t *testing.T) {
	st, ctx := rooms.New(sim.New(sim.Options{}), time.Now), t.Context()
	for i := range 120 {
		err := site.ChangeSite(ctx, st.Site, func(now *site.Site, tx *db.Tx) error {
			m := site.Model{Model: cms.NewModel(), Gen: 1}
			m.ID, m.Slug, m.Localized = fmt.Sprintf("id%03d", i), fmt.Sprint("m", i), i%2 == 0
			site.PutModel(tx, now, "", m)
			return nil
		})
		must.Do(t, err)
	}
	ref, calls := "", 0
	for ; calls < 10; calls++ {
		if _, err := groups.CoverAll(ctx, st.Content, ref); err != nil {
			t.Fatal(err)
		}
		timers, err := st.Timers(ctx, st.Now().Add(time.Minute), 1000)
		must.Do(t, err)
		if len(timers) == 0 {
			break
		}
		if len(timers) > 1 || timers[0].Kind != site.KindDefault {
			t.Fatalf("timers %v", timers)
		}
		ref = timers[0].Ref
		must.Do(t, st.MoveTimers(ctx, timers, nil))
	}
	if calls != 1 {
		t.Errorf("%d timers for 60 localized models, want 1", calls)
	}
}
