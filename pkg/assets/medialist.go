package assets

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/index/sortkey"
	"headless/pkg/input"
)

// List lists files, newest first if q has no sort. ParseMediaSort and ValidateMediaFilter must have
// checked the sort and the filters. Errors: BAD_REQUEST for a cursor of another list,
// QUERY_NOT_INDEXED.
func (s *Media) List(ctx context.Context, q index.ListQuery) (db.Page[cms.Media], error) {
	if err := input.Permit(ctx, cms.ActionRead, cms.AreaMedia, "list of files"); err != nil {
		return db.Page[cms.Media]{}, err
	}
	none := db.Page[cms.Media]{Paging: q.Paging, Items: []cms.Media{}}
	used, filters, err := splitUsed(q.Filters)
	if err != nil {
		return none, err
	}
	q.Filters = filters
	list := s.list
	if used != nil {
		list = func(ctx context.Context, q index.ListQuery) (db.Page[*Asset], []Folder, error) {
			return s.listUsed(ctx, q, *used)
		}
	}
	page, folders, err := list(ctx, q)
	if err != nil {
		return none, err
	}
	shown := db.Page[cms.Media]{Paging: page.Paging, Total: page.Total, Estimate: page.Estimate,
		Next: page.Next, Items: make([]cms.Media, len(page.Items))}
	for i, m := range page.Items {
		shown.Items[i] = s.toShown(m, folders)
	}
	return shown, nil
}

// list reads the files and the folders: in parallel, unless a filter needs the folders first.
func (s *Media) list(ctx context.Context, q index.ListQuery) (page db.Page[*Asset], folders []Folder, err error) {
	inFolder := func(f query.Filter) bool { return f.Path == "folder" }
	if slices.ContainsFunc(q.Filters, inFolder) {
		if folders, err = s.Store.Folders(ctx); err != nil {
			return page, nil, err
		}
		page, err = s.listIn(ctx, q, folders)
		return page, folders, err
	}
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) { folders, err = s.Store.Folders(gctx); return })
	g.Go(func() (err error) { page, err = s.listIn(gctx, q, nil); return })
	err = g.Wait()
	return page, folders, err
}

func (s *Media) listIn(ctx context.Context, q index.ListQuery, folders []Folder) (db.Page[*Asset], error) {
	filters, possible := mediaFilters(q.Filters, folders)
	if !possible {
		return db.Page[*Asset]{Paging: q.Paging}, nil
	}
	q.Filters = filters
	return s.Store.MediaFiles(ctx, q)
}

// mediaFilters converts filters of clients to filters of the storage; ok is false if nothing can
// match.
func mediaFilters(filters []query.Filter, folders []Folder) (converted []query.Filter, ok bool) {
	var out []query.Filter
	for _, f := range filters {
		if f.Op == query.OpNull && (f.Path == "alt" || f.Path == "folder") { // unset is ""
			f.Op = map[string]query.Op{"true": query.OpEq, "false": query.OpNe}[f.Values[0]]
			f.Values = []string{""}
		}
		keep := true
		switch f.Path {
		case "mime":
			f, keep = mimeFilter(f)
			if !keep && (f.Op == query.OpNe || f.Op == query.OpNin) {
				return nil, false
			}
		case "folder":
			if f = folderFilter(f, folders); len(f.Values) == 0 {
				return nil, false
			}
		}
		if keep {
			out = append(out, f)
		}
	}
	return out, true
}

// mimeFilter supports patterns in equality filters. The boolean is false if the pattern matches
// every type.
func mimeFilter(f query.Filter) (query.Filter, bool) {
	if f.Op != query.OpEq && f.Op != query.OpNe && f.Op != query.OpIn && f.Op != query.OpNin {
		return f, true
	}
	f.Values = slices.Clone(f.Values)
	for i, v := range f.Values {
		v = strings.ToLower(strings.TrimSpace(v))
		f.Values[i] = v
		if v == "*" || v == "*/*" {
			return f, false
		}
		if strings.HasSuffix(v, "/*") {
			f.Path = mediaTypesPath
		}
	}
	return f, true
}

// folderFilter converts a filter on folder names to a filter on the ids of the matching folders.
// The id "" means no folder.
func folderFilter(f query.Filter, folders []Folder) query.Filter {
	ids := query.Filter{Path: f.Path, Op: query.OpIn}
	for _, folder := range append([]Folder{{}}, folders...) {
		if f.MatchValues(cms.ValueText, []query.Value{{Kind: cms.ValueText, Text: folder.Name}},
			sortkey.CompareText) {
			ids.Values = append(ids.Values, folder.ID)
		}
	}
	if len(ids.Values) == 1 {
		ids.Op = query.OpEq
	}
	return ids
}
