package api

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"headless/pkg/api/pipeline"
	"headless/pkg/assets/variant"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/links"
	"headless/pkg/links/preview"
	"headless/pkg/site"
	"headless/pkg/urls"
)

// resolveParams are the query parameters of GET /resolve.
var resolveParams = []string{"path", "include", "fields", "images", "richtext", "refs", "urls",
	"translations", "fallback", "preview", "source"}

var errNoPath = cms.Errorf(cms.CodeNotFound, "Nothing is at this path of the site.")

// resolve answers GET /resolve: with the redirect, the entry or the former URL at a path (extensions
// §13).
func (h entries) resolve(c *pipeline.Call) (pipeline.Answer, error) {
	c.Tags.Add(cms.TagPaths, cms.TagSchema, cms.TagSettings)
	path, err := urls.Clean(c.R.URL.Query().Get("path"))
	if err == nil {
		err = checkResolve(c)
	}
	if err != nil {
		return pipeline.Answer{}, err
	}
	f := &urls.Finder{Store: h.service.Store, Site: c.Site, SiteURL: c.SiteURL(), Path: path,
		Sees: h.sees(c), Tags: c.Tags}
	if h.previews(c) {
		return h.previewPath(c, f)
	}
	own, err := f.Redirect(c.Context())
	if err != nil {
		return pipeline.Answer{}, err
	}
	if own != nil {
		return leadingTo(own.Target(), own.Status), nil
	}
	t, ok := f.Entry(c.Context())
	if !ok && wantsFallback(c) {
		if t, ok, err = f.InAnyLocale(c.Context()); err != nil {
			return pipeline.Answer{}, err
		}
	}
	if ok {
		ready := make(chan error, 1)
		go func() { ready <- f.Prepare(c.Context(), t) }()
		answer, err := h.one(callFor(c, t), t.Model, false, func(string) (content.EntryItem, error) {
			return h.service.Store.EntryByID(c.Context(), t.Model, t.ID, wantsFallback(c))
		})
		return withMeta(c, f, t, answer, cmp.Or(err, <-ready))
	}
	to, err := f.Former(c.Context())
	if err != nil {
		return pipeline.Answer{}, err
	}
	if to == "" {
		return pipeline.Answer{}, errNoPath
	}
	return leadingTo(to, http.StatusMovedPermanently), nil
}

// checkResolve checks the parameters that do not depend on a model.
func checkResolve(c *pipeline.Call) error {
	if _, err := wantsRaw(c); err != nil {
		return err
	}
	if _, err := wantsSources(c); err != nil {
		return err
	}
	q := c.R.URL.Query()
	if _, _, err := links.ParseRichText(q); err != nil || !q.Has("images") {
		return err
	}
	_, err := variant.ParseImages(q.Get("images"))
	return err
}

// callFor returns the call for a read of an entry in a locale, with the parameters of c.
func callFor(c *pipeline.Call, t urls.Target) *pipeline.Call {
	read := *c
	read.R = c.R.Clone(c.Context())
	q := read.R.URL.Query()
	q.Set("locale", t.Locale)
	q.Del("version") // ignored
	if asked := q.Get("include"); asked != "" {
		q.Set("include", includeOf(c, t.Model, asked))
	}
	read.R.URL.RawQuery = q.Encode()
	read.R.SetPathValue("idOrSlug", t.ID)
	return &read
}

// includeOf returns the paths of an include parameter for the entries of a model. Who asks does not
// know the model, so paths of other models are left out. A path that no model has stays, and is
// refused.
func includeOf(c *pipeline.Call, m *site.Model, asked string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(asked, ","), func(path string) bool {
		has := func(m *cms.Model) bool {
			_, err := links.ParseInclude(c.Site, m, path, c.IsAdmin())
			return err == nil
		}
		return !has(c.VisibleModel(m)) && slices.ContainsFunc(c.Models(), has)
	}), ",")
}

// withMeta adds the meta to the answer of an entry.
func withMeta(c *pipeline.Call, f *urls.Finder, t urls.Target, answer pipeline.Answer,
	err error) (pipeline.Answer, error) {
	if cms.CodeOf(err) == cms.CodeEntryNotFound {
		err = errNoPath
	}
	if err != nil {
		return pipeline.Answer{}, err
	}
	raw, _ := answer.Data.(json.RawMessage)
	head, err := headOf(raw)
	if err != nil {
		return pipeline.Answer{}, err
	}
	var meta urls.Meta
	if about, ok := answer.Meta.(EntryMeta); ok {
		meta.RequestedLocale, meta.Draft, meta.Sources = about.RequestedLocale, about.Draft, about.Sources
	}
	err = f.Describe(c.Context(), &meta, t, head.ID)
	answer.Meta = meta
	return answer, err
}

// leadingTo returns the answer for a redirect.
func leadingTo(to string, status int) pipeline.Answer {
	return pipeline.Answer{Data: struct{}{}, Meta: urls.Leading(to, status)}
}

// previewPath answers with the entry of a preview token, if it is at the path, or the best translation for it.
func (h entries) previewPath(c *pipeline.Call, f *urls.Finder) (pipeline.Answer, error) {
	var shown preview.Shown
	g, ctx := errgroup.WithContext(c.Context())
	g.Go(func() (err error) {
		shown, err = h.openAny(ctx, c)
		return err
	})
	g.Go(func() error { return f.Read(ctx) })
	if err := g.Wait(); err != nil {
		return pipeline.Answer{}, err
	}
	h.token = &tokenEntry{Shown: shown}
	f.Sees = h.sees(c)
	at := f.At()
	i := slices.IndexFunc(at, func(t urls.Target) bool { return t.ID == shown.ID })
	var t urls.Target
	if i >= 0 {
		t = at[i]
	} else if _, taken := f.Entry(c.Context()); !taken && wantsFallback(c) {
		var err error
		if t, _, err = f.InAnyLocale(c.Context()); err != nil {
			return pipeline.Answer{}, err
		}
	}
	if t.Model == nil {
		return pipeline.Answer{}, errNotPreview
	}
	h.token = nil
	answer, err := h.preview(callFor(c, t), t.Model)
	if cms.CodeOf(err) == cms.CodeEntryNotFound {
		err = errNotPreview
	}
	return withMeta(c, f, t, answer, err)
}

// tree answers GET /{model}/tree: the entries that the reader sees, nested (extensions §13).
func (h entries) tree(c *pipeline.Call, m *site.Model) (pipeline.Answer, error) {
	n := urls.Nodes{Store: h.service.Store, Model: m, Admin: c.SeesAll(), Sees: c.Sees, Tags: c.Tags}
	sources, err := wantsSources(c)
	if err == nil {
		err = n.Ask(c.R.URL.Query(), c.Site)
	}
	if err != nil {
		return pipeline.Answer{}, err
	}
	data, err := n.Read(c.Context())
	answer := pipeline.Answer{Data: data, Params: urls.NodeParams}
	if sources != nil {
		markNodes(sources, m, data, "/data")
		answer.Meta = EntryMeta{Sources: sources.ByPointer}
	}
	return answer, err
}
