package client

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"headless/pkg/cms"
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

// perPage is the number of items of a page of a list, at first.
const perPage = 100

// Pages calls use for every page of a list, with the number of items of the whole list and the
// cursor of the next page. Where the items of a page are too large for one answer, pages get smaller.
func Pages[T any](c *Client, path string, q url.Values, use func(items []T, total int, next string) error) error {
	for size := perPage; ; {
		q.Set("per_page", strconv.Itoa(size))
		a, err := c.Send(http.MethodGet, path+"?"+q.Encode(), "", nil)
		if size > 1 && !q.Has("page") && hasCode(err, "PAYLOAD_TOO_LARGE") {
			size /= 2 // a cursor is of use for any size, the number of a page is not
			continue
		}
		if err != nil {
			return err
		}
		var items []T
		var meta struct {
			NextCursor string `json:"next_cursor"`
			Total      int    `json:"total"`
		}
		if err := cms.Unmarshal(a.Data, &items); err != nil {
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

// EntriesPath returns the path of the entries of a model in the admin area.
func EntriesPath(model string) string { return "/admin/models/" + url.PathEscape(model) + "/entries" }

// EntryPath returns the path of an entry in the admin area.
func EntryPath(model, id string) string { return EntriesPath(model) + "/" + url.PathEscape(id) }
