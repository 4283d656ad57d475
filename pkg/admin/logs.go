package admin

import (
	"strconv"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// logRoutes are the routes of the activity log and of the request log.
func logRoutes(st *store.Store) []Route {
	return []Route{
		{Method: "GET", Pattern: "/activity", Role: cms.RoleViewer, Handle: func(c *Call) (Result, error) { return activity(c, st) }},
		{Method: "GET", Pattern: "/requests", Role: cms.RoleViewer, Handle: func(c *Call) (Result, error) { return requests(c, st) }},
	}
}

func activity(c *Call, st *store.Store) (Result, error) {
	p, err := c.Paging()
	if err != nil {
		return Result{}, err
	}
	page, err := st.ListActivity(c.R.Context(), p)
	if err != nil {
		return Result{}, err
	}
	list := &List{Columns: []string{"Time", "Who", "Source", "Event", "Subject"}, Empty: "Nothing has happened yet."}
	for _, line := range page.Items {
		who := Cell{Text: "anonymous", Kind: "muted"}
		if line.Actor != nil {
			who = Text(*line.Actor)
		}
		list.Rows = append(list.Rows, Row{Cells: []Cell{When(line.Time), who, Badge(line.Source), Code(line.Event), Text(line.Subject)}})
	}
	return Result{Data: page.Items, Meta: meta(page), Page: &Page{Title: "Activity", List: Paged(c, list, page)}}, nil
}

func requests(c *Call, st *store.Store) (Result, error) {
	p, err := c.Paging()
	if err != nil {
		return Result{}, err
	}
	page, err := st.ListRequests(c.R.Context(), p)
	if err != nil {
		return Result{}, err
	}
	list := &List{Columns: []string{"Time", "Method", "Path", "Status", "Took", "Address", "Key"}, Empty: "No requests with a key in the last 30 days."}
	for _, line := range page.Items {
		list.Rows = append(list.Rows, Row{Cells: []Cell{
			When(line.Time), Code(line.Method), Code(line.Path), statusCell(line.Status),
			Text(strconv.FormatFloat(line.LatencyMS, 'f', 1, 64) + " ms"), Text(line.Address), Text(line.Key),
		}})
	}
	return Result{Data: page.Items, Meta: meta(page), Page: &Page{Title: "Requests", List: Paged(c, list, page)}}, nil
}

// statusCell is an HTTP status, coloured.
func statusCell(status int) Cell {
	kind := "good"
	if status >= 400 {
		kind = "bad"
	}
	return Cell{Text: strconv.Itoa(status), Kind: kind}
}
