package frame

import (
	"maps"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
)

// PlainPaging is Paging for lists without sort, filter, fields and include.
func (c *Call) PlainPaging() (db.Paging, error) {
	if err := c.RefuseNames(ListParams...); err != nil {
		return db.Paging{}, err
	}
	return c.Paging()
}

// ListParams are the query parameters of lists that hold names.
var ListParams = []string{"fields", "filter", "include", "sort"}

// RefuseNames returns BAD_REQUEST if one of the given query parameters holds a name. It is for
// lists that support no names there (decisions §1).
func (c *Call) RefuseNames(names ...string) error {
	params := c.R.URL.Query()
	for _, key := range slices.Sorted(maps.Keys(params)) {
		param, _, filter := strings.Cut(key, "[")
		if !slices.Contains(names, param) || filter != (param == "filter") {
			continue
		}
		if filter {
			path, _, err := query.ParseFilterKey(key)
			if err == nil {
				err = cms.UnknownName(param, path)
			}
			return err
		}
		for name := range strings.SplitSeq(strings.Join(params[key], ","), ",") {
			if name = strings.TrimPrefix(name, "-"); name != "" {
				return cms.UnknownName(param, name)
			}
		}
	}
	return nil
}
