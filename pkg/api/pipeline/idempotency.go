package pipeline

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"mime"
	"net/http"
	"time"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/web"
)

// Limits of requests with an Idempotency-Key (extensions §1).
const (
	maxOnceKey  = 255      // characters
	maxOnceBody = 32 << 20 // bytes of a body
	onceEnd     = 5 * time.Second
)

// kept are the headers that are stored with an answer.
var kept = []string{"Etag", "Location"}

// idempotent runs a POST with an Idempotency-Key. If there was a request with the same key,
// credentials and body, it returns the answer to the first one instead.
func (a *API) idempotent(c *Call, route Route) (Answer, error) {
	names := c.R.Header.Values("Idempotency-Key")
	if len(names) == 0 || c.R.Method != http.MethodPost || c.Key == nil {
		return a.runHandler(c, route)
	}
	if len(names) > 1 || names[0] == "" || !utf8.ValidString(names[0]) ||
		utf8.RuneCountInString(names[0]) > maxOnceKey {
		return Answer{},
			cms.Errorf(cms.CodeBadRequest, "Idempotency-Key must be a text of 1 to %d characters.", maxOnceKey)
	}
	print := &printed{sum: sha256.New(), body: c.R.Body, boundary: boundary(c.R)}
	// Writing to a hash never fails. The rights of the key are part of the request: an answer that was made for more
	// rights is not shown again.
	_, _ = fmt.Fprintln(print.sum, c.R.URL.Path+"?"+c.R.URL.RawQuery, c.IsAdmin(), c.Key.Models, c.Key.Locales)
	running, answer, err := a.keys.BeginOnce(c.Context(), c.Key.ID, names[0])
	switch {
	case errors.Is(err, db.ErrRunning):
		return Answer{},
			cms.Errorf(cms.CodeConflict, "The first request with this Idempotency-Key is still running. Try again in a moment.")
	case err != nil:
		return Answer{}, err
	case answer != nil:
		return replayAnswer(*answer, print)
	}
	running.Answer = func(made any) (*db.OnceAnswer, error) { return c.answerOf(route, print, made) }
	c.R = c.R.WithContext(running.Context(c.Context()))
	c.R.Body = print
	result, err := a.runHandler(c, route)
	return a.keepAnswer(c, running, print, result, err)
}

// replayAnswer returns the stored answer to the first request.
func replayAnswer(first db.OnceAnswer, print *printed) (Answer, error) {
	if sum, err := print.finishHash(); err != nil || sum != first.Print {
		problems := cms.Problems{}
		problems.Add("Idempotency-Key", "was already used for another request, or with other rights")
		return Answer{}, problems.Err()
	}
	header := http.Header{"Idempotency-Replayed": {"true"}}
	for name, v := range first.Header {
		header.Set(name, v)
	}
	return Answer{Status: first.Status, Raw: first.Body, RawType: "application/json; charset=utf-8",
		Header: header}, nil
}

// Created returns 201 with the result of a change.
func Created(_ *Call, v any) (Answer, error) { return Answer{Status: http.StatusCreated, Data: v}, nil }

// answerOf returns the answer to a first request whose change makes something, before the commit.
// An error says that the answer is only known after the commit, or that the table is unavailable.
func (c *Call) answerOf(route Route, print *printed, made any) (*db.OnceAnswer, error) {
	answer, err := route.Made(c, made)
	if err != nil {
		return nil, err
	}
	first, err := c.firstAnswer(print, answer)
	return &first, err
}

// firstAnswer returns the stored form of an answer.
func (c *Call) firstAnswer(print *printed, answer Answer) (first db.OnceAnswer, err error) {
	first = db.OnceAnswer{Status: answer.Status, Header: map[string]string{}}
	if first.Print, err = print.finishHash(); err != nil {
		return first, err
	}
	for _, name := range kept {
		if v := answer.Header.Get(name); v != "" {
			first.Header[name] = v
		}
	}
	first.Body, err = c.envelope(answer)
	return first, err
}

// keepAnswer stores the answer to a first request, unless it is a 5xx.
func (a *API) keepAnswer(c *Call, running *db.Once, print *printed, result Answer, failed error) (Answer, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Context()),
		onceEnd) // even if the client has disconnected
	defer cancel()
	var first db.OnceAnswer
	var err error
	if failed != nil {
		e := web.Safe(a.log, c.RequestID, failed)
		first.Status, first.Body = web.StatusOf(e.Code), web.ErrorEnvelope(e)
		first.Print, err = print.finishHash()
		failed = e
	} else {
		first, err = c.firstAnswer(print, result)
	}
	if err != nil || first.Status >= http.StatusInternalServerError ||
		first.Status == http.StatusTooManyRequests {
		err = running.Drop(ctx)
	} else {
		err = running.Keep(ctx, first)
	}
	if err != nil {
		a.log.Warn("an answer is not kept for its Idempotency-Key", "request_id", c.RequestID, "error", err.Error())
	}
	return result, failed
}

// boundary returns the boundary of a multipart body, "" of any other.
func boundary(r *http.Request) string {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		return ""
	}
	return params["boundary"]
}

// printed is a body that is hashed while it is read. The boundary of a multipart body is left out:
// most clients make another one for each attempt.
type printed struct {
	sum      hash.Hash
	body     io.ReadCloser
	boundary string
	begun    []byte // read, but not hashed: the boundary may have begun here
}

// Read reads from the body.
func (p *printed) Read(b []byte) (int, error) {
	n, err := p.body.Read(b)
	if p.boundary == "" {
		p.sum.Write(b[:n])
		return n, err
	}
	p.begun = append(p.begun, b[:n]...)
	for {
		before, after, found := bytes.Cut(p.begun, []byte(p.boundary))
		if !found {
			break
		}
		p.sum.Write(before)
		p.begun = after
	}
	if done := len(p.begun) - len(p.boundary) + 1; done > 0 {
		p.sum.Write(p.begun[:done])
		p.begun = p.begun[done:]
	}
	return n, err
}

// Close closes the body.
func (p *printed) Close() error { return p.body.Close() }

// finishHash reads the rest of the body and returns the hash.
func (p *printed) finishHash() (string, error) {
	_, err := io.Copy(io.Discard, io.LimitReader(p, maxOnceBody))
	p.sum.Write(p.begun)
	p.begun = nil
	return hex.EncodeToString(p.sum.Sum(nil)), err
}
