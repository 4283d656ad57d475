package health

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/index/totals"
	"headless/pkg/recheck"
	"headless/pkg/rights"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Finding is a finding as shown.
type Finding struct {
	Kind   Kind     `json:"kind"`
	Model  string   `json:"model"` // slug
	ID     string   `json:"id"`    // of the entry
	Title  string   `json:"title"`
	Locale string   `json:"locale"`
	Field  string   `json:"field"` // path of the place; "": the whole entry
	Detail string   `json:"detail"`
	Since  cms.Time `json:"since"`

	Ignored *Ignored `json:"ignored,omitempty"`
}

// Ignored is who ignores a finding, and since when.
type Ignored struct {
	By cms.Person `json:"by"`
	At cms.Time   `json:"at"`
}

// Filter selects findings. Its zero value selects all that are not ignored.
type Filter struct {
	Kinds   []Kind
	Models  []string // slugs
	Locales []string
	Ignored bool // only the ignored ones
}

// List is a page of findings, the newest first.
type List struct {
	Items  []Finding
	Total  int          // of all pages
	Counts map[Kind]int // of all kinds, whatever kinds the filter selects
	Next   string       // cursor of the next page
}

// place is a partition of findings.
type place struct {
	model     *site.Model
	partition string
}

// maxSkipped is how many findings may precede a page. Cursors lead further.
const maxSkipped = 10_000

// List lists the findings of entries that the caller may read. A cursor counts more than the number of
// the page. Errors: BAD_REQUEST for an unknown name, a cursor of another list, or a page after more than
// maxSkipped findings.
func (c Checks) List(ctx context.Context, f Filter, p db.Paging, cursor string) (List, error) {
	list := List{Items: []Finding{}, Counts: map[Kind]int{}}
	now, err := c.Store.Site(ctx)
	if err != nil {
		return list, err
	}
	if err := f.checkNames(ctx, now); err != nil {
		return list, err
	}
	places, err := c.countFindings(ctx, now, f, &list)
	if err != nil {
		return list, err
	}
	check := []byte(fmt.Sprint("health", f))
	from, err := c.Store.DecodeCursor(ctx, check, cursor)
	if err != nil {
		return list, err
	}
	skip := p.Offset()
	switch {
	case cursor != "":
		skip = 0
	case skip >= list.Total && skip > 0:
		return list, nil
	case skip > maxSkipped:
		return list, cms.Errorf(cms.CodeBadRequest, "page leads to the first %d findings only: use cursor.", maxSkipped)
	}
	rows, err := c.newest(ctx, f, places, from, skip+p.PerPage+1)
	if err != nil {
		return list, err
	}
	rows = rows[min(skip, len(rows)):]
	if len(rows) > p.PerPage {
		rows = rows[:p.PerPage]
		if list.Next, err = c.Store.EncodeCursor(ctx, check, rows[p.PerPage-1].position()); err != nil {
			return list, err
		}
	}
	list.Items, err = c.toShown(ctx, rows)
	return list, err
}

// Counts counts the findings of entries that the caller may read, by kind.
func (c Checks) Counts(ctx context.Context) (map[Kind]int, error) {
	list := List{Counts: map[Kind]int{}}
	now, err := c.Store.Site(ctx)
	if err == nil {
		_, err = c.countFindings(ctx, now, Filter{}, &list)
	}
	return list.Counts, err
}

// checkNames returns BAD_REQUEST for names that the caller cannot see.
func (f Filter) checkNames(ctx context.Context, now *site.Site) error {
	for _, kind := range f.Kinds {
		if !slices.Contains(Kinds, kind) {
			names := slice.Map(Kinds, func(k Kind) string { return string(k) })
			return cms.UnknownName("kind of finding", string(kind), names...)
		}
	}
	seen := now.Visible(cms.PermissionsOf(ctx))
	for _, slug := range f.Models {
		if seen.Models[slug] == nil {
			return cms.Errorf(cms.CodeBadRequest, "There is no model %q.", cms.Shorten(slug))
		}
	}
	for _, code := range f.Locales {
		if now.Locale(code) == nil {
			return cms.UnknownName("locale", code, now.Codes()...)
		}
	}
	return nil
}

// takes reports whether the filter selects entries of a locale, and the caller may read them.
func (f Filter) takes(ctx context.Context, model, locale string) bool {
	return (len(f.Locales) == 0 || slices.Contains(f.Locales, locale)) &&
		cms.PermissionsOf(ctx).May(cms.ActionRead, model, locale)
}

// readsFor reports whether the caller may read the other entries that findings of a kind tell of: entries that one
// cannot read do not exist (extensions §11).
func readsFor(ctx context.Context, now *site.Site, m *site.Model, kind Kind) bool {
	return kind != TranslationOutdated || cms.PermissionsOf(ctx).May(cms.ActionRead, m.Slug, now.Default)
}

// countFindings counts the findings by kind, and returns the places that have some which the filter selects.
func (c Checks) countFindings(ctx context.Context, now *site.Site, f Filter, list *List) (places []place, err error) {
	for _, kind := range Kinds {
		list.Counts[kind] = 0
	}
	models := map[string]*site.Model{} // by id
	for slug, m := range now.Visible(cms.PermissionsOf(ctx)).Models {
		if len(f.Models) == 0 || slices.Contains(f.Models, slug) {
			models[m.ID] = m
		}
	}
	_, byLabel, err := totals.OfLabels(ctx, c.Store.DB, []string{recheck.Space})
	if err != nil {
		return nil, err
	}
	for label, n := range byLabel[0] {
		name, ignored := strings.CutSuffix(label, ignoredEnd)
		modelID, rest, _ := strings.Cut(name, "/")
		word, locale, _ := strings.Cut(rest, "/")
		m, kind := models[modelID], Kind(word)
		if m == nil || n <= 0 || ignored != f.Ignored || !f.takes(ctx, m.Slug, locale) || !readsFor(ctx, now, m, kind) {
			continue
		}
		list.Counts[kind] += n
		if len(f.Kinds) == 0 || slices.Contains(f.Kinds, kind) {
			list.Total += n
			if p := (place{m, findingsPartition(m.ID, kind, f.Ignored)}); !slices.Contains(places, p) {
				places = append(places, p)
			}
		}
	}
	return places, nil
}

// listed is a row of a place.
type listed struct {
	row
	place
	sort string
}

// sortSize is the length of the sort key of a finding: time, id, and hash of the field.
const sortSize = 8 + 36 + 8

// position orders rows: the newest is the largest. Rows of one time are ordered by entry and field.
func (l *listed) position() string { return l.sort + l.partition }

// newest returns up to limit rows before a position, the newest first.
func (c Checks) newest(ctx context.Context, f Filter, places []place, before string, limit int) ([]listed, error) {
	parts := make([][]listed, len(places))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(2 * parallel)
	for i, p := range places {
		g.Go(func() (err error) {
			parts[i], err = c.newestOf(gctx, f, p, before, limit)
			return err
		})
	}
	err := g.Wait()
	all := slices.Concat(parts...)
	cms.Sort(all, func(a, b listed) int { return cmp.Compare(b.position(), a.position()) })
	return all[:min(limit, len(all))], err
}

// newestOf is newest for one place.
func (c Checks) newestOf(ctx context.Context, f Filter, p place, before string, limit int) (found []listed, err error) {
	r := table.Range{Partition: p.partition, Reverse: true, Limit: limit}
	if before != "" {
		r.To = before[:min(len(before), sortSize)] + "\x00"
	}
	for {
		rows, err := c.Store.Table.Query(ctx, r)
		if err != nil {
			return nil, err
		}
		for _, item := range rows {
			l := listed{place: p, sort: item.Sort}
			if err := db.Unmarshal(item.Body, &l.row); err != nil {
				return nil, err
			}
			if f.takes(ctx, p.model.Slug, l.Locale) && (before == "" || l.position() < before) {
				found = append(found, l)
			}
		}
		if len(found) >= limit || len(rows) < r.Limit {
			return found, nil
		}
		r.To = rows[len(rows)-1].Sort
	}
}

// toShown returns rows as shown. It leaves out those of entries that were just deleted.
func (c Checks) toShown(ctx context.Context, rows []listed) ([]Finding, error) {
	refs := slice.Map(rows, func(r listed) content.Reference { return content.Reference{Model: r.model, ID: r.ID} })
	entries, err := c.Store.EntriesByID(ctx, refs)
	items := []Finding{}
	for i, e := range entries {
		if e == nil || err != nil {
			continue
		}
		var f Finding
		if f, err = c.show(ctx, rows[i].model, e, &rows[i].Found); err == nil {
			items = append(items, f)
		}
	}
	return items, err
}

func (c Checks) show(ctx context.Context, m *site.Model, e *cms.Entry, f *Found) (Finding, error) {
	v := Finding{Kind: f.Kind, Model: m.Slug, ID: e.ID, Title: e.Title, Locale: f.Locale, Field: f.Field,
		Detail: f.Detail, Since: f.Since}
	if f.Ignored == nil {
		return v, nil
	}
	by, err := rights.Person(ctx, c.Store.DB, f.Ignored.User)
	v.Ignored = &Ignored{by, f.Ignored.At}
	return v, err
}

// Of lists the findings of an entry that the caller has read.
func (c Checks) Of(ctx context.Context, m *site.Model, e *cms.Entry, ignored bool) (List, error) {
	list := List{Items: []Finding{}, Counts: map[Kind]int{}}
	for _, kind := range Kinds {
		list.Counts[kind] = 0
	}
	s, err := c.readState(ctx, m.ID, e.ID)
	if err != nil {
		return list, err
	}
	now, err := c.Store.Site(ctx)
	cms.Sort(s.Found, func(a, b Found) int { return b.Since.Compare(a.Since.Time) })
	for i := range s.Found {
		if (s.Found[i].Ignored != nil) != ignored || err != nil || !readsFor(ctx, now, m, s.Found[i].Kind) {
			continue
		}
		var f Finding
		if f, err = c.show(ctx, m, e, &s.Found[i]); err == nil {
			list.Items = append(list.Items, f)
			list.Counts[f.Kind]++
		}
	}
	list.Total = len(list.Items)
	return list, err
}
