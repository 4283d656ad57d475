package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"headless/pkg/api"
	"headless/pkg/api/pipeline"
	"headless/pkg/apikeys"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/rooms"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// latency is the delay of a table call while round trips are counted: long enough for parallel calls
// to overlap, also if one of them begins only when a search has evaluated a frequent word.
const latency = 25 * time.Millisecond

// request is one kind of request.
type request struct {
	name, method, path, body string
	wanted                   int
}

// askHandler sends the request to a handler.
func (c *contentBench) askHandler(h http.Handler, q request) (*httptest.ResponseRecorder, error) {
	r := httptest.NewRequest(q.method, pipeline.Base+q.path, strings.NewReader(q.body))
	c.setHeaders(r, q)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != q.wanted {
		return w, fmt.Errorf("%s: %s %s: %d %.300s", q.name, q.method, q.path, w.Code, w.Body)
	}
	return w, nil
}

// setHeaders sets the key of a request and the type of its body.
func (c *contentBench) setHeaders(r *http.Request, q request) {
	r.Header.Set("X-API-Key", c.key)
	r.Header.Set("X-API-Secret", c.secret)
	if q.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
}

// reads returns the kinds of read requests.
func (c *contentBench) reads(h http.Handler) ([]request, error) {
	pageAt := func(offset int) string {
		return fmt.Sprintf("/%s?per_page=20&page=%d", model, max(1, offset/20))
	}
	deep := pageAt(min(c.n/2, 15_000))
	w, err := c.askHandler(h, request{"deep page", "GET", deep, "", 200})
	if err != nil {
		return nil, err
	}
	var page struct {
		Data []struct{ ID string }
		Meta struct {
			NextCursor string `json:"next_cursor"`
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || len(page.Data) == 0 {
		return nil, errors.Join(fmt.Errorf("deep page: %.300s", w.Body), err)
	}
	list := func(name, query string) request {
		return request{name, "GET", "/" + model + "?per_page=20" + query, "", 200}
	}
	return []request{
		{"get by id", "GET", "/" + model + "/" + page.Data[0].ID, "", 200},
		{"get by slug", "GET", fmt.Sprintf("/%s/article-%d", model, c.n/2), "", 200},
		list("default list of 20", ""),
		list("sort by title", "&sort=title"),
		list("one filter", "&filter[data.category]=c3"),
		list("one filter, another sort", "&filter[data.category]=c3&sort=title"),
		list("three filters", "&filter[data.category]=c3&filter[data.author]=Author+7&filter[data.featured]=false"),
		list("q, rare word", "&q=zyzzyva"),
		list("q, common word", "&q="+word(0)),
		list("q with a filter", "&q="+word(300)+"&filter[data.category]=c3"),
		list("q, three words", "&q="+word(5)+"+"+word(40)+"+"+word(300)),
		{"deep page, to the 15,000th", "GET", deep, "", 200},
		{"page in the middle", "GET", pageAt(c.n / 2), "", 200},
		list("cursor page", "&cursor="+page.Meta.NextCursor),
	}, nil
}

// cost is the cost of one request.
type cost struct {
	usage table.Usage
	err   error
}

// costTable collects costs by kind and size.
type costTable struct {
	sizes []int
	kinds []string
	cells map[string][]cost
}

func (t *costTable) add(kind string, c cost) {
	if t.cells == nil {
		t.cells = map[string][]cost{}
	}
	if _, known := t.cells[kind]; !known {
		t.kinds = append(t.kinds, kind)
	}
	t.cells[kind] = append(t.cells[kind], c)
}

func (t *costTable) print(out io.Writer) error {
	fmt.Fprintln(out,
		"\nSequential round trips / read units / write units of DynamoDB for one warm request, key, "+
			"limit and configuration included")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\t")
	for _, n := range t.sizes {
		fmt.Fprintf(w, "%d entries\t", n)
	}
	fmt.Fprintln(w, "goal\t")
	var failed []error
	for _, kind := range t.kinds {
		fmt.Fprintf(w, "%s\t", kind)
		for _, c := range t.cells[kind] {
			if c.err != nil {
				failed = append(failed, c.err)
				fmt.Fprint(w, "refused\t")
				continue
			}
			fmt.Fprintf(w, "%d / %.1f / %.0f\t", c.usage.RoundTrips, c.usage.ReadUnits, c.usage.WriteUnits)
		}
		fmt.Fprintf(w, "%s\t\n", costGoals[kind])
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, err := range failed {
		fmt.Fprintln(out, "refused:", err)
	}
	return nil
}

// costs measures every kind of request through the API.
func (c *contentBench) costs(ctx context.Context, t *costTable) error {
	file, err := bolt.Open(c.file())
	if err != nil {
		return err
	}
	var slow atomic.Bool
	counting := table.NewCounting(table.NewFaulty(file, func(table.Call) table.Fault {
		if slow.Load() {
			return table.Fault{Delay: latency}
		}
		return table.Fault{}
	}))
	st := rooms.New(counting, time.Now)
	defer st.Close()
	entries, h := process(st)
	merge := func() error { return errors.Join(entries.FlushTexts(ctx), entries.MergeTotals(ctx)) }
	measureBy := func(h http.Handler, q request) []byte {
		counting.Reset()
		slow.Store(true)
		w, err := c.askHandler(h, q)
		slow.Store(false)
		t.add(q.name, cost{counting.Snapshot(), err})
		return w.Body.Bytes()
	}
	measure := func(q request) []byte { return measureBy(h, q) }
	t.sizes = append(t.sizes, c.n)
	reads, err := c.reads(h)
	if err != nil {
		return err
	}
	for _, q := range reads {
		if _, err := c.askHandler(h, q); err == nil { // fill the caches first
			_, _ = c.askHandler(h, q)
		}
		measure(q)
		if strings.HasPrefix(q.name, "q") {
			_, cold := process(rooms.New(counting, time.Now))
			_, _ = c.askHandler(cold, reads[0]) // it knows the key and the configuration, but no text
			q.name += coldSearch
			measureBy(cold, q)
		}
	}
	work := func(name string, each int, do func() error) {
		counting.Reset()
		slow.Store(each == 1) // with many items the delay would only cost time
		err := do()
		slow.Store(false)
		used, n := counting.Snapshot(), float64(each)
		t.add(name,
			cost{table.Usage{RoundTrips: used.RoundTrips / each, ReadUnits: used.ReadUnits / n,
				WriteUnits: used.WriteUnits / n}, err})
	}
	if err := c.refusal(ctx, st, h, work); err != nil {
		return err
	}
	if err := c.writes(measure, work, merge); err != nil {
		return err
	}
	if err := c.merges(h, work, merge); err != nil {
		return err
	}
	p := &publishing{contentBench: c, ctx: ctx, api: h, st: st, entries: entries,
		ask: func(q request) { measure(q) }, measure: work}
	return p.run()
}

// process returns what a process of the API has, with nothing in its memory.
func process(st *rooms.Stores) (*editing.Entries, http.Handler) {
	entries := &editing.Entries{Store: st.Content}
	return entries, pipeline.New(pipeline.Config{Keys: st.Keys, Log: slog.New(slog.DiscardHandler),
		LogRequest: func(db.RequestLine) {}}, api.ContentRoutes(entries), api.SearchRoutes(entries))
}

// refusal measures a list that is refused since its key has no requests left.
func (c *contentBench) refusal(ctx context.Context, st *rooms.Stores, h http.Handler,
	work func(name string, each int, do func() error)) error {
	keys := &apikeys.Keys{Store: st.Keys}
	key, err := keys.Create(ctx, actor, map[string]any{"name": "limited", "scopes": []any{"read"},
		"rate_limit": json.Number("1")})
	if err != nil {
		return err
	}
	limited := *c
	limited.key, limited.secret = key.PublicKey, key.Secret
	q := request{"one filter, refused", "GET", "/" + model + "?filter[data.category]=c3", "", 429}
	for range 2 { // the first one is answered
		_, _ = limited.askHandler(h, q)
	}
	work(q.name, 1, func() error { _, err := limited.askHandler(h, q); return err })
	return keys.Delete(ctx, actor, key.ID)
}

// merges measures the cost, for each entry, of merging the texts of some new and some published
// entries.
func (c *contentBench) merges(h http.Handler, work func(name string, each int, do func() error),
	merge func() error) error {
	const texts = 32
	ids := make([]string, texts)
	for i := range ids {
		one := article(c.n + 10 + i)
		one["slug"], one["status"] = "", "draft"
		body, err := json.Marshal(one)
		if err != nil {
			return err
		}
		answer, err := c.askHandler(h, request{"create", "POST", "/" + model, string(body), 201})
		if err != nil {
			return err
		}
		if ids[i], err = idIn(answer.Body.Bytes()); err != nil {
			return err
		}
	}
	work(behindDrafts, texts, merge)
	for _, id := range ids {
		publish := request{"publish", "PUT", "/" + model + "/" + id, `{"status": "published"}`, 200}
		if _, err := c.askHandler(h, publish); err != nil {
			return err
		}
	}
	work(behindPublications, texts, merge)
	return nil
}

// idIn returns the id of the entry in a response.
func idIn(answer []byte) (string, error) {
	var made struct{ Data struct{ ID string } }
	err := json.Unmarshal(answer, &made)
	return made.Data.ID, err
}

// writes measures the changes of an entry. After each step its text is merged, as the service does
// some time after a change.
func (c *contentBench) writes(measure func(request) []byte,
	work func(name string, each int, do func() error), merge func() error) error {
	one := article(c.n + 1)
	one["slug"], one["status"] = "", "draft"
	body, err := json.Marshal(one)
	if err != nil {
		return err
	}
	answer := measure(request{"create a draft", "POST", "/" + model, string(body), 201})
	id, err := idIn(answer)
	if err != nil {
		return err
	}
	at := "/" + model + "/" + id
	for _, q := range []request{
		{"publish", "PUT", at, `{"status": "published"}`, 200},
		{"update one field", "PUT", at, `{"data": {"rank": 5}}`, 200},
		{updateText, "PUT", at, `{"data": {"body": "` +
			fmt.Sprint(article(3)["data"].(map[string]any)["body"]) + `"}}`, 200},
		{"unpublish", "PUT", at, `{"status": "draft"}`, 200},
		{"delete", "DELETE", at, "", 204},
	} {
		if err := merge(); err != nil {
			return err
		}
		measure(q)
		if q.name == updateText {
			work(behindText, 1, merge)
		}
	}
	return merge()
}

// disk prints what an entry takes of the file of the table.
func (c *contentBench) disk(out io.Writer) error {
	file, err := os.Stat(c.file())
	if err != nil {
		return err
	}
	body, err := json.Marshal(article(0))
	fmt.Fprintf(out, "%d entries, of about %d bytes as JSON, take %.1f KB of disk each (goal %d KB for 2.4 KB)\n",
		c.n, len(body), float64(file.Size())/1000/float64(c.n), goalDisk)
	return err
}
