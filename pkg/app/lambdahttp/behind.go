package lambdahttp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
)

// ServeAndFlush does the same as Serve, with two functions that cost the client no time: prepare
// runs once before the first event, and flush runs once after each response. Lambda freezes a
// function after its response unless an extension is still working, so the process registers itself
// as an extension. If that is not possible (in an emulator without the Extensions API), flush runs
// before the response. flush gets a context that ends shortly before the invocation must be over.
func ServeAndFlush(h http.Handler, prepare func(), flush func(context.Context)) {
	handler := flushing{Handler: New(h), flush: flush}
	var e extension
	var err error
	var registering sync.WaitGroup
	registering.Go(func() { e, err = register(os.Getenv("AWS_LAMBDA_RUNTIME_API")) }) // in parallel with prepare
	prepare()
	registering.Wait()
	if err == nil {
		handler.answered = make(chan struct{}, 1)
		go e.runFlushes(handler.answered, flush)
	}
	lambda.Start(handler)
}

// flushing is a Handler that ensures that flush runs once for each event.
type flushing struct {
	Handler
	flush    func(context.Context)
	answered chan struct{} // receives a value after each event; nil without an extension
}

// Invoke answers one event.
func (f flushing) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	out, err := f.Handler.Invoke(ctx, payload)
	if f.answered == nil {
		f.flush(ctx)
	} else {
		f.answered <- struct{}{}
	}
	return out, err
}

// extension is this process in its role as a Lambda extension (Lambda Extensions API).
type extension struct {
	next string // URL of the call that waits for the next event
	id   string
}

const extensionName = "headless-behind"

// stopMs is how many milliseconds before the end of an invocation a flush is stopped: after the end, Lambda
// counts an error and begins the next event with a cold start.
const stopMs = 300

// register registers the extension. Call it before the runtime requests its first event.
func register(runtimeAPI string) (extension, error) {
	base := "http://" + runtimeAPI + "/2020-01-01/extension/"
	req, err := http.NewRequest(http.MethodPost, base+"register", strings.NewReader(`{"events":["INVOKE"]}`))
	if err != nil {
		return extension{}, err
	}
	req.Header.Set("Lambda-Extension-Name", extensionName)
	client := http.Client{Timeout: time.Second}
	resp, err := client.Do(req)
	if err != nil {
		return extension{}, err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body) // so that the connection is reused
	id := resp.Header.Get("Lambda-Extension-Identifier")
	if resp.StatusCode != http.StatusOK || id == "" {
		return extension{}, fmt.Errorf("lambdahttp: registering as an extension: %s", resp.Status)
	}
	return extension{next: base + "event/next", id: id}, nil
}

// runFlushes flushes after each response, until the environment ends. Requesting the next event tells
// Lambda that it may freeze the function.
func (e extension) runFlushes(answered <-chan struct{}, flush func(context.Context)) {
	for {
		deadline, err := e.wait()
		if err != nil {
			// If the extension has failed, the function may be frozen in the middle of a flush,
			// which then continues at the next event.
			deadline = time.Now().Add(time.Second)
		}
		<-answered
		ctx, cancel := context.WithDeadline(context.Background(), deadline)
		flush(ctx)
		cancel()
	}
}

// wait returns when the next event has arrived, with the time at which a flush is stopped.
func (e extension) wait() (time.Time, error) {
	req, err := http.NewRequest(http.MethodGet, e.next, nil)
	if err != nil {
		return time.Time{}, err
	}
	req.Header.Set("Lambda-Extension-Identifier", e.id)
	resp, err := http.DefaultClient.Do(req) // no time limit: the environment may stay frozen for long
	if err != nil {
		return time.Time{}, err
	}
	defer resp.Body.Close()
	var event struct {
		DeadlineMs int64 `json:"deadlineMs"`
	}
	err = json.NewDecoder(io.LimitReader(resp.Body, 64<<10)).Decode(&event)
	return time.UnixMilli(event.DeadlineMs - stopMs), err
}
