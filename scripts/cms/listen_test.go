package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/scripts/cms/client"
)

// TestListen forwards the event of a change to a receiver, and deletes the listener at its end.
func TestListen(t *testing.T) {
	c := use(t, serve(t))
	must.Do(t, c.JSON("POST", "/admin/models", map[string]string{"slug": "posts", "name": "Posts"}, nil))
	type received struct{ event, signature, body string }
	got := make(chan received, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // an empty body fails the test
		got <- received{r.Header.Get("X-Service-Event"), r.Header.Get("webhook-signature"), string(body)}
	}))
	t.Cleanup(receiver.Close)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- listen(ctx, c, receiver.URL, []string{"entry.*"}) }()

	listeners := func() (n int) {
		var hooks []struct{ ID string }
		must.Do(t, c.JSON("GET", "/admin/webhooks", nil, &hooks))
		return len(hooks)
	}
	for deadline := time.Now().Add(time.Minute); listeners() == 0 && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	must.Do(t, c.JSON("POST", client.EntriesPath("posts"), map[string]string{"title": "Hello"}, nil))
	select {
	case r := <-got:
		if r.event != "entry.created" || r.signature == "" || r.body == "" {
			t.Errorf("the receiver got %+v", r)
		}
	case <-time.After(time.Minute):
		t.Error("the receiver got nothing")
	}
	stop()
	if err := <-done; err != nil || listeners() != 0 {
		t.Errorf("the end: %v, %d listeners", err, listeners())
	}
}
