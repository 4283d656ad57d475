package sitepages

import (
	"net/http"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
)

// PurgeRoutes returns the routes of the caches in front of the delivery API (extensions §8).
func PurgeRoutes(purges *site.Purges) []frame.Route {
	h := purgeHandlers{purges}
	return []frame.Route{
		{Method: "GET", Pattern: "/purge", Role: cms.RoleUserAdmin, Handle: h.pending},
		{Method: "POST", Pattern: "/purge", Role: cms.RoleUserAdmin, Handle: frame.WithBody(h.request)},
	}
}

type purgeHandlers struct{ purges *site.Purges }

func (h purgeHandlers) request(c *frame.Call, body map[string]any) (frame.Result, error) {
	p, err := h.purges.Request(c.R.Context(), c.Actor(), body)
	return frame.Result{Status: http.StatusAccepted, Data: p, Redirect: "/purge?ok=done"}, err
}

func (h purgeHandlers) pending(c *frame.Call) (frame.Result, error) {
	var meta struct {
		frame.ListMeta
		Month db.PurgeMonth `json:"month"`
	}
	read := func(p db.Paging) (page db.Page[db.Purge], err error) {
		page, meta.Month, err = h.purges.Pending(c.R.Context(), p)
		meta.ListMeta = frame.Meta(page)
		return page, err
	}
	page := &ui.Page{Title: "Pending purges",
		List: &ui.List{Columns: []say.Text{"Since", "Tags"}, Empty: "Every cache is up to date."}}
	result, err := frame.Table(c, page, read, func(p db.Purge) ui.Row {
		return ui.Row{Cells: []ui.Cell{ui.When(p.CreatedAt), purgedTags(p)}}
	})
	result.Meta = meta
	page.Notice = say.F("Tags sent this month: {1}. Paths: {2}. CloudFront bills each beyond 1,000 a month.",
		meta.Month.Tags, meta.Month.Paths)
	return result, err
}

func purgedTags(p db.Purge) ui.Cell {
	if p.All {
		return ui.Badge("everything")
	}
	return ui.Code(strings.Join(p.Tags, ", "))
}
