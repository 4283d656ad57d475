package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v3"

	"headless/pkg/cms"
	"headless/scripts/cms/command"
	"headless/scripts/cms/sources"
)

// splitFrontMatter splits a file into its front matter and its body.
func splitFrontMatter(text []byte) (front map[string]any, body string, err error) {
	text = bytes.ReplaceAll(command.WithoutMark(text), []byte("\r\n"), []byte("\n"))
	front = map[string]any{}
	for _, fence := range []string{"---", "+++"} {
		rest, ok := bytes.CutPrefix(text, []byte(fence+"\n"))
		if !ok {
			continue
		}
		head, after, closed := bytes.Cut(append([]byte("\n"), rest...), []byte("\n"+fence))
		if !closed {
			return nil, "", fmt.Errorf("%s is never closed", fence)
		}
		if fence == "---" {
			err = yaml.Unmarshal(head, &front)
		} else {
			err = toml.Unmarshal(head, &front)
		}
		return front, strings.TrimSpace(string(after)), err
	}
	return front, strings.TrimSpace(string(text)), nil
}

// setColumn sets a key that every entry has, such as title, from front matter. It returns false if
// the key may be a field of the model instead.
func setColumn(e *sources.Entry, key string, v any) bool {
	switch key {
	case "title":
		e.Title = fmt.Sprint(v)
	case "slug":
		e.Slug = strings.Trim(fmt.Sprint(v), "/")
	case "draft":
		if v == true {
			e.Status = string(cms.StatusDraft)
		}
	case "status":
		e.Status = fmt.Sprint(v)
	case "date", "published", "publishDate", "pubDate", "pubDatetime", "publishedAt", "published_at":
		at, ok := frontTime(v)
		if ok {
			e.PublishedAt = at
		}
		return ok
	case "updated", "updatedDate", "lastmod", "lastUpdated", "modified", "updatedAt", "updated_at":
		at, ok := frontTime(v)
		if ok {
			e.UpdatedAt = at
		}
		return ok
	case "seo":
		seo, ok := v.(map[string]any)
		if ok {
			e.SEO = seo
		}
		return ok
	default:
		return false
	}
	return true
}

// frontTime reads a time of front matter.
func frontTime(v any) (time.Time, bool) {
	switch v := v.(type) {
	case time.Time:
		return v, true
	case string:
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05",
			"2006-01-02", "January 2, 2006", "Jan 2, 2006", "Jan 2 2006", "Jan 02 2006"} {
			if at, err := time.Parse(layout, v); err == nil {
				return at, true
			}
		}
	}
	return time.Time{}, false
}
