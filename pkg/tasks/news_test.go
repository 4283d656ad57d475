package tasks

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/table/sim"
)

// mailbag keeps the texts of mails.
type mailbag []string

func (m *mailbag) Notify(_ *db.Tx, _ cms.Actor, _ string, n cms.Notice) {
	*m = append(*m, fmt.Sprintln(n.Subject.Args, n.Paragraphs))
}

// TestNewsOfEndedTasks mails one task at once, and ten minutes later those of the further ones that
// still wait and whose kind is not switched off.
func TestNewsOfEndedTasks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := db.New(sim.New(sim.Options{}), time.Now)
		ctx, user := t.Context(), "0190b0a0-0000-7000-8000-000000000001"
		approved := map[string]bool{}
		var mails mailbag
		news := News{DB: d, Mailer: &mails,
			Waiting: func(_ context.Context, _ string, list []Task) (still []Task, err error) {
				for _, one := range list {
					if !approved[one.EntryID] {
						still = append(still, one)
					}
				}
				return still, nil
			}}
		change := func(use func(tx *db.Tx)) {
			t.Helper()
			tx := d.Begin()
			use(tx)
			must.Do(t, d.Commit(ctx, tx))
		}
		send := func() {
			t.Helper()
			if _, err := news.Send(ctx, user); err != nil {
				t.Fatal(err)
			}
		}
		change(func(tx *db.Tx) {
			tx.Put(db.Docs[map[string]any]{DB: d, Kind: "user"}.Item(user, 1,
				map[string]any{"id": user, "email": "ada@example.com", "is_active": true, "mail_off": []string{"comments"}}))
		})
		add := func(task Task) {
			t.Helper()
			change(func(tx *db.Tx) {
				Put(tx, user, task)
				must.Do(t, Tell(ctx, tx, user, task, cms.Phrased("about", task.EntryID)))
			})
		}
		add(Task{Kind: Review, EntryID: "first"})
		send()
		add(Task{Kind: Review, EntryID: "approved"})
		due := "2026-04-01"
		add(Task{Kind: Review, EntryID: "open", Due: &due})
		add(Task{Kind: Mention, EntryID: "resolved", Comment: "c"})
		add(Task{Kind: Assigned, EntryID: "switched off", Comment: "d"})
		send()
		if len(mails) != 1 || mails[0] != "[1] [{about  [first] false}]\n" {
			t.Fatalf("at once: %q", mails)
		}
		approved["approved"] = true
		change(func(tx *db.Tx) { End(tx, user, Task{Kind: Mention, EntryID: "resolved", Comment: "c"}) })
		time.Sleep(mailEvery)
		send()
		if len(mails) != 2 || mails[1] != "[1] [{about  [open] false} {Due: {1}  [2026-04-01] true}]\n" {
			t.Fatalf("later: %q", mails)
		}
	})
}
