package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"sync"
	"time"
)

// stored is an entry as the API shows it.
type stored struct {
	ID string `json:"id"`
	entry
}

// find reads the entry with the locale and slug of e.
func (o *options) find(ctx context.Context, c *client, e *entry) (*stored, error) {
	path := "/" + url.PathEscape(o.model) + "/" + e.Slug
	if e.Locale != "" {
		path += "?locale=" + url.QueryEscape(e.Locale)
	}
	a, err := c.call(ctx, "GET", path, nil)
	if err != nil {
		return nil, err
	}
	var s stored
	d := json.NewDecoder(bytes.NewReader(a.Data))
	d.UseNumber()
	return &s, d.Decode(&s)
}

// difference describes how the stored entry differs from the record; nil if they are equal.
func (e *entry) difference(s *stored) error {
	switch {
	case s.Title != e.Title:
		return fmt.Errorf("title is %q, not %q", s.Title, e.Title)
	case s.Status != e.Status:
		return fmt.Errorf("status is %s, not %s", s.Status, e.Status)
	case e.Locale != "" && s.Locale != e.Locale:
		return fmt.Errorf("locale is %s, not %s", s.Locale, e.Locale)
	case s.Slug != e.Slug:
		return fmt.Errorf("slug is %s, not %s", s.Slug, e.Slug)
	case !reflect.DeepEqual(s.SEO, e.SEO):
		return fmt.Errorf("seo is %v, not %v", s.SEO, e.SEO)
	}
	for name, v := range e.Data {
		if !reflect.DeepEqual(s.Data[name], v) {
			return fmt.Errorf("data.%s differs", name)
		}
	}
	for name, v := range s.Data {
		if _, ok := e.Data[name]; !ok && v != nil {
			return fmt.Errorf("data.%s is set", name)
		}
	}
	return nil
}

// verify reads every record back by its slug. Then it reads all lists, which must have each record
// exactly once.
func verify(ctx context.Context, c *client, o options, out io.Writer) error {
	s := &summary{out: out, started: time.Now()}
	var mu sync.Mutex
	listed := map[string]int{}       // how often each entry was listed, by id
	locales := map[string]struct{}{} // of the records
	stop := s.progress("compared")
	err := o.each(ctx, s, func(ctx context.Context, e *entry) error {
		found, err := o.find(ctx, c, e)
		if err != nil {
			return err
		}
		if err := e.difference(found); err != nil {
			return err
		}
		s.same.Add(1)
		mu.Lock()
		listed[found.ID], locales[found.Locale] = 0, struct{}{}
		mu.Unlock()
		return nil
	})
	stop()
	if err != nil {
		return err
	}
	others := 0
	for locale := range locales {
		n, err := o.walk(ctx, c, locale, listed)
		if err != nil {
			return fmt.Errorf("listing %s: %w", locale, err)
		}
		others += n
	}
	wrong := 0
	for id, times := range listed {
		if times != 1 {
			wrong++
			fmt.Fprintf(out, "%s is listed %d times\n", id, times)
		}
	}
	fmt.Fprintf(out,
		"%d records in %.1f s: %d identical, %d not; lists of %d locales hold them once each, but for "+
			"%d, and %d other entries\n",
		s.done(), time.Since(s.started).Seconds(), s.same.Load(), s.failed.Load(), len(locales),
		wrong, others)
	if s.failed.Load() > 0 || wrong > 0 {
		return errors.New("the stored entries differ from the file")
	}
	return nil
}

// walk lists a locale by cursor, counts how often each entry is listed, and returns the number of
// listed entries that are not in listed.
func (o *options) walk(ctx context.Context, c *client, locale string,
	listed map[string]int) (others int, err error) {
	query := url.Values{"filter[locale]": {locale}, "per_page": {"100"}, "fields": {"id"}}
	if o.setup { // its key can read every status
		query.Set("filter[status]", "any")
	}
	for {
		a, err := c.call(ctx, "GET", "/"+url.PathEscape(o.model)+"?"+query.Encode(), nil)
		if err != nil {
			return others, err
		}
		var page []stored
		if err := json.Unmarshal(a.Data, &page); err != nil {
			return others, err
		}
		for _, e := range page {
			if _, ok := listed[e.ID]; !ok {
				others++
				continue
			}
			listed[e.ID]++
		}
		if a.Meta.NextCursor == nil {
			return others, nil
		}
		query.Set("cursor", *a.Meta.NextCursor)
	}
}
