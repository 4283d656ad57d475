package lambdahttp

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"headless/pkg/must"
)

func TestFlushRunsBehindTheAnswer(t *testing.T) {
	events := make(chan struct{})
	over := time.Now().Add(time.Minute)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /2020-01-01/extension/register", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Lambda-Extension-Name") == "" {
			t.Error("no name")
		}
		w.Header().Set("Lambda-Extension-Identifier", "x1")
	})
	mux.HandleFunc("GET /2020-01-01/extension/event/next", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Lambda-Extension-Identifier") != "x1" {
			t.Error("no identifier")
		}
		<-events
		json.NewEncoder(w).Encode(map[string]any{"eventType": "INVOKE",
			"deadlineMs": over.UnixMilli()})
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	defer close(events) // the extension asks for one event more, which Close would wait for
	e, err := register(strings.TrimPrefix(server.URL, "http://"))
	must.Do(t, err)
	flushed := make(chan bool)
	f := flushing{Handler: New(http.NotFoundHandler()), answered: make(chan struct{}, 1)}
	f.flush = func(ctx context.Context) {
		end, limited := ctx.Deadline()
		flushed <- limited && end.Before(over.Add(-stopMs/2*time.Millisecond)) // at the end it is a timeout for Lambda
	}
	go e.runFlushes(f.answered, f.flush)
	for range 3 {
		events <- struct{}{}
		// flushed is read only after the answer is there: a flush before it would block here for
		// ever.
		if _, err := f.Invoke(context.Background(), []byte(httpAPI)); err != nil {
			t.Fatal(err)
		}
		if !<-flushed {
			t.Error("flush does not end before the invocation must")
		}
	}
}

func TestWithoutExtensionsFlushRunsBeforeTheAnswer(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	if _, err := register(strings.TrimPrefix(server.URL, "http://")); err == nil {
		t.Fatal("registered where there is no such API")
	}
	count := 0
	f := flushing{Handler: New(http.NotFoundHandler()), flush: func(context.Context) { count++ }}
	for want := 1; want <= 2; want++ {
		if _, err := f.Invoke(context.Background(), []byte(httpAPI)); err != nil || count != want {
			t.Errorf("%d flushes, %v", count, err)
		}
	}
}
