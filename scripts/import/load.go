package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// summary counts the results of the records.
type summary struct {
	created, same, updated, failed atomic.Int64
	// The latest records existed already, so look before creating.
	resuming atomic.Bool

	mu      sync.Mutex
	out     io.Writer
	started time.Time
}

func (s *summary) done() int64 {
	return s.created.Load() + s.same.Load() + s.updated.Load() + s.failed.Load()
}

// fail reports a failed record, up to the first hundred.
func (s *summary) fail(line int, err error) {
	if s.failed.Add(1) > 100 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, "line %d: %v\n", line, err)
}

func (s *summary) rate() float64 { return float64(s.done()) / time.Since(s.started).Seconds() }

// progress prints a line every two seconds until the returned function is called.
func (s *summary) progress(verb string) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(2 * time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				s.mu.Lock()
				fmt.Fprintf(s.out, "%d %s, %d failed, %.0f a second\n", s.done(), verb,
					s.failed.Load(), s.rate())
				s.mu.Unlock()
			}
		}
	}()
	return func() { cancel(); <-ended }
}

// each reads the file and runs work on its entries, o.parallel at a time.
func (o *options) each(ctx context.Context, s *summary, work func(context.Context, *entry) error) error {
	entries := make(chan *entry, 4*o.parallel)
	read := make(chan error, 1)
	go func() { read <- o.read(ctx, s.fail, entries) }()
	var workers sync.WaitGroup
	for range o.parallel {
		workers.Go(func() {
			for e := range entries {
				if err := work(ctx, e); err != nil && ctx.Err() == nil {
					s.fail(e.line, fmt.Errorf("%s %s: %w", e.Locale, e.Slug, err))
				}
			}
		})
	}
	workers.Wait()
	return errors.Join(<-read, ctx.Err())
}

// load creates an entry for each record.
func load(ctx context.Context, c *client, o options, out io.Writer) error {
	s := &summary{out: out, started: time.Now()}
	stop := s.progress("loaded")
	err := o.each(ctx, s, func(ctx context.Context, e *entry) error { return o.loadOne(ctx, c, s, e) })
	stop()
	fmt.Fprintf(out, "%d records in %.1f s: %d created, %d already there, %d updated, %d failed\n",
		s.done(), time.Since(s.started).Seconds(), s.created.Load(), s.same.Load(),
		s.updated.Load(), s.failed.Load())
	if n := s.failed.Load(); err == nil && n > 0 {
		return fmt.Errorf("%d records failed", n)
	}
	return err
}

// loadOne ensures that the entry exists. An existing entry with the same locale and slug is
// compared, since an earlier run may have created it.
func (o *options) loadOne(ctx context.Context, c *client, s *summary, e *entry) error {
	var found *stored
	var err error
	if s.resuming.Load() {
		found, err = o.find(ctx, c, e)
		if hasCode(err, "ENTRY_NOT_FOUND") {
			s.resuming.Store(false)
			found, err = nil, nil
		}
		if err != nil {
			return err
		}
	}
	if found == nil {
		_, err := c.call(ctx, "POST", "/"+url.PathEscape(o.model), e)
		if err == nil {
			s.created.Add(1)
			return nil
		}
		if !hasCode(err, "SLUG_CONFLICT") {
			return err
		}
		s.resuming.Store(true)
		if found, err = o.find(ctx, c, e); err != nil {
			return fmt.Errorf("the slug is taken: %w", err)
		}
	}
	difference := e.difference(found)
	switch {
	case difference == nil:
		s.same.Add(1)
		return nil
	case !o.update:
		return fmt.Errorf("an entry with this slug differs (-update changes it): %w", difference)
	}
	if _, err := c.call(ctx, "PUT", "/"+url.PathEscape(o.model)+"/"+found.ID, e); err != nil {
		return err
	}
	s.updated.Add(1)
	return nil
}

func hasCode(err error, code string) bool {
	var refused *apiError
	return errors.As(err, &refused) && refused.Code == code
}
