package healthpages

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/health"
	"headless/pkg/input"
	"headless/pkg/links"
	"headless/pkg/planning/bulk"
	"headless/pkg/refs"
)

// maxTargets is how many targets of links can be replaced on one page.
const maxTargets = 50

// The keys of the query that name the targets of links: entries and files.
const (
	entriesKey = "entry"
	filesKey   = "file"
)

// linksPage asks what replaces the targets in the query, with one input for each. Links that lead to the same target
// are mended together.
func (h handlers) linksPage(c *frame.Call) (*ui.Page, error) {
	if err := h.mayWrite(c); err != nil {
		return nil, err
	}
	toEntry := cms.Field{Type: cms.TypeRelation}
	for _, m := range frame.SortedModels(c.Site) {
		if m.IsActive {
			toEntry.Models = append(toEntry.Models, m.Slug)
		}
	}
	q := c.R.URL.Query()
	page := &ui.Page{Title: "Replace links", Crumbs: []ui.Link{{Text: "Health", Href: ui.Base + "/health"}},
		Form: &ui.Form{Action: ui.Base + "/health/links?" + c.R.URL.RawQuery, Method: http.MethodPost, Submit: "Replace",
			Cancel: ui.Base + "/health"}}
	entries, files := q[entriesKey][:min(len(q[entriesKey]), maxTargets)], q[filesKey][:min(len(q[filesKey]), maxTargets)]
	ids := slices.Concat(entries, files)
	if len(ids) == 0 {
		return nil, errNoLinks
	}
	names, err := h.names(c, ids)
	if err != nil {
		return nil, err
	}
	uses, err := h.usesOf(c, ids)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		to := toEntry
		if i >= len(entries) {
			to = cms.Field{Type: cms.TypeMedia}
		}
		in := ui.Field{Name: "with-" + id, Label: names[id], Help: uses[i], Value: chosen(c, "with-"+id)}
		page.Form.Fields = append(page.Form.Fields, h.entries.Field(c.Site, to, in))
	}
	slices.SortFunc(page.Form.Fields, func(a, b ui.Field) int {
		return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.Name, b.Name))
	})
	return page, h.entries.Fill(c, page.Form.Fields, "")
}

var errNoLinks = cms.Problems{"ids": {"choose at least one link that leads to what readers do not see"}}.Err()

// usesOf tells of each target which entries link to it.
func (h handlers) usesOf(c *frame.Call, ids []string) ([]say.Text, error) {
	told := make([]say.Text, len(ids))
	g, ctx := errgroup.WithContext(c.R.Context())
	for i, id := range ids {
		g.Go(func() error {
			uses, err := links.Usage{Store: h.entries.Entries.Store}.Glance(ctx, id)
			if err != nil {
				return err
			}
			var titles []string
			for _, use := range uses.Items {
				if title := "“" + use.Title + "”"; !slices.Contains(titles, title) {
					titles = append(titles, title)
				}
			}
			told[i] = say.F("Places that link to it: {1}. All of them change; leave this empty to change none.",
				uses.Total)
			if len(titles) > 0 {
				told[i] = say.F("Places that link to it: {1}, as in {2}. All of them change; leave this empty to change none.",
					uses.Total, strings.Join(titles[:min(len(titles), 3)], ", "))
			}
			return nil
		})
	}
	return told, g.Wait()
}

// names returns the names of targets of links by their ids: a title if the user may read it, else the id.
func (h handlers) names(c *frame.Call, ids []string) (map[string]say.Text, error) {
	ctx, store := c.R.Context(), h.entries.Entries.Store
	at, err := store.Addresses(ctx, ids)
	if err != nil {
		return nil, err
	}
	names := map[string]say.Text{}
	var missing []string
	for _, id := range ids {
		a, ok := at[id]
		names[id] = say.Data(id)
		if m := c.Site.ModelByID(a.ModelID); m != nil && cms.PermissionsOf(ctx).May(cms.ActionRead, m.Slug, a.Locale) {
			state := string(a.Status)
			if a.Status == cms.StatusPublished && !c.Site.Shows(m, a.Locale) {
				state = "inactive" // the model or the locale
			}
			names[id] = say.F("{1} ({2})", a.Title, say.Known(state))
		}
		if !ok {
			names[id], missing = say.F("{1} (deleted)", id), append(missing, id)
		}
	}
	trashed, err := store.Trashed(ctx, c.Site, nil, missing, nil)
	for _, t := range trashed {
		names[t.ID] = say.F("{1} (in the trash)", t.Title)
	}
	return names, err
}

// replaceLinks starts a job for each target that has a replacement. The body of other clients names one entry.
func (h handlers) replaceLinks(c *frame.Call) (frame.Result, error) {
	if err := h.mayWrite(c); err != nil {
		return frame.Result{}, err
	}
	if !c.IsForm {
		body, err := c.Body()
		if err != nil {
			return frame.Result{}, err
		}
		j, err := h.jobs.ReplaceEntry(c.R.Context(), c.Actor(), body)
		return frame.Result{Status: http.StatusAccepted, Data: j}, err
	}
	if c.Form.Get("action") == "choose" { // the list of findings asks for the page
		q, err := h.targetsOf(c)
		return frame.Result{Redirect: "/health/links?" + q.Encode()}, err
	}
	var started []bulk.Job
	q, refused := c.R.URL.Query(), cms.Problems{}
	for _, key := range []string{entriesKey, filesKey} {
		for _, id := range q[key] {
			name := "with-" + id
			with := chosen(c, name)
			if with == "" {
				continue
			}
			with = with[strings.LastIndexByte(with, '/')+1:] // an entry has its model before it
			var j bulk.Job
			var err error
			if key == filesKey {
				j, err = h.jobs.Replace(c.R.Context(), c.Actor(), id, map[string]any{"with": with})
			} else {
				j, err = h.jobs.ReplaceEntry(c.R.Context(), c.Actor(), map[string]any{"from": id, "with": with})
			}
			var e *cms.Error
			switch {
			case err == nil:
				started = append(started, j)
			case !errors.As(err, &e) || e.Code == cms.CodeUnavailable:
				return frame.Result{}, err
			default:
				refused.Add(name, "%s", e.Describe())
			}
		}
	}
	switch {
	case len(refused) > 0:
		return frame.Result{}, refused.Err()
	case len(started) == 1:
		return frame.Result{Redirect: "/jobs/" + started[0].ID}, nil
	case started == nil:
		return frame.Result{Redirect: "/health"}, nil
	}
	return frame.Result{Redirect: "/jobs"}, nil
}

// chosen returns what the input of a target has chosen, "" for nothing. An empty value stands before it.
func chosen(c *frame.Call, name string) string { return input.FormValue(c.Form[name]).Last() }

// targetsOf returns the query that names the targets of the links that the form chose, each once.
func (h handlers) targetsOf(c *frame.Call) (url.Values, error) {
	places, held, entries, err := h.entriesAt(c, c.Form["ids"])
	if err != nil {
		return nil, err
	}
	q := url.Values{}
	of := map[string][]health.Finding{} // by entry
	for i, at := range places {
		e := entries[i]
		if e == nil || !isLink(at.Kind) {
			continue
		}
		m := held[i].Model
		if of[e.ID] == nil {
			list, err := h.checks.Of(c.R.Context(), m, e, false)
			if err != nil {
				return nil, err
			}
			of[e.ID] = list.Items
		}
		for _, f := range of[e.ID] {
			if f.Kind != at.Kind || f.Field != at.Field {
				continue
			}
			for id := range strings.SplitSeq(f.Detail, ", ") {
				key := entriesKey
				if isFile(&m.Model, e, id) {
					key = filesKey
				}
				if !slices.Contains(q[key], id) {
					q.Add(key, id)
				}
			}
		}
	}
	if len(q) == 0 {
		return nil, errNoLinks
	}
	return q, nil
}

// isFile reports whether an entry refers to a target as a file.
func isFile(m *cms.Model, e *cms.Entry, id string) (file bool) {
	for _, r := range refs.References(m, e.Data) {
		file = file || r.Kind == cms.TypeMedia && strings.EqualFold(r.ID, id)
	}
	refs.EachText(m.Fields, e.Data, func(_, text string) {
		file = file || slices.Contains(refs.TextTargets(text), refs.Target{File: true, ID: id})
	})
	return file
}
