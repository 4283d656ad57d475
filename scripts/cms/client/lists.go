package client

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
)

// Each calls use for every item of a list.
func Each[T any](c *Client, path string, q url.Values, use func(T) error) error {
	return Pages(c, path, q, func(items []T, _ int, _ string) error {
		for _, item := range items {
			if err := use(item); err != nil {
				return err
			}
		}
		return nil
	})
}

// Pages calls use for every page of a list, with the number of items of the whole list and the
// cursor of the next page.
func Pages[T any](c *Client, path string, q url.Values, use func(items []T, total int, next string) error) error {
	for {
		q.Set("per_page", "100")
		a, err := c.Send(http.MethodGet, path+"?"+q.Encode(), "", nil)
		if err != nil {
			return err
		}
		var items []T
		var meta struct {
			NextCursor string `json:"next_cursor"`
			Total      int    `json:"total"`
		}
		if err := Decode(a.Data, &items); err != nil {
			return err
		}
		if err := json.Unmarshal(a.Meta, &meta); err != nil {
			return err
		}
		if err := use(items, meta.Total, meta.NextCursor); err != nil {
			return err
		}
		if len(items) == 0 || meta.NextCursor == "" {
			return nil
		}
		q.Set("cursor", meta.NextCursor)
	}
}

// Decode decodes JSON and keeps all digits of numbers.
func Decode(raw []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return dec.Decode(into)
}
