package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"headless/pkg/api/pipeline"
	"headless/pkg/app/embedded"
)

// times measures the embedded server over HTTP on loopback. Client and server are in this process:
// with "one core", both run on the same core.
func (c *contentBench) times(ctx context.Context, o options, out io.Writer) error {
	err := c.withServer(o, func(l *loadTest) error { return l.requests(ctx, o, out) })
	if err != nil {
		return err
	}
	return c.webhooks(ctx, o, out)
}

// withServer starts the server, runs a load test on it and stops it.
func (c *contentBench) withServer(o options, test func(*loadTest) error) (err error) {
	server, err := c.serve()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	web := httptest.NewServer(server)
	defer web.Close()
	transport := &http.Transport{MaxIdleConnsPerHost: o.clients}
	defer transport.CloseIdleConnections()
	return test(&loadTest{contentBench: c, server: server, address: web.Listener.Addr().String(),
		url: web.URL + pipeline.Base, http: &http.Client{Transport: transport}})
}

// requests measures each kind of request, alone and from several clients.
func (l *loadTest) requests(ctx context.Context, o options, out io.Writer) error {
	reads, err := l.reads(l.server)
	if err != nil {
		return err
	}
	fmt.Fprintf(out,
		"\nTimes at %d entries on the embedded server, over HTTP, key, limit and request log included\n", l.n)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\tmedian, one core\t99th\t%d clients, %d cores\tgoal\t\n", o.clients, runtime.GOMAXPROCS(0))
	for _, q := range reads {
		if err := l.row(ctx, w, o, q); err != nil {
			fmt.Fprintf(w, "%s\trefused\t\t\t\t\n", q.name)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := l.deliveryHits(ctx, out, o, l.address); err != nil {
		return err
	}
	return l.creates(ctx, out, o)
}

// creates measures new entries with a text of about a hundred words, and with a title only: from
// one client and from several.
func (l *loadTest) creates(ctx context.Context, out io.Writer, o options) error {
	alone := o
	alone.clients = 1
	for _, o := range []options{alone, o} {
		for _, short := range []bool{false, true} {
			if err := l.create(ctx, out, o, short); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loadTest) create(ctx context.Context, out io.Writer, o options, short bool) error {
	rate, err := l.many(ctx, o, func() request {
		one := article(l.n + 1000 + int(l.created.Add(1)))
		one["slug"] = ""
		if data := one["data"].(map[string]any); short {
			delete(data, "body")
			delete(data, "teaser")
		}
		body, _ := json.Marshal(one)
		return request{"create", "POST", "/" + model, string(body), 201}
	})
	text := "100 words of text"
	if short {
		text = "a title and six fields"
	}
	goal := ""
	if o.clients > 1 {
		goal = fmt.Sprintf(" (goal %d)", goalCreate)
	}
	fmt.Fprintf(out,
		"creates, clients: %d, each on disk before its answer, of entries with %s: %.0f a second%s\n",
		o.clients, text, rate, goal)
	return err
}

// loadTest sends requests to a server.
type loadTest struct {
	*contentBench
	server       *embedded.Server
	address, url string
	http         *http.Client
	created      atomic.Int64
}

func (l *loadTest) row(ctx context.Context, w io.Writer, o options, q request) error {
	median, slow, err := l.alone(ctx, o.runFor, q)
	if err != nil {
		return err
	}
	n, err := rate(ctx, o, l.address, fmt.Sprintf(
		"%s %s HTTP/1.1\r\nHost: localhost\r\nX-API-Key: %s\r\nX-API-Secret: %s\r\n\r\n",
		q.method, pipeline.Base+q.path, l.key, l.secret))
	goal := ""
	if g := rateGoals[q.name]; g > 0 {
		goal = strconv.Itoa(g)
	}
	fmt.Fprintf(w, "%s\t%.2f ms\t%.2f ms\t%.0f a second\t%s\t\n", q.name, ms(median), ms(slow), n, goal)
	return err
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// alone measures one client on one core.
func (l *loadTest) alone(ctx context.Context, runFor time.Duration, q request) (median,
	slow time.Duration, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var took []time.Duration
	for end := time.Now().Add(runFor); time.Now().Before(end) || len(took) < 20; {
		start := time.Now()
		if err := l.send(ctx, q); err != nil {
			return 0, 0, err
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	return took[len(took)/2], took[len(took)*99/100], nil
}

// many measures several clients that send the requests of next; it returns requests per second.
func (l *loadTest) many(ctx context.Context, o options, next func() request) (float64, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var done atomic.Int64
	var clients sync.WaitGroup
	start := time.Now()
	for range o.clients {
		clients.Go(func() {
			for time.Since(start) < o.runFor && ctx.Err() == nil {
				if err := l.send(ctx, next()); err != nil {
					cancel(err)
				}
				done.Add(1)
			}
		})
	}
	clients.Wait()
	return float64(done.Load()) / time.Since(start).Seconds(), context.Cause(ctx)
}

func (l *loadTest) send(ctx context.Context, q request) error {
	r, err := http.NewRequestWithContext(ctx, q.method, l.url+q.path, bytes.NewReader([]byte(q.body)))
	if err != nil {
		return err
	}
	l.setHeaders(r, q)
	resp, err := l.http.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != q.wanted {
		err = fmt.Errorf("%s: %d %.200s", q.name, resp.StatusCode, body)
	}
	return err
}
