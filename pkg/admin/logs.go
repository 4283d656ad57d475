package admin

import (
	"strconv"
	"strings"

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

// logQuery reads what a log is asked for. Its order is that of time.
func (c *Call) logQuery(known ...string) (store.LogQuery, error) {
	q := store.LogQuery{Cursor: c.R.URL.Query().Get("cursor")}
	err := c.refuseNames("fields", "include", "sort")
	if err == nil {
		q.Paging, err = c.Paging()
	}
	if err == nil {
		q.Filters, err = c.filters(known...)
	}
	if status, ok := q.Filters["status"]; ok && err == nil {
		if _, notNumber := strconv.Atoi(status); notNumber != nil {
			err = cms.Errorf(cms.CodeBadRequest, "The filter \"status\" takes a number.")
		}
	}
	return q, err
}

// logFilter is a field of the form above a log.
func logFilter(q store.LogQuery, name, label string, options ...string) Field {
	f := Field{Name: "filter[" + name + "]", Label: label, Kind: "text", Value: q.Filters[name]}
	if len(options) > 0 {
		f.Kind, f.Options = "select", []Option{{"", "Every " + strings.ToLower(label)}}
		for _, v := range options {
			f.Options = append(f.Options, Option{v, v})
		}
	}
	return f
}

// logList is the table of a page of a log.
func logList[T any](c *Call, page store.Page[T], columns []string, filters []Field, empty string) *List {
	list := &List{Columns: columns, Filters: filters, Empty: empty}
	if c.R.URL.RawQuery != "" {
		list.Empty = "Nothing found."
		if page.Next != "" {
			list.Empty = "Nothing found among the newest lines; the next page looks further back."
		}
	}
	return Paged(c, list, page)
}

func activity(c *Call, st *store.Store) (Result, error) {
	q, err := c.logQuery(store.ActivityFilters()...)
	if err != nil {
		return Result{}, err
	}
	page, err := st.ListActivity(c.R.Context(), q)
	if err != nil {
		return Result{}, err
	}
	list := logList(c, page, []string{"Time", "Who", "Source", "Event", "Subject"}, []Field{
		logFilter(q, "event", "Event"), logFilter(q, "actor", "Who"), logFilter(q, "source", "Source", cms.SourceAdmin, cms.SourceAPI), logFilter(q, "subject", "Subject"),
	}, "Nothing has happened yet.")
	for _, line := range page.Items {
		who := Cell{Text: store.Anonymous, Kind: "muted"}
		if line.Actor != nil {
			who = Text(*line.Actor)
		}
		list.Rows = append(list.Rows, Row{Cells: []Cell{When(line.Time), who, Badge(line.Source), Code(line.Event), Text(line.Subject)}})
	}
	return Result{Data: page.Items, Meta: meta(page), Page: &Page{Title: "Activity", List: list}}, nil
}

func requests(c *Call, st *store.Store) (Result, error) {
	q, err := c.logQuery(store.RequestFilters()...)
	if err != nil {
		return Result{}, err
	}
	page, err := st.ListRequests(c.R.Context(), q)
	if err != nil {
		return Result{}, err
	}
	list := logList(c, page, []string{"Time", "Method", "Path", "Status", "Took", "Address", "Key"}, []Field{
		logFilter(q, "key", "Key"), logFilter(q, "method", "Method", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"), logFilter(q, "path", "Path"), logFilter(q, "status", "Status"),
	}, "No requests with a key in the last 30 days.")
	for _, line := range page.Items {
		list.Rows = append(list.Rows, Row{Cells: []Cell{
			When(line.Time), Code(line.Method), Code(line.Path), statusCell(line.Status),
			Text(strconv.FormatFloat(line.LatencyMS, 'f', 1, 64) + " ms"), Text(line.Address), Text(line.Key),
		}})
	}
	return Result{Data: page.Items, Meta: meta(page), Page: &Page{Title: "Requests", List: list}}, nil
}

// statusCell is an HTTP status, coloured.
func statusCell(status int) Cell {
	kind := "good"
	if status >= 400 {
		kind = "bad"
	}
	return Cell{Text: strconv.Itoa(status), Kind: kind}
}
