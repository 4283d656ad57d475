package homepages

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/db/logs"
	"headless/pkg/input"
	"headless/pkg/rooms"
	"headless/pkg/slice"
	"headless/pkg/web"
)

// LogRoutes returns the routes of the activity log and of the request log.
func LogRoutes(st *rooms.Stores) []frame.Route {
	return []frame.Route{
		{Method: "GET", Pattern: "/activity", Role: cms.RoleViewer,
			Handle: func(c *frame.Call) (frame.Result, error) { return activity(c, st) }},
		{Method: "GET", Pattern: "/activity.csv", Role: cms.RoleViewer,
			Handle: func(c *frame.Call) (frame.Result, error) { return activityCSV(c, st) }},
		{Method: "GET", Pattern: "/requests", Role: cms.RoleViewer,
			Handle: func(c *frame.Call) (frame.Result, error) { return requests(c, st) }},
	}
}

// The query parameters that filter lines by time.
const (
	fromFilter  = "filter[time][gte]"
	untilFilter = "filter[time][lt]"
)

// readLogQuery reads the query parameters of a log. It refuses sort: logs are ordered by time.
func readLogQuery(c *frame.Call, known ...string) (logs.Query, error) {
	query := c.R.URL.Query()
	q := logs.Query{Cursor: query.Get("cursor"), Content: contentOnly(c)}
	err := c.RefuseNames("fields", "include", "sort")
	if err == nil {
		q.Paging, err = c.Paging()
	}
	if err == nil {
		q.From, err = takeTime(query, fromFilter)
	}
	if err == nil {
		q.Until, err = takeTime(query, untilFilter)
	}
	if err == nil {
		q.Filters, err = equalities(query, known)
	}
	if status, ok := q.Filters["status"]; ok && err == nil {
		if _, notNumber := strconv.Atoi(status); notNumber != nil {
			err = cms.Errorf(cms.CodeBadRequest, "The filter \"status\" takes a number.")
		}
	}
	return q, err
}

// contentOnly reports whether the access token of a request does not include the activity of accounts.
func contentOnly(c *frame.Call) bool { return c.WholeScope("accounts") != nil }

// takeTime removes a filter from a query and parses its value: an RFC 3339 time, or a day in UTC.
func takeTime(query url.Values, name string) (cms.Time, error) {
	text := query.Get(name)
	query.Del(name)
	if text == "" {
		return cms.Time{}, nil
	}
	for _, parse := range []func(string) (time.Time, bool){cms.ParseDateTime, cms.ParseDate} {
		if t, ok := parse(text); ok {
			return cms.At(t), nil
		}
	}
	return cms.Time{}, cms.Errorf(cms.CodeBadRequest,
		"%s takes a time such as 2026-01-31T09:00:00Z, or a day such as 2026-01-31.", name)
}

// logFilter is a field of the form above a log.
func logFilter(q logs.Query, name string, label say.Text) ui.Field {
	return ui.Field{Name: "filter[" + name + "]", Label: label, Kind: "text", Value: q.Filters[name]}
}

// logChoice is a select above a log. all is its first option, which sets no filter.
func logChoice(q logs.Query, name string, label, all say.Text, options ...string) ui.Field {
	f := logFilter(q, name, label)
	f.Kind, f.Options = "select", append([]ui.Option{{Value: "", Label: all}}, ui.Options(options)...)
	return f
}

// logList is the table of a page of a log, whose lines are kept for some days.
func logList[T any](c *frame.Call, page db.Page[T], columns []say.Text, filters []ui.Field,
	empty say.Text, days int) *ui.List {
	list := &ui.List{Columns: columns, Filters: filters, Empty: empty, Note: ui.KeptFor(days)}
	if c.R.URL.RawQuery != "" {
		list.Empty = "Nothing found."
		if page.Next != "" {
			list.Empty = "Nothing found among the newest lines; the next page looks further back."
		}
	}
	return frame.Paged(c, list, page)
}

func activity(c *frame.Call, st *rooms.Stores) (frame.Result, error) {
	q, err := readLogQuery(c, logs.ActivityFilters()...)
	if err != nil {
		return frame.Result{}, err
	}
	page, err := logs.Activity(c.R.Context(), st.DB, q)
	if err != nil {
		return frame.Result{}, err
	}
	sources := logChoice(q, "source", "Source", "Every source", cms.SourceAdmin, cms.SourceAPI, cms.SourceMCP,
		cms.SourceSchedule)
	for i := range sources.Options[1:] {
		sources.Options[i+1].Label = sourceName(sources.Options[i+1].Value)
	}
	events := logFilter(q, "event", "Event")
	events.Kind, events.Options = "select", ui.WithNone("Every event", ui.WordOptions(logs.Kinds))
	if kind := events.Value; kind != "" && !slices.Contains(logs.Kinds, kind) {
		events.Options = append(events.Options, ui.Option{Value: kind, Label: say.Data(kind)})
	}
	list := logList(c, page, []say.Text{"Time", "Who", "Source", "Event", "Subject", "Address"}, []ui.Field{
		events, logFilter(q, "actor", "Who"),
		sources,
		ui.MoreFilters(logFilter(q, "subject", "Subject"), logFilter(q, "address", "Address"),
			logFilter(q, "request_id", "Request id"),
			ui.Field{Name: fromFilter, Label: "From", Kind: "date", Value: q.From.Day()},
			ui.Field{Name: untilFilter, Label: "Before", Kind: "date", Value: q.Until.Day()}),
	}, "Nothing has happened yet.", st.DB.ActivityDays)
	file := url.URL{Path: ui.Base + "/activity.csv", RawQuery: withoutPaging(c.R.URL.Query()).Encode()}
	list.Links = append(list.Links, ui.Link{Text: "Download CSV", Href: file.String()})
	result := frame.Result{Data: page.Items, Meta: frame.Meta(page), Page: &ui.Page{Title: "Activity", List: list}}
	if c.JSON {
		return result, nil
	}
	people, err := c.People()
	if err != nil {
		return frame.Result{}, err
	}
	titles, err := entrydata.Titles(c, st.Content, page.Items, entryIn)
	if err != nil {
		return frame.Result{}, err
	}
	for _, line := range page.Items {
		who := people.Cell(line.Actor)
		if line.Actor != nil {
			who.Href = ui.With(c.R.URL.Query(), "filter[actor]", *line.Actor)
		}
		list.Rows = append(list.Rows,
			ui.Row{Cells: []ui.Cell{ui.When(line.Time), who, ui.Badge(sourceName(line.Source)), eventCell(c, line.Event),
				subjectCell(c, titles, line), addressCell(line.Address)}})
	}
	return result, nil
}

// subjectCell names what a line is about, as far as the user may read it, with a link. Else it is the stored text.
func subjectCell(c *frame.Call, titles map[string]entrydata.Title, line db.Activity) ui.Cell {
	id := input.Given(line.SubjectID, "")
	kind, _, _ := strings.Cut(line.Event, ".")
	slug, _ := entryIn(line)
	if m := c.Site.Models[slug]; m != nil && titles[id].Locale != "" {
		at := strings.LastIndexByte(line.Subject, '(') + 1
		language := ui.LocaleName(c.Site, strings.TrimSuffix(line.Subject[at:], ")"))
		return ui.Cell{Text: say.F("{1} ({2}, {3})", titles[id].Text, m.Name, language), Href: titles[id].Href}
	}
	if m := c.Site.Models[id]; m != nil && kind == "model" {
		return pageCell(c, m.Name, "/models", id)
	}
	if m := c.Site.Models[id]; m != nil && kind == "export" {
		return ui.Word(say.F("entries of {1}", m.Name))
	}
	if form := c.Site.Forms[id]; form != nil && kind == "form" {
		return pageCell(c, form.Name, "/forms", id)
	}
	if _, slug, ok := strings.Cut(line.Subject, " of form "); ok && c.Site.Forms[slug] != nil {
		return ui.Word(say.F("Submission of the form {1}", c.Site.Forms[slug].Name))
	}
	name, rest, _ := strings.Cut(line.Subject, " ")
	if name == "settings" && rest != "" {
		ids, more, _ := strings.Cut(rest, " and ")
		labels := slice.Map(strings.Split(ids, ", "), entrydata.SettingLabel)
		if n, err := strconv.Atoi(strings.TrimSuffix(more, " more")); err == nil {
			labels = append(labels, say.N(n, "{1} more", "{1} more"))
		}
		return ui.Word(say.F("{1} {2}", subjectKinds[name], say.Join(labels, say.Comma)))
	}
	if subjectKinds[name] != "" && rest != "" {
		return ui.Word(say.F("{1} {2}", subjectKinds[name], rest))
	}
	return ui.Word(say.Known(line.Subject))
}

// subjectKinds has the words with which stored subjects begin.
var subjectKinds = map[string]say.Text{
	"file": "File", "folder": "Folder", "form": "Form", "job": "Job", "key": "API key", "locale": "Language",
	"menu": "Menu", "model": "Model", "preset": "Preset", "program": "Allowed program", "redirect": "Redirect",
	"release": "Release", "role": "Role", "settings": "Settings", "target": "Target", "template": "Template",
	"token": "Token", "user": "User", "view": "Saved view", "webhook": "Webhook",
}

// pageCell is the name of something, with a link to its page if the user may open it.
func pageCell(c *frame.Call, name, list, slug string) ui.Cell {
	cell := ui.Text(name)
	if c.MayUse("GET", list+"/{slug}") {
		cell.Href = ui.Base + list + "/" + url.PathEscape(slug)
	}
	return cell
}

// sourceName names the source of a change.
func sourceName(source string) say.Text {
	names := map[string]say.Text{cms.SourceAdmin: "Admin area", cms.SourceAPI: "API key",
		cms.SourceMCP: "Allowed program", cms.SourceSchedule: "Schedule or release"}
	return cmp.Or(names[source], say.Data(source))
}

// eventCell shows an event as words, with a link to the events of its kind.
func eventCell(c *frame.Call, event string) ui.Cell {
	return ui.Cell{Text: say.Known(ui.Words(event)), Href: ui.With(c.R.URL.Query(), "filter[event]", event)}
}

func addressCell(address *string) ui.Cell {
	return ui.Text(input.Given(address, ""))
}

func withoutPaging(query url.Values) url.Values {
	for _, name := range []string{"page", "per_page", "cursor"} {
		query.Del(name)
	}
	return query
}

func requests(c *frame.Call, st *rooms.Stores) (frame.Result, error) {
	q, err := readLogQuery(c, logs.RequestFilters()...)
	if err != nil {
		return frame.Result{}, err
	}
	page, err := logs.Requests(c.R.Context(), st.DB, q)
	if err != nil {
		return frame.Result{}, err
	}
	list := logList(c, page, []say.Text{"Time", "Method", "Path", "Status", "Took", "Address", "Key"},
		[]ui.Field{
			logFilter(q, "key", "Key"), logChoice(q, "method", "Method", "Every method", "GET", "HEAD", "POST", "PUT",
				"PATCH", "DELETE"), logFilter(q, "path", "Path"), logFilter(q, "status", "Status"),
		}, "No requests with a key in the last 30 days.", db.RequestDays)
	for _, line := range page.Items {
		list.Rows = append(list.Rows, ui.Row{Cells: []ui.Cell{
			ui.When(line.Time), ui.Code(line.Method), ui.Code(line.Path), statusCell(line.Status),
			ui.Text(strconv.FormatFloat(line.LatencyMS, 'f', 1, 64) + " ms"), ui.Text(line.Address),
			ui.Text(line.Key),
		}})
	}
	return frame.Result{Data: page.Items, Meta: frame.Meta(page), Page: &ui.Page{Title: "Requests", List: list}}, nil
}

// statusCell is an HTTP status, coloured.
func statusCell(status int) ui.Cell {
	kind := "good"
	if status >= 400 {
		kind = "bad"
	}
	return ui.Cell{Text: say.Number(status), Kind: kind}
}

// equalities reads the equality filters of a list that can filter by the known names only. An empty
// value sets no filter: the form above the list sends it.
func equalities(params url.Values, known []string) (map[string]string, error) {
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
				cms.Errorf(cms.CodeBadRequest, "The filter %q takes equality only: filter[%s]=value.", path, path)
		}
		if value != "" {
			filters[path] = value
		}
	}
	return filters, nil
}
