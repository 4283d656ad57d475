package planning_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/jobs"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk"
	"headless/pkg/recheck"
	"headless/pkg/rights"
	"headless/pkg/rooms"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// world is a table with a model and entries, and a clock that stands still until it is moved.
type world struct {
	*process
	t       *testing.T
	dir     string
	table   table.Table
	entries []string // ids
}

// process is a process that works on a table.
type process struct {
	store     *rooms.Stores
	schedules *planning.Schedules
	jobs      *bulk.Jobs
	releases  *planning.Releases
	timers    *jobs.Timers
}

var editor = cms.Actor{Name: "ed@example.com", Source: cms.SourceAdmin, UserID: "ed"}

func newProcess(t table.Table, now func() time.Time) *process {
	st := rooms.New(t, now)
	entries := &editing.Entries{Store: st.Content}
	p := &process{store: st, schedules: planning.NewSchedules(entries)}
	p.jobs, p.releases = &bulk.Jobs{Store: st.Content, Entries: entries},
		&planning.Releases{Store: st.Content, Entries: entries}
	p.timers = &jobs.Timers{Store: st.DB, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Handlers: map[string]jobs.TimerHandler{
			planning.KindSchedule: p.schedules.Fire, bulk.KindJob: p.jobs.Work,
			planning.KindRelease: p.releases.Work,
			editing.KindShare:    entries.Share,
			recheck.Kind:         func(context.Context, string) (cms.Time, error) { return cms.Time{}, nil },
		}}
	return p
}

// newWorld makes a world with some draft entries.
func newWorld(t *testing.T, c *cmstest.Clock, entries int) *world {
	t.Helper()
	w := openWorld(t, c, t.TempDir())
	ctx, use := context.Background(), w.schedules.Entries
	w.activate(editor, true)
	w.must((&site.Locales{Store: w.store.Site, InUse: use.LocaleInUse}).EnsureDefault(ctx))
	w.model(`{"slug": "posts", "name": "Posts", "fields": [{"name": "body", "type": "text"}]}`)
	for range entries {
		e, err := use.Create(ctx, editor, "posts", w.body(`{"title": "Post"}`))
		w.must(err)
		w.entries = append(w.entries, e.ID)
	}
	return w
}

func openWorld(t *testing.T, c *cmstest.Clock, dir string) *world {
	t.Helper()
	tb, err := bolt.Open(filepath.Join(dir, "table.db"), bolt.WithoutSync())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tb.Close() })
	return &world{t: t, dir: dir, table: tb, process: newProcess(tb, c.Now)}
}

// copied returns a world that begins as this one is, which is closed.
func (w *world) copied(t *testing.T, c *cmstest.Clock) *world {
	t.Helper()
	_ = w.table.Close()
	dir := t.TempDir()
	w.must(os.CopyFS(dir, os.DirFS(w.dir)))
	next := openWorld(t, c, dir)
	next.entries = w.entries
	return next
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) body(text string) map[string]any {
	w.t.Helper()
	body, err := cms.DecodeObject([]byte(text))
	w.must(err)
	return body
}

// locale makes a locale from its JSON.
func (w *world) locale(text string) {
	w.t.Helper()
	locales := &site.Locales{Store: w.store.Site, InUse: w.schedules.Entries.LocaleInUse}
	_, err := locales.Create(context.Background(), editor, w.body(text))
	w.must(err)
}

// model makes a model from its JSON.
func (w *world) model(text string) {
	w.t.Helper()
	models := &site.Models{Store: w.store.Site, HasEntries: w.schedules.Entries.ModelHasEntries}
	_, err := models.Create(context.Background(), editor, w.body(text))
	w.must(err)
}

// entry makes an entry of a model from its JSON, and returns its id.
func (w *world) entry(model, text string) string {
	w.t.Helper()
	e, err := w.schedules.Entries.Create(context.Background(), editor, model, w.body(text))
	w.must(err)
	return e.ID
}

// draft saves a draft of an entry from its JSON.
func (w *world) draft(model, id, text string) {
	w.t.Helper()
	_, err := w.schedules.Entries.SaveDraft(context.Background(), editor, model, id, w.body(text), nil)
	w.must(err)
}

// release makes a release of items, and returns its id.
func (w *world) release(items ...any) string {
	w.t.Helper()
	r, err := w.releases.Create(context.Background(), editor, map[string]any{"name": "Release", "items": items})
	w.must(err)
	return r.ID
}

// activate stores an editor, active or not.
func (w *world) activate(of cms.Actor, is bool) {
	w.t.Helper()
	tx := w.store.Begin()
	rights.Put(tx, cms.User{ID: of.UserID, Email: of.Name, Role: cms.RoleEditor, IsActive: is}, rights.SignIn{})
	w.must(w.store.Commit(context.Background(), tx))
}

// settle lets a new process handle due timers, second by second, until none is left, and
// returns how long that took.
func (w *world) settle(c *cmstest.Clock) time.Duration {
	w.t.Helper()
	p, begin := newProcess(w.table, c.Now), c.Now()
	p.jobs.Texts = w.jobs.Texts
	for range 200 {
		if _, err := p.timers.Due(context.Background()); err != nil {
			w.t.Fatal(err)
		}
		if _, left, err := p.store.NextTimer(context.Background()); err != nil || !left {
			w.must(err)
			return c.Now().Sub(begin)
		}
		c.Advance(time.Second)
	}
	w.t.Fatal("timers are left")
	return 0
}

// data lists the data of the events of a kind; other events than those of entries have an id at least.
func (w *world) data(kind string) (all []cms.EntryEventData) {
	w.t.Helper()
	rows, err := w.store.Outbox(context.Background(), 10_000)
	w.must(err)
	for _, row := range rows {
		pending, err := db.DecodePendingEvents(row)
		w.must(err)
		for _, e := range pending.Events {
			if e.Kind != kind {
				continue
			}
			var data cms.EntryEventData
			w.must(json.Unmarshal(e.Data, &data))
			all = append(all, data)
		}
	}
	return all
}

// events counts the events of a kind by their subject.
func (w *world) events(kind string) map[string]int {
	w.t.Helper()
	count := map[string]int{}
	for _, data := range w.data(kind) {
		count[data.ID]++
	}
	return count
}

// publishedOnce checks that each entry was published exactly once.
func (w *world) publishedOnce() {
	w.t.Helper()
	now, err := w.store.Site.Site(context.Background())
	w.must(err)
	events := w.events(cms.EventEntryPublished)
	for _, id := range w.entries {
		e, err := w.store.Content.Entry(context.Background(), now.Models["posts"], id)
		w.must(err)
		if e.Status != cms.StatusPublished || e.Version != 2 || events[id] != 1 {
			w.t.Errorf("entry: status %s, version %d, %d events", e.Status, e.Version, events[id])
		}
	}
}
