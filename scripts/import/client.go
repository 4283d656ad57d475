package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// client calls one side of the service. If the service requires a delay, all requests wait.
type client struct {
	base   string
	http   *http.Client
	header http.Header

	mu    sync.Mutex
	until time.Time // no requests before this time
}

func newClient(base string, parallel int) *client {
	return &client{
		base: base, header: http.Header{},
		http: &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: parallel}},
	}
}

// apiError is the error in a response.
type apiError struct {
	Status  int                 `json:"-"`
	Code    string              `json:"code"`
	Message string              `json:"message"`
	Details map[string][]string `json:"details"`
}

func (e *apiError) Error() string {
	s := fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message)
	for _, path := range slices.Sorted(maps.Keys(e.Details)) {
		s += fmt.Sprintf(" %s %s;", path, strings.Join(e.Details[path], ", "))
	}
	return s
}

// answer is a response in the envelope of the service.
type answer struct {
	Data json.RawMessage `json:"data"`
	Meta struct {
		Total      int     `json:"total"`
		NextCursor *string `json:"next_cursor"`
	} `json:"meta"`
	Error *apiError `json:"error"`
}

// attempts is the maximum number of attempts of a request; the delays between them add up to some
// minutes.
const attempts = 12

// call sends a request and returns the response, or an *apiError. After temporary failures of the
// service or the network, it waits and retries.
func (c *client) call(ctx context.Context, method, path string, body any) (answer, error) {
	sent, err := json.Marshal(body)
	if err != nil {
		return answer{}, err
	}
	for n := 1; ; n++ {
		if err := c.pause(ctx); err != nil {
			return answer{}, err
		}
		a, wait, err := c.attempt(ctx, method, path, body != nil, sent)
		if wait == 0 || n == attempts || ctx.Err() != nil {
			return a, err
		}
		c.hold(max(wait, min(time.Duration(1<<n)*50*time.Millisecond, 20*time.Second)))
	}
}

// attempt sends a request. A wait above zero means that the caller should retry after it.
func (c *client) attempt(ctx context.Context, method, path string, hasBody bool,
	sent []byte) (a answer, wait time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(sent))
	if err != nil {
		return a, 0, err
	}
	req.Header = c.header.Clone()
	req.Header.Set("Accept", "application/json")
	if hasBody {
		req.Header.Set("Content-Type", "application/json")
	} else {
		req.Body, req.ContentLength = nil, 0
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return a, time.Millisecond, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return a, time.Millisecond, err
	}
	if resp.StatusCode == http.StatusNoContent {
		return a, 0, nil
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		a.Error = &apiError{Message: "the response is not JSON"}
	}
	if resp.StatusCode < 300 && a.Error == nil {
		return a, 0, nil
	}
	if a.Error == nil {
		a.Error = &apiError{}
	}
	a.Error.Status = resp.StatusCode
	return a, retryAfter(resp), a.Error
}

// retryAfter returns the delay before a retry, zero if a retry does not help.
func retryAfter(resp *http.Response) time.Duration {
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable,
		http.StatusGatewayTimeout:
		seconds, err := strconv.Atoi(resp.Header.Get("Retry-After"))
		if err != nil || seconds < 1 {
			return time.Millisecond
		}
		return time.Duration(seconds) * time.Second
	}
	return 0
}

func (c *client) hold(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if until := time.Now().Add(d); until.After(c.until) {
		c.until = until
	}
}

func (c *client) pause(ctx context.Context) error {
	c.mu.Lock()
	d := time.Until(c.until)
	c.mu.Unlock()
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
