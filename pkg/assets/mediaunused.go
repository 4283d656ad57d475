package assets

import (
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index"
)

const (
	usedPath = "used"
	// maxUsedScan is how many files a list with filter[used] reads.
	maxUsedScan = 200
)

// splitUsed separates filter[used] from the other filters; used is nil if there is none. Errors:
// BAD_REQUEST.
func splitUsed(filters []query.Filter) (used *bool, rest []query.Filter, err error) {
	for _, f := range filters {
		if f.Path != usedPath {
			rest = append(rest, f)
			continue
		}
		if f.Op != query.OpEq || !slices.Contains([]string{"true", "false"}, f.Values[0]) || used != nil {
			return nil, nil, cms.Errorf(cms.CodeBadRequest, "filter[used] can only be true or false, once.")
		}
		value := f.Values[0] == "true"
		used = &value
	}
	return used, rest, nil
}

// listUsed lists the files that are used, or those that are not. It reads at most maxUsedScan
// files. If there are more, next_cursor continues after them, and the total is an estimate.
func (s *Media) listUsed(ctx context.Context, q index.ListQuery, used bool) (page db.Page[*Asset],
	folders []Folder, err error) {
	asked := q.Paging
	found := []*Asset{}
	q.Paging = db.Paging{Page: 1, PerPage: 100}
	next := ""
	for range maxUsedScan / q.PerPage {
		if page, folders, err = s.list(ctx, q); err != nil {
			return page, nil, err
		}
		for _, m := range page.Items {
			is, err := s.Uses.Used(ctx, m.ID)
			if err != nil {
				return page, nil, err
			}
			if is == used {
				found = append(found, m)
			}
		}
		if next = page.Next; next == "" {
			break
		}
		q.Cursor = next
	}
	page = db.PageOf(found, asked)
	page.Estimate = next != ""
	if asked.Offset()+asked.PerPage >= len(found) {
		page.Next = next
	}
	return page, folders, nil
}
