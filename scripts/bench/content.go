package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/apikeys"
	"headless/pkg/app"
	"headless/pkg/app/embedded"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/rooms"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

const (
	model      = "articles"
	loaders    = 64      // goroutines that create content
	bulkFrom   = 200_000 // with this many entries or more, they are created without the server
	bulkAhead  = 3000    // entries that are created before their texts are merged
	vocabulary = 20000   // words in the texts; the n-th is about 1/n as frequent as the first
	rareEvery  = 2000    // one of this many entries has the rare word

	adminEmail    = "admin@example.com"
	adminPassword = "a password of the bench"
)

// contentBench is a data folder of the embedded server with n published entries of one model.
type contentBench struct {
	dir         string
	n           int
	key, secret string
	site        string // publishable key
}

var actor = cms.Actor{Name: "bench", Source: cms.SourceAdmin}

// prepare creates the content, unless an earlier run left it in the folder.
func prepare(ctx context.Context, dir string, n int, out io.Writer) (*contentBench, error) {
	c := &contentBench{dir: dir, n: n}
	note := filepath.Join(dir, "bench-key")
	if made, err := os.ReadFile(note); err == nil {
		_, err := fmt.Sscan(string(made), &c.key, &c.secret, &c.site)
		return c, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := c.withStores(func(st *rooms.Stores) error { return c.setUp(ctx, st) }); err != nil {
		return nil, err
	}
	fill := c.createEntries
	if n >= bulkFrom {
		fill = c.bulk
	}
	merge := func(st *rooms.Stores) error {
		entries := &editing.Entries{Store: st.Content}
		return errors.Join(entries.FlushTexts(ctx), entries.MergeTotals(ctx))
	}
	if err := errors.Join(fill(ctx, out), c.withStores(merge)); err != nil {
		return nil, err
	}
	return c, os.WriteFile(note, []byte(c.key+" "+c.secret+" "+c.site+"\n"), 0o600)
}

func (c *contentBench) file() string { return filepath.Join(c.dir, "table.db") }

// withStores runs a function with the store of the content.
func (c *contentBench) withStores(do func(*rooms.Stores) error, opts ...bolt.Option) error {
	t, err := bolt.Open(c.file(), opts...)
	if err != nil {
		return err
	}
	st := rooms.New(t, time.Now)
	return errors.Join(do(st), st.Close())
}

// setUp creates the locale, the key and the model.
func (c *contentBench) setUp(ctx context.Context, st *rooms.Stores) error {
	if err := (&site.Locales{Store: st.Site}).EnsureDefault(ctx); err != nil {
		return err
	}
	keys := &apikeys.Keys{Store: st.Keys}
	public, err := keys.Create(ctx, actor, map[string]any{"name": "site", "kind": "publishable",
		"rate_limit": json.Number("1000000")})
	if err != nil {
		return err
	}
	c.site = public.PublicKey
	key, err := keys.Create(ctx, actor, map[string]any{
		"name": "bench", "scopes": []any{"read", "write", "delete"}, "rate_limit": json.Number("1000000"),
	})
	if err != nil {
		return err
	}
	c.key, c.secret = key.PublicKey, key.Secret
	var definition map[string]any
	if err := cms.Unmarshal([]byte(modelJSON), &definition); err != nil {
		return err
	}
	_, err = (&site.Models{Store: st.Site}).Create(ctx, actor, definition)
	return err
}

// createEntries creates the entries through the API of the embedded server.
func (c *contentBench) createEntries(ctx context.Context, out io.Writer) (err error) {
	server, err := c.serve()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	var busy atomic.Int64
	err = c.load(ctx, out, func(one map[string]any) error {
		body, err := json.Marshal(one)
		if err != nil {
			return err
		}
		for try := 1; ; try++ {
			w, err := c.askHandler(server, request{"load", "POST", "/" + model, string(body), 201})
			if err == nil || w.Code != http.StatusServiceUnavailable || try == maxTries {
				return err
			}
			busy.Add(1)
			if err := pause(ctx, w.Header().Get("Retry-After")); err != nil {
				return err
			}
		}
	})
	if n := busy.Load(); n > 0 {
		fmt.Fprintf(out, "%d creates got 503 and were retried\n", n)
	}
	return err
}

// maxTries is how often an entry is sent while the service is busy.
const maxTries = 20

// pause waits for a number of seconds from a Retry-After header.
func pause(ctx context.Context, seconds string) error {
	n, err := strconv.Atoi(seconds)
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(n) * time.Second):
		return nil
	}
}

// bulk creates a large number of entries, through the use cases and without waiting for the disk.
// It also does the work that the server does after its responses.
func (c *contentBench) bulk(ctx context.Context, out io.Writer) error {
	return c.withStores(func(st *rooms.Stores) error {
		entries := &editing.Entries{Store: st.Content}
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		var behind errgroup.Group
		unmerged := make(chan struct{}, bulkAhead)
		behind.Go(func() error {
			for ctx.Err() == nil {
				made := len(unmerged)
				if err := errors.Join(entries.FlushTexts(ctx), entries.MergeTotals(ctx), dropEvents(ctx, st)); err != nil &&
					ctx.Err() == nil {
					return err
				}
				for range made {
					<-unmerged
				}
			}
			return nil
		})
		err := c.load(ctx, out, func(one map[string]any) error {
			_, err := entries.Create(ctx, actor, model, one)
			select {
			case unmerged <- struct{}{}:
			case <-ctx.Done():
			}
			return err
		})
		stop()
		return errors.Join(err, behind.Wait(), dropEvents(context.WithoutCancel(ctx), st))
	}, bolt.WithoutSync())
}

// dropEvents empties the outbox: nobody receives events of generated content.
func dropEvents(ctx context.Context, st *rooms.Stores) error {
	for {
		rows, err := st.Outbox(ctx, 8000)
		if err != nil || len(rows) == 0 {
			return err
		}
		keys := slice.Map(rows, func(row table.Item) table.Key { return row.Key })
		if err := st.DropEvents(ctx, keys...); err != nil || len(rows) < 4000 {
			return err
		}
	}
}

// serve opens the embedded server on the content.
func (c *contentBench) serve() (*embedded.Server, error) {
	vars := map[string]string{"DATA_DIR": c.dir, "SEED": "none", "ADMIN_EMAIL": adminEmail,
		"ADMIN_PASSWORD": adminPassword, "WEBHOOK_ALLOW_INSECURE": "true"}
	cfg, err := app.FromEnv(func(name string) string { return vars[name] })
	if err != nil {
		return nil, err
	}
	return embedded.New(cfg, slog.New(slog.DiscardHandler))
}

// load creates the entries, and prints the speed of each tenth of a large load.
func (c *contentBench) load(ctx context.Context, out io.Writer, create func(map[string]any) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range loaders {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < c.n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := create(article(i)); err != nil {
					cancel(err)
				}
			}
		})
	}
	ended := make(chan struct{})
	go func() { workers.Wait(); close(ended) }()
	start, tenth := time.Now(), 1
	mark := start
	for done := false; !done; {
		select {
		case <-ended:
			done = true
		case <-time.After(20 * time.Millisecond):
		}
		for ; tenth <= 10 && int(next.Load()) >= c.n*tenth/10; tenth++ {
			if c.n >= 50_000 {
				fmt.Fprintf(out, "loading %d entries: tenth %d at %.0f a second\n", c.n, tenth,
					float64(c.n)/10/time.Since(mark).Seconds())
			}
			mark = time.Now()
		}
	}
	fmt.Fprintf(out, "loaded %d entries at %.0f a second\n", c.n, float64(c.n)/time.Since(start).Seconds())
	return context.Cause(ctx)
}

const modelJSON = `{"slug": "articles", "name": "Articles", "localized": true, "fields": [
	{"name": "category", "type": "select", "options": ["c0","c1","c2","c3","c4","c5","c6","c7","c8","c9"]},
	{"name": "author", "type": "text"},
	{"name": "rank", "type": "number"},
	{"name": "featured", "type": "boolean"},
	{"name": "day", "type": "date"},
	{"name": "tags", "type": "multiselect", "options": ["t0","t1","t2","t3","t4","t5","t6","t7"]},
	{"name": "teaser", "type": "textarea", "searchable": true},
	{"name": "body", "type": "richtext", "searchable": true}]}`

// article returns the i-th entry, the same in every run, with about 100 words.
func article(i int) map[string]any {
	r := rand.New(rand.NewPCG(7, uint64(i)))
	zipf := rand.NewZipf(r, 1.1, 3, vocabulary-1)
	words := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = word(zipf.Uint64())
		}
		return strings.Join(list, " ")
	}
	body := words(80)
	if i%rareEvery == 17 {
		body += " zyzzyva"
	}
	return map[string]any{
		"title": fmt.Sprintf("%s %d", words(4), i), "slug": fmt.Sprintf("article-%d", i),
		"status": "published",
		"data": map[string]any{
			"category": fmt.Sprintf("c%d", r.IntN(10)), "author": fmt.Sprintf("Author %d", r.IntN(200)),
			"rank": json.Number(fmt.Sprint(r.IntN(1_000_000))), "featured": r.IntN(10) == 0,
			"day":    time.Date(2020, 1, 1+r.IntN(2000), 0, 0, 0, 0, time.UTC).Format(time.DateOnly),
			"tags":   []any{fmt.Sprintf("t%d", r.IntN(4)), fmt.Sprintf("t%d", 4+r.IntN(4))},
			"teaser": words(15), "body": body,
		},
	}
}

// word spells a number in five syllables. So no word is a prefix of another one, which a search
// would also find.
func word(n uint64) string {
	syllables := []string{"ka", "lo", "mi", "ren", "su", "ta", "vor", "wel", "xi", "zan"}
	s := ""
	for range 5 {
		s = syllables[n%10] + s
		n /= 10
	}
	return s
}
