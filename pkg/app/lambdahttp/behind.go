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

// ServeAndFlush is Serve with a function that runs once before the first event, and one that runs
// once behind each answer: what they do costs the client no time. Lambda freezes a function as soon
// as it has answered, unless an extension is still at work; so the process registers itself as one.
// Where that is not possible (an emulator without the Extensions API), flush runs before the
// answer. Flush gets a context that ends when the invocation must be over.
func ServeAndFlush(h http.Handler, prepare func(), flush func(context.Context)) {
	handler := flushing{Handler: New(h), flush: flush}
	var e extension
	var err error
	var registering sync.WaitGroup
	registering.Go(func() { e, err = register(os.Getenv("AWS_LAMBDA_RUNTIME_API")) }) // while prepare waits
	prepare()
	registering.Wait()
	if err == nil {
		handler.answered = make(chan struct{}, 1)
		go e.run(handler.answered, flush)
	}
	lambda.Start(handler)
}

// flushing is a Handler that sees to it that flush runs once for each event.
type flushing struct {
	Handler
	flush    func(context.Context)
	answered chan struct{} // told after each event; nil without an extension
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

// extension is this process in its second role (Lambda Extensions API).
type extension struct {
	next string // address of the call that waits for the next event
	id   string
}

const extensionName = "headless-behind"

// register must be called before the runtime asks for its first event.
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
	_, _ = io.Copy(io.Discard, resp.Body) // so that its connection serves again
	id := resp.Header.Get("Lambda-Extension-Identifier")
	if resp.StatusCode != http.StatusOK || id == "" {
		return extension{}, fmt.Errorf("lambdahttp: registering as an extension: %s", resp.Status)
	}
	return extension{next: base + "event/next", id: id}, nil
}

// run flushes behind each answer, until the environment ends. Asking for the next event tells
// Lambda that it may freeze the function.
func (e extension) run(answered <-chan struct{}, flush func(context.Context)) {
	for {
		deadline, err := e.wait()
		if err != nil {
			// Without the extension's role the function may be frozen in the middle of a flush,
			// which then goes on at the next event.
			deadline = time.Now().Add(time.Second)
		}
		<-answered
		ctx, cancel := context.WithDeadline(context.Background(), deadline)
		flush(ctx)
		cancel()
	}
}

// wait returns when the next event has come, with the time at which it must be done.
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
	if err := json.NewDecoder(io.LimitReader(resp.Body, 64<<10)).Decode(&event); err != nil {
		return time.Time{}, err
	}
	return time.UnixMilli(event.DeadlineMs), nil
}
