package api_test

import (
	"io"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"headless/pkg/api"
	"headless/pkg/api/pipeline"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/table"
)

// process is a further process on the content's table, with its own clock and request log.
type process struct {
	*contentWorld
	*table.Counting
	lines atomic.Int64
}

func (c *contentWorld) process(now func() time.Time) *process { return c.processOn(c.table, now) }

// processOn is process by way of another table, such as one that takes time.
func (c *contentWorld) processOn(t table.Table, now func() time.Time) *process {
	p := &process{Counting: table.NewCounting(t)}
	st := rooms.New(p.Counting, now)
	p.contentWorld = &contentWorld{t: c.t, Handler: pipeline.New(pipeline.Config{
		Keys: st.Keys, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		LogRequest: func(db.RequestLine) { p.lines.Add(1) },
	}, api.ContentRoutes(&editing.Entries{Store: st.Content}), api.SearchRoutes(&editing.Entries{Store: st.Content}))}
	return p
}

// TestRefusalsCostLittle: a request past the limit and one with a wrong secret used to cost as much
// as an answer, and a log row each.
func TestRefusalsCostLittle(t *testing.T) {
	c := newContent(t)
	c.model(thingsModel)
	for range 30 {
		c.create("things", `{"title": "T", "status": "published", "data": {"num": 1}}`)
	}
	now := time.Now().Truncate(time.Minute).Add(time.Second)
	p := c.process(func() time.Time { return now })
	const path = "/things?per_page=25&filter[data.num]=1"

	k := c.key(`{"name": "Limited", "rate_limit": 3}`)
	for range 3 {
		p.call(k, "GET", path, "").want(200, "")
	}
	p.call(k, "GET", path, "").want(429, "RATE_LIMITED")
	p.Reset()
	for range 100 {
		p.call(k, "GET", path, "").want(429, "RATE_LIMITED")
	}
	if u := p.Snapshot(); u.ReadUnits > 50 || u.WriteUnits > 0 {
		t.Errorf("100 refusals past the limit: %.1f read units, %.1f write units", u.ReadUnits, u.WriteUnits)
	}
	if n := p.lines.Load(); n > 30 {
		t.Errorf("%d lines of the request log", n)
	}

	wrong := c.key(`{"name": "Wrong"}`)
	p.call(wrong, "GET", path, "").want(200, "")
	wrong.Secret = "sk_wrong"
	p.Reset()
	p.lines.Store(0)
	for range 300 {
		p.call(wrong, "GET", path, "").want(401, "UNAUTHORIZED")
	}
	if u := p.Snapshot(); u.ReadUnits > 50 || u.WriteUnits > 0 {
		t.Errorf("300 wrong secrets: %.1f read units, %.1f write units", u.ReadUnits, u.WriteUnits)
	}
	if n := p.lines.Load(); n > 30 {
		t.Errorf("%d lines of the request log", n)
	}
	now = now.Add(time.Second)
	rotated, err := c.keys.Rotate(t.Context(), admin, wrong.ID, nil)
	must.Do(t, err)
	p.call(rotated, "GET", path, "").want(200, "") // the new secret is looked up even so
}

// TestRefusalAheadOfTheQuery: close to the limit, the request is counted before it is answered.
func TestRefusalAheadOfTheQuery(t *testing.T) {
	c := newContent(t)
	c.model(thingsModel)
	for range 30 {
		c.create("things", `{"title": "T", "status": "published", "data": {"num": 1}}`)
	}
	now := time.Now().Truncate(time.Minute).Add(time.Second)
	k := c.key(`{"name": "Limited", "rate_limit": 20}`)
	one, other := c.process(func() time.Time { return now }), c.process(func() time.Time { return now })
	const path = "/things?per_page=25&filter[data.num]=1"
	for range 19 {
		one.call(k, "GET", path, "").want(200, "")
	}
	other.call(k, "GET", path, "").want(200, "")
	one.Reset()
	one.call(k, "GET", path, "").want(429, "RATE_LIMITED")
	if u := one.Snapshot(); u.ReadUnits > 3 {
		t.Errorf("the first refusal: %.1f read units", u.ReadUnits)
	}
}

// TestLimiterAway: a read used to be a 503 while only the counter was throttled, or once after a
// connection had died.
func TestLimiterAway(t *testing.T) {
	c := newContent(t)
	c.model(thingsModel)
	c.setFault(func(call table.Call) table.Fault {
		if call.Method == "Add" {
			return table.Fault{Kind: table.Throttled}
		}
		return table.Fault{}
	})
	for range 3 {
		c.call(c.public, "GET", "/things", "").want(200, "")
	}
	calls := 0
	c.setFault(func(call table.Call) table.Fault {
		if call.Method == "Add" {
			if calls++; calls == 1 {
				return table.Fault{Kind: table.AnswerLost}
			}
		}
		return table.Fault{}
	})
	k := c.key(`{"name": "Fresh", "rate_limit": 100}`)
	if a := c.call(k, "GET", "/things", ""); a.Code != 200 ||
		a.Header().Get("X-RateLimit-Remaining") != "98" {
		t.Errorf("%d %v", a.Code, a.Header())
	}
}

// TestKeyNotUTF8: a key header that is not UTF-8 used to be a 500.
func TestKeyNotUTF8(t *testing.T) {
	c := newContent(t)
	c.model(thingsModel)
	for _, key := range []string{"\xe9", "pk_\xff\xfe", "pk_\xed\xa0\x80"} {
		k := c.public
		k.PublicKey = key
		c.call(k, "GET", "/things", "").want(401, "UNAUTHORIZED")
	}
}
