package accounts

import (
	"slices"
	"strings"

	"headless/pkg/access"
	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	"headless/pkg/rights"
)

// ColleagueRoutes returns the route that lists active users by what they may do (extensions §14).
func ColleagueRoutes(st *access.Store) []frame.Route {
	return []frame.Route{{Method: "GET", Pattern: "/colleagues", Role: cms.RoleViewer,
		Handle: func(c *frame.Call) (frame.Result, error) { return colleagues(c, st) }}}
}

// maxColleagues is how many people an answer lists.
const maxColleagues = 100

func colleagues(c *frame.Call, st *access.Store) (frame.Result, error) {
	ctx, query := c.R.Context(), c.R.URL.Query()
	action := cms.Action(query.Get("may"))
	switch action {
	case "":
		action = cms.ActionRead
	case cms.ActionRead, cms.ActionApprove:
	default:
		return frame.Result{}, cms.Errorf(cms.CodeBadRequest, "may must be read or approve.")
	}
	model, locale := query.Get("model"), query.Get("locale")
	if model != "" {
		if _, err := c.Site.Model(model); err != nil {
			return frame.Result{}, err
		}
	}
	if locale != "" && c.Site.Locale(locale) == nil {
		return frame.Result{}, cms.Errorf(cms.CodeBadRequest, "%q is not a locale of this site.", locale)
	}
	people, err := rights.ReadPeople(ctx, st.DB)
	if err != nil {
		return frame.Result{}, err
	}
	list, err := people.Who(ctx, action, model, locale)
	q := strings.ToLower(query.Get("q"))
	list = slices.DeleteFunc(list, func(p cms.Person) bool { return !strings.Contains(strings.ToLower(p.Name), q) })
	return frame.Result{Data: list[:min(len(list), maxColleagues)]}, err
}
