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

// PurgeRoutes are the routes of the caches in front of the delivery API (extensions §8).
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
	paging, err := c.PlainPaging()
	if err != nil {
		return frame.Result{}, err
	}
	page, month, err := h.purges.Pending(c.R.Context(), paging)
	if err != nil {
		return frame.Result{}, err
	}
	list := &ui.List{Columns: []say.Text{"Since", "Tags"}, Empty: "Every cache is up to date."}
	for _, p := range page.Items {
		list.Rows = append(list.Rows, ui.Row{Cells: []ui.Cell{ui.When(p.CreatedAt), purgedTags(p)}})
	}
	meta := struct {
		Page    int           `json:"page"`
		PerPage int           `json:"per_page"`
		Total   int           `json:"total"`
		Month   db.PurgeMonth `json:"month"`
	}{page.Page, page.PerPage, page.Total, month}
	sent := say.F("Tags sent this month: {1}. Paths: {2}. CloudFront bills each beyond 1,000 a month.",
		month.Tags, month.Paths)
	return frame.Result{Data: page.Items, Meta: meta,
		Page: &ui.Page{Title: "Pending purges", Notice: sent, List: frame.Paged(c, list, page)}}, nil
}

func purgedTags(p db.Purge) ui.Cell {
	if p.All {
		return ui.Badge("everything")
	}
	return ui.Code(strings.Join(p.Tags, ", "))
}
