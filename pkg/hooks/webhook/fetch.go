package webhook

import (
	"context"
	"io"
	"net/http"
)

// fetchError is a sentence that says why a file was not read.
type fetchError string

func (e fetchError) Error() string { return string(e) }

// Fetch reads the body at a URL, under the rules for URLs of webhooks: https, public IP addresses
// only, no redirects. A body of more than limit bytes is an error. The error's text is a sentence that
// may be shown to the user.
func (c *Client) Fetch(ctx context.Context, rawURL string, limit int64) ([]byte, error) {
	to, err := parseTarget(rawURL, c.policy)
	if err != nil {
		return nil, fetchError("The URL " + err.Error() + ".")
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, to.url.String(), nil)
	if err != nil {
		return nil, fetchError("The URL is not valid.")
	}
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		return nil, fetchError(failure(ctx, err).Err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fetchError("The URL answers with status " + resp.Status + ".")
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	switch {
	case err != nil:
		return nil, fetchError(failure(ctx, err).Err)
	case int64(len(body)) > limit:
		return nil, fetchError("The file is too large.")
	}
	return body, nil
}
