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

// FilteredPaging is Paging for lists without sort, fields and include whose only filters are equality with the known
// names. It also returns the values of the filters.
func (c *Call) FilteredPaging(known ...string) (p db.Paging, values map[string]string, err error) {
	values = map[string]string{}
	for key, all := range c.R.URL.Query() {
		if param, _, _ := strings.Cut(key, "["); param != "filter" {
			continue
		}
		path, op, err := query.ParseFilterKey(key)
		if err == nil && (op != query.OpEq || !slices.Contains(known, path)) {
			err = cms.UnknownName("filter", path, known...)
		}
		if err != nil {
			return p, nil, err
		}
		values[path] = all[0]
	}
	if err := c.RefuseNames("fields", "include", "sort"); err != nil {
		return p, nil, err
	}
	p, err = c.Paging()
	return p, values, err
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
