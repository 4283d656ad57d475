package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"time"
)

// maxBacklog is how long the benchmark waits for the last delivery.
const maxBacklog = 5 * time.Minute

// subscribe adds a webhook for new entries.
func (l *loadTest) subscribe(receiver string) error {
	var in struct{ Data struct{ Token string } }
	err := l.admin("/login", "", map[string]any{"email": adminEmail, "password": adminPassword}, &in)
	if err != nil {
		return err
	}
	return l.admin("/webhooks", in.Data.Token, map[string]any{"name": "bench", "url": receiver,
		"events": []string{"entry.created"}}, nil)
}

// admin posts to the admin routes.
func (l *loadTest) admin(path, token string, body, out any) error {
	sent, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r := httptest.NewRequest(http.MethodPost, "/admin"+path, bytes.NewReader(sent))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	l.server.ServeHTTP(w, r)
	if w.Code >= http.StatusBadRequest {
		return fmt.Errorf("POST /admin%s: %d %.300s", path, w.Code, w.Body)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(w.Body.Bytes(), out)
}

// webhooks measures deliveries to a quick receiver while clients create entries as fast as they
// can, and how long the deliveries go on after the last create.
func (c *contentBench) webhooks(ctx context.Context, o options, out io.Writer) error {
	var delivered atomic.Int64
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		delivered.Add(1)
	}))
	defer receiver.Close()
	return c.withServer(o, func(l *loadTest) error {
		if err := l.subscribe(receiver.URL); err != nil {
			return err
		}
		var created atomic.Int64
		start := time.Now()
		rate, err := l.many(ctx, o, func() request {
			body, _ := json.Marshal(article(2*l.n + 1000 + int(created.Add(1))))
			return request{"create", "POST", "/" + model, string(body), 201}
		})
		if err != nil {
			return err
		}
		beside := float64(delivered.Load()) / time.Since(start).Seconds()
		end := time.Now()
		for delivered.Load() < created.Load() && time.Since(end) < maxBacklog && ctx.Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		fmt.Fprintf(out, "webhooks beside creates from %d clients: %.0f creates and %.0f deliveries a second; "+
			"%d of %d were delivered %.1f s after the last create\n",
			o.clients, rate, beside, delivered.Load(), created.Load(), time.Since(end).Seconds())
		return ctx.Err()
	})
}
