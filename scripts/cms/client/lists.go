package client

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
)

// Each calls use for every item of a list.
func (c *Client) Each(path string, q url.Values, use func(map[string]any) error) error {
	return c.Pages(path, q, func(items []map[string]any, _ int, _ string) error {
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
func (c *Client) Pages(path string, q url.Values, use func(items []map[string]any, total int,
	next string) error) error {
	for {
		q.Set("per_page", "100")
		a, err := c.Send(http.MethodGet, path+"?"+q.Encode(), "", nil)
		if err != nil {
			return err
		}
		var items []map[string]any
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

// EachOf calls use for every item of a list, decoded.
func EachOf[T any](c *Client, path string, q url.Values, use func(T) error) error {
	return c.Each(path, q, func(item map[string]any) error {
		raw, err := json.Marshal(item)
		if err != nil {
			return err
		}
		var one T
		if err := json.Unmarshal(raw, &one); err != nil {
			return err
		}
		return use(one)
	})
}

// Decode decodes JSON and keeps all digits of numbers.
func Decode(raw []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return dec.Decode(into)
}
