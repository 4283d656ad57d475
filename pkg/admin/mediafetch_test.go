package admin_test

import (
	"context"
	"image"
	"image/png"
	"strings"
	"testing"

	"headless/pkg/hooks/webhook"
	"headless/pkg/must"
)

// TestFetchPicture stores the picture at an address, and nothing else. It asks no address for who may
// not upload files.
func TestFetchPicture(t *testing.T) {
	s := newSite(t)
	var picture strings.Builder
	must.Do(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 4, 3))))
	var asked []string
	outside := webhook.NewClient(webhook.Policy{}, webhook.Options{})
	s.on.Grants.Fetch = func(ctx context.Context, address string, limit int64) ([]byte, error) {
		switch asked = append(asked, address); address {
		case "https://example.com/doc/AbC", "https://example.com/":
			return []byte(picture.String()), nil
		case "https://example.com/page":
			return []byte("<!doctype html><p>Sign in"), nil
		}
		return outside.Fetch(ctx, address, limit)
	}
	c := s.as(t, adminEmail)
	fetch := func(c client, status int, address string) answer {
		return c.must(t, status, "POST", "/media/fetch", map[string]any{"url": address, "alt": "A garden"})
	}
	for address, name := range map[string]string{"https://example.com/doc/AbC": "AbC.png",
		"https://example.com/": "pasted.png"} {
		a := fetch(c, 201, address)
		if a.text(t, "name") != name || a.text(t, "mime") != "image/png" || a.text(t, "alt") != "A garden" {
			t.Errorf("%s became %s", address, a.Body)
		}
	}
	if a := fetch(c, 422, "https://example.com/page"); !contains(a, "There is no picture at this address.") {
		t.Errorf("a page: %s", a.Body)
	}
	if a := fetch(c, 422, "https://10.0.0.1/x.png"); !contains(a,
		`"The picture was not read. The URL leads to an address that is not allowed."`) {
		t.Errorf("a private address: %s", a.Body)
	}
	asked = nil
	if fetch(s.newUser(t, "viewer"), 403, "https://example.com/"); asked != nil {
		t.Errorf("a viewer had %s read", asked)
	}
}
