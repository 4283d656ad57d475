package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"golang.org/x/text/language"
)

// entry is a record in the form of the API.
type entry struct {
	Locale string            `json:"locale,omitempty"`
	Slug   string            `json:"slug"`
	Title  string            `json:"title"`
	Status string            `json:"status"`
	SEO    map[string]string `json:"seo"`
	Data   map[string]any    `json:"data"`

	line int
}

// mapping maps the keys of a record to keys of an entry. Keys that are not in it have a default.
type mapping map[string]string

func (m mapping) set(list string) error {
	for _, pair := range strings.Split(list, ",") {
		from, to, ok := strings.Cut(pair, "=")
		switch {
		case !ok || from == "":
			return fmt.Errorf("%q is not from=to", pair)
		case to == "-", to == "locale", to == "slug", to == "title", to == "status",
			to == "seo.title", to == "seo.description", strings.HasPrefix(to, "data."):
			m[from] = to
		default:
			return fmt.Errorf("an entry has no key %q", to)
		}
	}
	return nil
}

func (m mapping) target(key string) string {
	if to, ok := m[key]; ok {
		return to
	}
	switch key {
	case "locale", "slug", "title", "status":
		return key
	case "description":
		return "seo.description"
	}
	return "data." + strings.ToLower(notName.ReplaceAllString(key, "_"))
}

var (
	notName = regexp.MustCompile(`[^A-Za-z0-9_]+`)
	notSlug = regexp.MustCompile(`[^a-z0-9]+`)
)

// entry converts a record. Null counts as missing.
func (m mapping) entry(record map[string]any, status string) (*entry, error) {
	e := &entry{Status: status, SEO: map[string]string{"title": "", "description": ""},
		Data: map[string]any{}}
	texts := map[string]*string{"locale": &e.Locale, "slug": &e.Slug, "title": &e.Title, "status": &e.Status}
	for key, v := range record {
		to := m.target(key)
		if v == nil || to == "-" {
			continue
		}
		if name, ok := strings.CutPrefix(to, "data."); ok {
			e.Data[name] = v
			continue
		}
		text, ok := v.(string)
		if !ok {
			return nil, fmt.Errorf("%s must be a text", key)
		}
		if name, ok := strings.CutPrefix(to, "seo."); ok {
			e.SEO[name] = text
		} else {
			*texts[to] = text
		}
	}
	if tag, err := language.Parse(e.Locale); err == nil {
		e.Locale = tag.String() // zh-cn is zh-CN
	}
	e.Slug = strings.Trim(notSlug.ReplaceAllString(strings.ToLower(e.Slug), "-"), "-")
	if e.Slug == "" {
		return nil, fmt.Errorf("has no slug")
	}
	return e, nil
}

// read sends the entries of a file to a channel until ctx ends. Bad lines are reported by line
// number and skipped.
func (o *options) read(ctx context.Context, bad func(line int, err error), to chan<- *entry) error {
	defer close(to)
	f, err := os.Open(o.file)
	if err != nil {
		return err
	}
	defer f.Close()
	lines, err := plain(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			if e, err := o.parse(line); err != nil {
				bad(n, err)
			} else {
				e.line = n
				select {
				case to <- e:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (o *options) parse(line []byte) (*entry, error) {
	var record map[string]any
	d := json.NewDecoder(strings.NewReader(string(line)))
	d.UseNumber()
	if err := d.Decode(&record); err != nil {
		return nil, err
	}
	return o.mapping.entry(record, o.status)
}

// plain decompresses input that starts like gzip.
func plain(r *bufio.Reader) (*bufio.Reader, error) {
	if magic, err := r.Peek(2); err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return r, nil
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(z, 1<<20), nil
}
