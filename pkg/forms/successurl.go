package forms

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/site"
)

// maxSuccessURL is the maximum length of an address, in bytes.
const maxSuccessURL = 2_000

// CheckSuccessURL adds a problem to p unless visitors may be sent to the form's success_url: a path, or
// an address of an origin of the site (extensions §16).
func (s *Store) CheckSuccessURL(ctx context.Context, p cms.Problems, now *site.Site, form *cms.Form) error {
	to := form.SuccessURL
	if to == "" || len(p["success_url"]) > 0 {
		return nil
	}
	if len(to) > maxSuccessURL {
		p.Add("success_url", "must have at most %d bytes", maxSuccessURL)
		return nil
	}
	if isPath(to) {
		return nil
	}
	origins, err := s.origins(ctx, now)
	if err == nil && !slices.Contains(origins, originOf(to)) {
		p.Add("success_url", "must be a path such as /thanks, or an address of an origin that the setting "+
			"site.url or the origins of a key name")
	}
	return err
}

// SuccessURL returns where a visitor goes after a submission, "" if nowhere. A path counts from the
// site that the submission came from, by its headers Origin or Referer, else from site.url.
func (s *Store) SuccessURL(ctx context.Context, now *site.Site, form *cms.Form, origin,
	referer string) (string, error) {
	if form.SuccessURL == "" {
		return "", nil
	}
	origins, err := s.origins(ctx, now)
	if err != nil {
		return "", err
	}
	if !isPath(form.SuccessURL) {
		if slices.Contains(origins, originOf(form.SuccessURL)) {
			return form.SuccessURL, nil
		}
		return "", nil // the origin was named when the form was saved, and is not any more
	}
	from := originOf(origin)
	if from == "" {
		from = originOf(referer)
	}
	if from == "" || !slices.Contains(origins, from) {
		from = originOf(now.URL())
	}
	if from == "" {
		return "", nil
	}
	return from + form.SuccessURL, nil
}

// origins returns the origins of the site: that of site.url, and those that keys name without patterns.
func (s *Store) origins(ctx context.Context, now *site.Site) (origins []string, err error) {
	if s.KeyOrigins != nil {
		if origins, err = s.KeyOrigins(ctx); err != nil {
			return nil, err
		}
	}
	for i := range origins {
		origins[i] = originOf(origins[i])
	}
	origins = slices.DeleteFunc(append(origins, originOf(now.URL())), func(o string) bool { return o == "" })
	return origins, nil
}

// isPath reports whether an address is a path on the same site.
func isPath(to string) bool {
	u, err := url.Parse(to)
	return err == nil && strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") && u.Host == "" &&
		isPlainAddress(to)
}

func isPlainAddress(to string) bool {
	return !strings.ContainsFunc(to, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f })
}

// originOf returns the origin of an http or https address, "" for anything else and for patterns.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil ||
		strings.Contains(u.Host, "*") || !isPlainAddress(address) {
		return ""
	}
	return u.Scheme + "://" + strings.ToLower(u.Host)
}
