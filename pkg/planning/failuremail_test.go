package planning_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/db"
	"headless/pkg/planning/mails"
	"headless/pkg/rights"
)

// mailbag keeps the mails as JSON.
type mailbag []string

func (m *mailbag) Notify(_ *db.Tx, _ cms.Actor, to string, n cms.Notice) {
	text, _ := json.Marshal(n)
	*m = append(*m, to+" "+string(text))
}

// TestFailureMails: who planned a change, or published a release, gets one mail that says which entries failed and why,
// by title, unless the user switched such mails off or may not read the entries.
func TestFailureMails(t *testing.T) {
	for name, c := range map[string]struct {
		off   []cms.MailKind
		role  cms.UserRole
		mails int
		names bool
	}{
		"all on":    {nil, cms.RoleEditor, 2, true},
		"off":       {[]cms.MailKind{cms.MailPlans}, cms.RoleEditor, 0, false},
		"no rights": {nil, "stranger", 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			clock := cmstest.NewClock(time.Now())
			w := newWorld(t, clock, 2)
			ctx, sent := context.Background(), &mailbag{}
			to := mails.Mails{Store: w.store.Content, Mailer: sent, SiteURL: "https://example.com"}
			w.schedules.Mails, w.releases.Mails = to, to
			at := cms.At(clock.Now().Add(time.Hour)).String()
			_, err := w.schedules.Put(ctx, editor, "posts", w.entries[0], w.body(`{"publish_at": "`+at+`"}`))
			w.must(err)
			r, err := w.releases.Create(ctx, editor, w.body(`{"name": "Spring", "publish_at": "`+at+`", "items": [
				{"model": "posts", "id": "`+w.entries[1]+`", "action": "publish"}]}`))
			w.must(err)
			tx := w.store.Begin()
			rights.Put(tx, cms.User{ID: editor.UserID, Email: "new@example.com", Role: c.role, IsActive: true,
				MailChoice: cms.MailChoice{MailOff: c.off}}, rights.SignIn{})
			w.must(w.store.Commit(ctx, tx))
			clock.Advance(48 * time.Hour) // too late
			_, err = w.timers.Due(ctx)
			w.must(err)
			if got, err := w.releases.Get(ctx, r.ID); err != nil || got.Status != "failed" {
				t.Fatalf("%+v, %v", got, err)
			}
			all := strings.Join(*sent, "\n")
			if len(*sent) != c.mails || strings.Contains(all, "Post") != c.names ||
				strings.Contains(all, "did not run at that time") != c.names ||
				c.mails > 0 && !strings.Contains(all, "Spring") {
				t.Errorf("the mails: %s", all)
			}
			for _, id := range w.entries {
				if want := map[bool]int{true: 1}[c.names]; strings.Count(all, id) != want {
					t.Errorf("%s is named %d times, want %d", id, strings.Count(all, id), want)
				}
			}
		})
	}
}
