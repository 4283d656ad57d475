package frame

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/web"
)

// PlainPaging is Paging for lists that know no names in sort, filter, fields and include.
func (c *Call) PlainPaging() (db.Paging, error) {
	if err := c.RefuseNames(ListParams...); err != nil {
		return db.Paging{}, err
	}
	return c.Paging()
}

// ListParams are the parameters that hold names of what a list shows.
var ListParams = []string{"fields", "filter", "include", "sort"}

// RefuseNames is BAD_REQUEST for a name that stands in one of some list parameters, for lists that
// know none there (decisions §1).
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

// Equalities reads the equality filters of a list that knows some names. An empty one is no choice:
// the form above the list sends it.
func Equalities(params url.Values, known []string) (map[string]string, error) {
	filters := map[string]string{}
	for key, value := range web.Filters(params) {
		path, op, err := query.ParseFilterKey(key)
		switch {
		case err != nil:
			return nil, err
		case !slices.Contains(known, path):
			return nil, cms.UnknownName("filter", path, known...)
		case op != query.OpEq:
			return nil,
				cms.Errorf(cms.CodeBadRequest,
					"The filter %q takes equality only: filter[%s]=value.", path, path)
		}
		if value != "" {
			filters[path] = value
		}
	}
	return filters, nil
}
