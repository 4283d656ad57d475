package admin

import (
	"net/http"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
)

// purgeRoutes are the routes of the caches in front of the delivery API (extensions §8).
func purgeRoutes(purges *site.Purges) []Route {
	return []Route{
		{Method: "GET", Pattern: "/purge", Role: cms.RoleUserAdmin,
			Handle: func(c *Call) (Result, error) { return pendingPurges(c, purges) }},
		{Method: "POST", Pattern: "/purge", Role: cms.RoleUserAdmin,
			Handle: func(c *Call) (Result, error) { return requestPurge(c, purges) }},
	}
}

func requestPurge(c *Call, purges *site.Purges) (Result, error) {
	body, err := c.Body()
	if err != nil {
		return Result{}, err
	}
	p, err := purges.Request(c.R.Context(), c.Actor(), body)
	return Result{Status: http.StatusAccepted, Data: p, Redirect: "/purge?ok=done"}, err
}

func pendingPurges(c *Call, purges *site.Purges) (Result, error) {
	if err := c.refuseNames("fields", "include", "sort", "filter"); err != nil {
		return Result{}, err
	}
	paging, err := c.Paging()
	if err != nil {
		return Result{}, err
	}
	page, err := purges.Pending(c.R.Context(), paging)
	if err != nil {
		return Result{}, err
	}
	list := &List{Columns: []string{"Since", "Tags"}, Empty: "Every cache is up to date."}
	for _, p := range page.Items {
		list.Rows = append(list.Rows, Row{Cells: []Cell{When(p.CreatedAt), purgedTags(p)}})
	}
	return Result{Data: page.Items, Meta: meta(page),
		Page: &Page{Title: "Pending purges", List: Paged(c, list, page)}}, nil
}

func purgedTags(p db.Purge) Cell {
	if p.All {
		return Badge("everything")
	}
	return Code(strings.Join(p.Tags, ", "))
}
