package viewcount

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"headless/pkg/apikeys"
	"headless/pkg/blob"
	"headless/pkg/blob/disk"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/index"
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/settings"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/sim"
)

// world is a site with three published entries, a draft, and two keys. The second one may not read
// the model.
type world struct {
	*rooms.Stores
	Store
	inner table.Table
	now   time.Time
	ids   []string // of the entries, the draft last
	keys  []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{now: time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)}
	w.inner = sim.New(sim.Options{})
	w.Stores, w.Store = w.open(w.inner)
	ctx, actor := t.Context(), cms.Actor{}
	must.Do(t, (&site.Locales{Store: w.Site}).EnsureDefault(ctx))
	for _, slug := range []string{"posts", "others"} {
		_, err := (&site.Models{Store: w.Site}).Create(ctx, actor, map[string]any{"slug": slug, "name": slug})
		must.Do(t, err)
	}
	entries := editing.Entries{Store: w.Content}
	for _, status := range []string{"published", "published", "published", "draft"} {
		e, err := entries.Create(ctx, actor, "posts", map[string]any{"title": "T", "status": status})
		must.Do(t, err)
		w.ids = append(w.ids, e.ID)
	}
	for _, models := range [][]any{nil, {"others"}} {
		k, err := (&apikeys.Keys{Store: w.Stores.Keys}).Create(ctx, actor, map[string]any{"name": "k", "kind": "publishable",
			"models": models, "rate_limit": json.Number("1000")})
		must.Do(t, err)
		w.keys = append(w.keys, k.PublicKey)
	}
	w.enable(t, "true")
	return w
}

// open opens the stores on a table.
func (w *world) open(t table.Table) (*rooms.Stores, Store) {
	st := rooms.New(t, func() time.Time { return w.now })
	return st, Store{Entries: st.Content, Keys: st.Keys}
}

func (w *world) enable(t *testing.T, value string) {
	t.Helper()
	_, err := (&settings.Settings{Store: w.Site}).Update(t.Context(), cms.Actor{},
		[]any{map[string]any{"group": "views", "key": "enabled", "value": value}}, nil)
	must.Do(t, err)
}

// shown returns the views of the entries.
func (w *world) shown(t *testing.T) (views []int) {
	t.Helper()
	now, err := w.Site.Site(t.Context())
	must.Do(t, err)
	entries := make([]*cms.Entry, len(w.ids))
	for i, id := range w.ids {
		entries[i] = &cms.Entry{ID: id}
	}
	must.Do(t, w.Mark(t.Context(), now, now.Models["posts"], entries...))
	for _, e := range entries {
		if e.Views != nil {
			views = append(views, e.Views.D30)
		}
	}
	return views
}

func (w *world) want(t *testing.T, want ...int) {
	t.Helper()
	if got := w.shown(t); !slices.Equal(got, want) {
		t.Errorf("views %v, want %v", got, want)
	}
}

// TestAdd counts what may be counted, and shows nothing while the setting is off.
func TestAdd(t *testing.T) {
	w := newWorld(t)
	const today = "2026-11-26"
	key := w.keys[0]
	views := map[View]int{
		{key, w.ids[0], today}: 3, {key, w.ids[0], "2026-11-25"}: 2, {key, w.ids[1], today}: 1,
		{w.keys[1], w.ids[1], today}: 10, {"pub_unknown", w.ids[1], today}: 10, // may not read it
		{key, w.ids[3], today}: 10, {key, uuid.NewString(), today}: 10, {key, "x", today}: 10, // not published
	}
	for range 2 {
		must.Do(t, w.Add(t.Context(), "", views))
	}
	w.want(t, 10, 2, 0, 0)
	w.enable(t, "false")
	must.Do(t, w.Add(t.Context(), "", views))
	w.want(t)
	w.enable(t, "true")
	w.want(t, 10, 2, 0, 0)
}

// TestDaysExpire lets days go by: a view counts on its day and on the 29 days after it.
func TestDaysExpire(t *testing.T) {
	w := newWorld(t)
	view := func() {
		t.Helper()
		must.Do(t, w.Add(t.Context(), "", map[View]int{{w.keys[0], w.ids[0], dayOf(w.now)}: 1}))
	}
	view()
	w.now = w.now.AddDate(0, 0, 29)
	view()
	w.want(t, 2, 0, 0, 0)
	w.now = w.now.AddDate(0, 0, 1)
	w.want(t, 1, 0, 0, 0)
	view()
	now, err := w.Site.Site(t.Context())
	must.Do(t, err)
	items, err := w.Table.Get(t.Context(), table.Strong, viewsKey(now.Models["posts"].ID, w.ids[0]))
	if err != nil || strings.Count(string(items[0].Body), "-") != 2*2 {
		t.Errorf("the row has days that do not count: %s, %v", items[0].Body, err)
	}
	w.now = w.now.AddDate(0, 0, 40)
	w.want(t, 0, 0, 0, 0)
}

// TestOrder lists by views in both directions.
func TestOrder(t *testing.T) {
	w := newWorld(t)
	must.Do(t, w.Add(t.Context(), "", map[View]int{{w.keys[0], w.ids[0], dayOf(w.now)}: 1,
		{w.keys[0], w.ids[1], dayOf(w.now)}: 5}))
	now, err := w.Site.Site(t.Context())
	must.Do(t, err)
	for desc, want := range map[bool][]int{true: {1, 0, 2}, false: {2, 0, 1}} {
		scores, err := w.Order(t.Context(), now.Models["posts"], desc)
		must.Do(t, err)
		got := []int{0, 1, 2}
		slices.SortFunc(got, func(a, b int) int {
			return int(scores.Of(uuid.MustParse(w.ids[b])) - scores.Of(uuid.MustParse(w.ids[a])))
		})
		if !slices.Equal(got, want) {
			t.Errorf("descending %v: %v", desc, got)
		}
	}
}

// TestOrderOfTooMany refuses to read the views of more entries than a list may collect.
func TestOrderOfTooMany(t *testing.T) {
	w := newWorld(t)
	now, err := w.Site.Site(t.Context())
	must.Do(t, err)
	rows := make([]table.Item, index.MaxCollect+1)
	for i := range rows {
		rows[i] = table.Item{Key: viewsKey(now.Models["posts"].ID, uuid.NewString()), Body: []byte("{}")}
	}
	for part := range slices.Chunk(rows, 1000) {
		must.Do(t, w.Table.BatchWrite(t.Context(), part, nil))
	}
	if _, err := w.Order(t.Context(), now.Models["posts"], true); !errors.Is(err, index.ErrNotIndexed) {
		t.Errorf("got %v", err)
	}
}

// TestCounter stores what was counted within a minute, and the rest when it ends.
func TestCounter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		c := &Counter{Store: w.Store, Log: slog.New(slog.DiscardHandler)}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { c.Run(ctx); close(done) }()
		c.Seen(w.keys[0], w.ids[0])
		c.Seen(w.keys[0], w.ids[0])
		time.Sleep(time.Minute)
		w.want(t, 2, 0, 0, 0)
		c.Seen(w.keys[0], w.ids[2])
		stop()
		<-done
		w.want(t, 2, 0, 1, 0)
	})
}

// logFile returns a log file as CloudFront writes it, with a line of each row.
func logFile(t *testing.T, rows ...string) *bytes.Reader {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprint(z, "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem "+
		"sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id\n")
	for _, row := range rows {
		v := strings.Fields(row) // method, path, status, query
		fmt.Fprintf(z, "2026-11-26\t11:59:00\tFRA2\t300\t203.0.113.9\t%s\td1.cloudfront.net\t%s\t%s\t-\t"+
			"Mozilla/5.0%%20(X11)\t%s\t-\t"+
			"FunctionGeneratedResponse\tx==\n", v[0], v[1], v[2], v[3])
	}
	must.Do(t, z.Close())
	return bytes.NewReader(b.Bytes())
}

func TestReadLog(t *testing.T) {
	const id = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
	views, err := readLog(logFile(t,
		"GET /delivery/v1/pub_x/seen 204 e="+id,
		"GET /delivery/v1/pub_x/seen 204 utm=1&e="+strings.ToUpper(id),
		"GET /delivery/v1/pub_y/seen 204 e="+id,
		"HEAD /delivery/v1/pub_x/seen 204 e="+id,
		"GET /delivery/v1/pub_x/seen 404 e="+id,
		"GET /delivery/v1/pub_x/seen 204 -",
		"GET /delivery/v1/pub_x/seen 204 e=%zz",
		"GET /delivery/v1/pub_x/posts/seen 204 e="+id,
		"GET /admin/delivery/v1/seen 204 e="+id))
	want := map[View]int{{"pub_x", id, "2026-11-26"}: 2, {"pub_y", id, "2026-11-26"}: 1}
	if err != nil || !maps.Equal(views, want) {
		t.Errorf("got %v, %v", views, err)
	}
	if _, err := readLog(strings.NewReader("plain")); err == nil {
		t.Error("a file that is not compressed is read")
	}
}

// keepsFiles is a bucket in which nothing can be deleted.
type keepsFiles struct{ blob.Store }

func (keepsFiles) Delete(context.Context, string) error { return errors.New("crashed") }

// TestLogsOnce counts each file once, whatever call of the table fails, and if the program ends
// before it deletes the file.
func TestLogsOnce(t *testing.T) {
	for _, kind := range []table.FaultKind{table.CrashBefore, table.CrashAfter} {
		for at := 1; ; at++ {
			w := newWorld(t)
			bucket, err := disk.Open(t.TempDir(), disk.Options{})
			must.Do(t, err)
			path := "/delivery/v1/" + w.keys[0] + "/seen"
			for name, i := range map[string]int{"E1.2026-11-26-11.aa.gz": 0, "E1.2026-11-26-11.bb.gz": 1} {
				must.Do(t, bucket.Put(t.Context(), logPrefix+name, logFile(t, "GET "+path+" 204 e="+w.ids[0],
					"GET "+path+" 204 e="+w.ids[i]), blob.Meta{}))
			}
			hit := false
			_, dying := w.open(table.NewFaulty(w.inner, func(c table.Call) table.Fault {
				if hit = hit || c.N == at; c.N == at {
					return table.Fault{Kind: kind}
				}
				return table.Fault{}
			}))
			_ = Logs{dying, keepsFiles{bucket}}.Run(t.Context()) // what fails is left to the next run
			must.Do(t, (Logs{w.Store, bucket}).Run(t.Context()))
			w.want(t, 3, 1, 0, 0)
			for file := range bucket.List(t.Context(), logPrefix, "") {
				t.Errorf("%s is still there", file.Key)
			}
			if !hit {
				if at < 8 {
					t.Errorf("only %d calls", at)
				}
				break
			}
		}
	}
}
