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
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"headless/pkg/api"
	"headless/pkg/api/pipeline"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/rooms"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// latency is the delay of a table call while round trips are counted: long enough for parallel
// calls to overlap.
const latency = 3 * time.Millisecond

// request is one kind of request.
type request struct {
	name, method, path, body string
	wanted                   int
}

// ask sends the request to a handler.
func (c *contentBench) ask(h http.Handler, q request) (*httptest.ResponseRecorder, error) {
	r := httptest.NewRequest(q.method, pipeline.Base+q.path, strings.NewReader(q.body))
	r.Header.Set("X-API-Key", c.key)
	r.Header.Set("X-API-Secret", c.secret)
	if q.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != q.wanted {
		return w, fmt.Errorf("%s: %s %s: %d %.300s", q.name, q.method, q.path, w.Code, w.Body)
	}
	return w, nil
}

// reads returns the kinds of read requests.
func (c *contentBench) reads(h http.Handler) ([]request, error) {
	pageAt := func(offset int) string {
		return fmt.Sprintf("/%s?per_page=20&page=%d", model,
			max(1, offset/20))
	}
	deep := pageAt(min(c.n/2, 15_000))
	w, err := c.ask(h, request{"deep page", "GET", deep, "", 200})
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
		list("three filters",
			"&filter[data.category]=c3&filter[data.author]=Author+7&filter[data.featured]=false"),
		list("q, rare word", "&q=zyzzyva"),
		list("q, common word", "&q="+word(0)),
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
	fmt.Fprintln(w)
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
		fmt.Fprintln(w)
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
	entries := &editing.Entries{Store: st.Content}
	h := pipeline.New(pipeline.Config{Keys: st.Keys, Log: slog.New(slog.DiscardHandler),
		LogRequest: func(db.RequestLine) {}}, api.ContentRoutes(entries), api.SearchRoutes(entries))
	merge := func() error { return errors.Join(entries.MergeText(ctx), entries.MergeTotals(ctx)) }
	measure := func(q request) []byte {
		counting.Reset()
		slow.Store(true)
		w, err := c.ask(h, q)
		slow.Store(false)
		t.add(q.name, cost{counting.Snapshot(), err})
		return w.Body.Bytes()
	}
	t.sizes = append(t.sizes, c.n)
	reads, err := c.reads(h)
	if err != nil {
		return err
	}
	for _, q := range reads {
		if _, err := c.ask(h, q); err == nil { // fill the caches first
			_, _ = c.ask(h, q)
		}
		measure(q)
	}
	if err := c.writes(measure, merge); err != nil {
		return err
	}
	if err := c.merges(h, t, counting, merge); err != nil {
		return err
	}
	p := &publishing{contentBench: c, ctx: ctx, api: h, st: st, entries: entries,
		ask: func(q request) { measure(q) }}
	p.measure = func(name string, each int, do func() error) {
		counting.Reset()
		slow.Store(each == 1) // with many items the delay would only cost time
		err := do()
		slow.Store(false)
		used, n := counting.Snapshot(), float64(each)
		t.add(name,
			cost{table.Usage{RoundTrips: used.RoundTrips / each, ReadUnits: used.ReadUnits / n,
				WriteUnits: used.WriteUnits / n}, err})
	}
	return p.run()
}

// merges measures the cost, for each entry, of merging the texts of some new and some published
// entries.
func (c *contentBench) merges(h http.Handler, t *costTable, counting *table.Counting,
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
		answer, err := c.ask(h, request{"create", "POST", "/" + model, string(body), 201})
		if err != nil {
			return err
		}
		if ids[i], err = idIn(answer.Body.Bytes()); err != nil {
			return err
		}
	}
	background := func(kind string) error {
		counting.Reset()
		err := merge()
		used := counting.Snapshot()
		t.add(fmt.Sprintf("behind %d %s, each", texts, kind),
			cost{table.Usage{ReadUnits: used.ReadUnits / texts, WriteUnits: used.WriteUnits / texts}, err})
		return err
	}
	if err := background("drafts"); err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := c.ask(h, request{"publish", "PUT", "/" + model + "/" + id, `{"status": "published"}`, 200}); err != nil {
			return err
		}
	}
	return background("publications")
}

// idIn returns the id of the entry in a response.
func idIn(answer []byte) (string, error) {
	var made struct{ Data struct{ ID string } }
	err := json.Unmarshal(answer, &made)
	return made.Data.ID, err
}

// writes measures the changes of an entry. After each step its text is merged, as the service does
// some time after a change.
func (c *contentBench) writes(measure func(request) []byte, merge func() error) error {
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
		{"update the text", "PUT", at, `{"data": {"body": "` +
			fmt.Sprint(article(3)["data"].(map[string]any)["body"]) + `"}}`, 200},
		{"unpublish", "PUT", at, `{"status": "draft"}`, 200},
		{"delete", "DELETE", at, "", 204},
	} {
		if err := merge(); err != nil {
			return err
		}
		measure(q)
	}
	return merge()
}
