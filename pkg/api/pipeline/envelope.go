package pipeline

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/web"
)

// ETag returns the strong entity tag of a body.
func ETag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// StoredTag returns the entity tag of an answer with the references in its texts in their stored
// form. It changes only if the entry is saved.
func StoredTag(a Answer) (string, error) {
	if a.Stored != nil {
		a.Data = a.Stored
	}
	body, err := web.Envelope(a.Data, a.Meta)
	return ETag(body), err
}

// TagOf returns the entity tag of an answer. If its texts show references, it has the StoredTag
// before a dot, which If-Match compares.
func TagOf(a Answer) (string, error) {
	body, err := web.Envelope(a.Data, a.Meta)
	if err != nil {
		return "", err
	}
	return tagOfBody(a, body)
}

// tagOfBody is TagOf for an answer that is encoded as body.
func tagOfBody(a Answer, body []byte) (string, error) {
	if a.Stored == nil {
		return ETag(body), nil
	}
	stored, err := StoredTag(a)
	return strings.TrimSuffix(stored, `"`) + "." + strings.TrimPrefix(ETag(body), `"`), err
}

// MatchesStored evaluates If-Match for a StoredTag: what stands after the dot of a tag does not
// count.
func MatchesStored(headers []string, tag string) bool {
	stored := make([]string, 0, len(headers))
	for part := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		if before, _, ok := strings.Cut(strings.TrimSpace(part), "."); ok {
			part = before + `"`
		}
		stored = append(stored, part)
	}
	return web.MatchesTag(stored, tag, false)
}

// writeAnswer sends the answer or the error. The body is complete before the first header is sent.
func (c *Call) writeAnswer(answer Answer, err error) {
	h := c.W.Header()
	var body []byte
	var tag string
	contentType := web.JSON
	if err == nil {
		switch {
		case answer.Raw != nil:
			body, contentType = answer.Raw, answer.RawType
		case answer.Status == http.StatusNoContent:
			contentType = ""
		default:
			body, err = c.envelope(answer)
		}
		if err == nil && len(body) > web.MaxAnswer {
			err = web.ErrAnswerTooLarge
		}
		if err == nil && c.IsRead() {
			tag, err = tagOfBody(answer, body)
		}
	}
	if err != nil {
		e := c.Fail(c.a.log, err)
		contentType = web.JSON
		answer = Answer{Status: web.StatusOf(e.Code), tags: answer.tags}
		if e.Code == cms.CodeEntryNotFound {
			answer.tags.Model(c.R.PathValue("model"))
		}
		body = web.ErrorEnvelope(e)
	}
	maps.Copy(h, answer.Header)
	setTags(h, answer.tags)
	if answer.Vary != "" {
		h.Add("Vary", answer.Vary)
	}
	status := cmp.Or(answer.Status, http.StatusOK)
	if err == nil && c.IsRead() && status == http.StatusOK {
		h.Set("ETag", tag)
		if h.Get("Cache-Control") == "" {
			h.Set("Cache-Control", c.cacheControl())
		}
		if web.MatchesTag(c.R.Header.Values("If-None-Match"), tag, true) {
			web.NotModified(c.R.Header, h, contentType, len(body))
			status, contentType = http.StatusNotModified, ""
		}
	} else if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	c.Send(status, contentType, body)
}

// cacheControl returns the Cache-Control header of an answer that clients may store and revalidate.
// Answers to requests with a key are private.
func (c *Call) cacheControl() string {
	if c.Key != nil {
		return "private, no-cache"
	}
	return "no-cache"
}

// envelope encodes a successful answer. It adds the names of ignored parameters, and the URL of the
// next page of a list.
func (c *Call) envelope(answer Answer) ([]byte, error) {
	meta := answer.Meta
	if c.route != nil {
		known := c.route.Params
		if answer.Params != nil {
			known = answer.Params
		}
		var err error
		if meta, err = metaWith(meta, ignoredParameters(c.R.URL.RawQuery, known)); err != nil {
			return nil, err
		}
	}
	meta, err := WithPreview(meta, answer.Preview)
	if err != nil {
		return nil, err
	}
	if list, ok := answer.Meta.(ListMeta); ok && list.NextCursor != nil && c.IsRead() {
		c.W.Header().Set("Link", "<"+c.nextPage(*list.NextCursor)+`>; rel="next"`)
	}
	return web.Envelope(answer.Data, meta)
}

// nextPage returns the URL of the page at a cursor, with all other parameters of this request.
func (c *Call) nextPage(cursor string) string {
	q := c.R.URL.Query()
	q.Del("page")
	q.Set("cursor", cursor)
	root := c.SiteURL()
	if root == "" {
		root = "https://" + c.R.Host
		if c.R.TLS == nil {
			root = "http://" + c.R.Host
		}
	}
	return strings.TrimSuffix(root, "/") + c.R.URL.EscapedPath() + "?" + q.Encode()
}

// ListMeta is the meta of a list.
type ListMeta struct {
	Page          int      `json:"page"`
	PerPage       int      `json:"per_page"`
	Total         int      `json:"total"`
	TotalRelation string   `json:"total_relation,omitempty"` // "estimate" if total is not exact
	NextCursor    *string  `json:"next_cursor"`
	Ignored       []string `json:"ignored,omitempty"` // parameters that the route does not support
	// RequestedLocale is the requested locale, if the request has fallback.
	RequestedLocale string `json:"requested_locale,omitempty"`
	// Sources has the addresses at which the texts of a preview are edited, by their JSON pointers.
	Sources map[string]string `json:"sources,omitzero"`
}

// MetaOf returns the meta of a page of a list.
func MetaOf[T any](p db.Page[T]) ListMeta {
	m := ListMeta{Page: p.Page, PerPage: p.PerPage, Total: p.Total}
	if p.Estimate {
		m.TotalRelation = "estimate"
	}
	if p.Next != "" {
		m.NextCursor = &p.Next
	}
	return m
}

// tagHeader requests the cache tags of an answer if its value is 1, and has them in the response
// (extensions §8).
const tagHeader = "X-Cache-Tags"

// setTags writes the cache tags of an answer.
func setTags(h http.Header, tags *cms.Tags) {
	if names := tags.Names(cms.MaxTags - 1); len(names) > 0 { // one less, since the delivery API adds the tag of the key
		h.Set(tagHeader, strings.Join(names, ","))
	}
}
