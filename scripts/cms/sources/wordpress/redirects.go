package wordpress

import (
	"net/url"
	"strings"

	"headless/pkg/cms"
	"headless/scripts/cms/sources"
)

// redirects adds redirects from the old URLs of posts and files to their new ones. It does so for
// published posts whose model has a URL template, and for files and their pages.
func (w *reader) redirects() {
	base, err := url.Parse(w.base)
	if err != nil {
		w.site.Note("redirects", "the address of the site is none: %s", w.base)
		return
	}
	for _, e := range w.site.Entries {
		link := w.links[e]
		if link == "" || e.Status != string(cms.StatusPublished) {
			continue
		}
		m := w.site.ModelOf(e.Model)
		if m.URL == "" {
			w.site.Note("redirects to "+m.Slug, "the model has no url: set it and import again")
			continue
		}
		locale := e.Locale
		if !m.Localized {
			locale = w.target.DefaultLocale
		}
		w.redirect(base, e.Source, link, m.PathOf(w.target.DefaultLocale,
			cms.Place{ID: e.ID, Locale: locale, Slug: e.Slug, Day: cms.At(e.PublishedAt).Day()}))
	}
	for _, it := range w.items {
		if f := w.files[it.ID]; it.Type == "attachment" && f != nil {
			for _, from := range []string{it.Attachment, it.Link} {
				w.redirect(base, f.Source, from, sources.Placeholder(f.ID))
			}
		}
	}
}

// redirect adds a redirect, unless the URL is on another host or its path stays the same.
func (w *reader) redirect(base *url.URL, source, link, to string) {
	u, err := url.Parse(link)
	if link == "" || err == nil && u.Host != base.Host {
		return
	}
	if err != nil || u.RawQuery != "" || strings.Trim(u.Path, "/") == "" {
		w.site.Note(source, "its address %s is no path of its own and gets no redirect", link)
		return
	}
	if from := u.EscapedPath(); strings.TrimSuffix(from, "/") != strings.TrimSuffix(to, "/") {
		w.site.Redirects = append(w.site.Redirects, sources.Redirect{From: from, To: to})
	}
}
