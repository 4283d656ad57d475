package planpages

import (
	"maps"
	"slices"
	"time"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/reviewpages"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/planning"
	"headless/pkg/review"
)

// PlannedRoutes returns the route that lists planned changes (extensions §4). Its page has the
// due tasks of the user, too.
func PlannedRoutes(releases *planning.Releases, reviews *review.Reviews) []frame.Route {
	h := plannedHandlers{releases, reviews}
	return []frame.Route{{Method: "GET", Pattern: "/planned", Role: cms.RoleViewer, Handle: h.list}}
}

type plannedHandlers struct {
	releases *planning.Releases
	reviews  *review.Reviews
}

// plannedFor is the time span that the page shows without the query parameter to, up to a Sunday: a day that
// the calendar shows has its plans. JSON has all planned changes.
const plannedFor = 5 * 7 * 24 * time.Hour

// list lists planned changes by time; on the page they are grouped by day.
func (h plannedHandlers) list(c *frame.Call) (frame.Result, error) {
	if err := c.RefuseNames(frame.ListParams...); err != nil {
		return frame.Result{}, err
	}
	now := h.releases.Store.Now()
	from, err := queryTime(c, "from", now.Time)
	if err != nil {
		return frame.Result{}, err
	}
	week := !c.JSON && c.R.URL.Query().Get("view") == "week"
	span := plannedFor
	if week {
		from, span = monday(from.UTC()), 7*24*time.Hour
	}
	until := monday(from.UTC().Add(span))
	if c.JSON {
		until = from.AddDate(planning.MaxAhead+1, 0, 0)
	}
	to, err := queryTime(c, "to", until)
	if err != nil {
		return frame.Result{}, err
	}
	model := c.R.URL.Query().Get("model")
	planned, err := h.planned(c, from, to, model)
	if n := len(planned); err != nil || c.JSON {
		all := db.Page[planning.Planned]{Paging: db.Paging{Page: 1, PerPage: max(n, 1)}, Total: n}
		return frame.Result{Data: planned, Meta: frame.Meta(all)}, err
	}
	page := &ui.Page{Title: "Planned", Template: "planned", Assets: []string{"tools", "rows", "list", "drag", "planned"}}
	if m := c.Site.Models[model]; m != nil {
		page.Title, page.Crumbs = say.F("Planned: {1}", m.Name),
			[]ui.Link{entrydata.ListLink(m)}
	}
	items, err := h.datedItems(c, from, to, planned)
	if err != nil {
		return frame.Result{}, err
	}
	days, next := plannedDays(items), to
	if len(items) == 0 {
		later, err := h.planned(c, to, to.AddDate(planning.MaxAhead+1, 0, 0), model)
		if err != nil {
			return frame.Result{}, err
		}
		if len(later) > 0 {
			next = later[0].At.UTC()
			days[0].List.Empty = say.F("Next change: {1}", say.LongDate(next))
		}
	}
	view := plannedPage(c, week, from, to, next)
	view.Weeks, view.Days = calendar(from.UTC(), to.UTC(), items), days
	if c.May(cms.RoleEditor) {
		page.Links = []ui.Link{{Text: "Releases", Href: ui.Base + "/releases"}, {Text: "Jobs", Href: ui.Base + "/jobs"}}
		if h.releases.May(c.R.Context(), "", cms.ActionWrite) == nil {
			page.Links = append(page.Links, ui.Link{Text: "Preview site", Href: ui.Base + "/previews/new"})
		}
	}
	page.Custom = view
	return frame.Result{Data: planned, Page: page}, nil
}

// planned returns what is planned between two times, of one model if it is not "".
func (h plannedHandlers) planned(c *frame.Call, from, to time.Time, model string) ([]planning.Planned, error) {
	list, err := h.releases.Planned(c.R.Context(), from, to)
	return slices.DeleteFunc(list, func(p planning.Planned) bool { return model != "" && p.Model != model }), err
}

// plannedView is the page: the planned changes as a calendar, and as a list by day.
type plannedView struct {
	Actions []ui.Action
	Spans   []ui.Tab // links to the month and the week
	Filters []ui.Field
	Weeks   [][]calendarDay // from Monday to Sunday
	Days    []ui.Section
}

// calendarDay is a day of the calendar, in UTC. Outside is true for days before and after the time
// span that was asked for.
type calendarDay struct {
	Date    time.Time
	Outside bool
	Items   []calendarItem
}

// calendarItem is a planned change, or a due task of the user. At is a date or a time; a script moves
// an item with a time to its day in the reader's time zone.
type calendarItem struct {
	At, Text, Model, Href string // Model is a name
	Action, Language      say.Text

	when time.Time
	// Move is the URL of the form that moves the item, "" if the user may not; Field is the form's
	// field with the time.
	Move, Field string
}

// Time is the time of the day in UTC, "" for a date.
func (i calendarItem) Time() string {
	if len(i.At) == len(time.DateOnly) {
		return ""
	}
	return i.when.Format("15:04")
}

// datedItems returns the planned changes and the due tasks of the user between two times, sorted by time.
func (h plannedHandlers) datedItems(c *frame.Call, from, to time.Time,
	planned []planning.Planned) ([]calendarItem, error) {
	items := make([]calendarItem, 0, len(planned))
	for _, p := range planned {
		item := calendarItem{At: p.At.UTC().Format(time.RFC3339), Text: p.Title, Action: say.Known(p.Action),
			Model: c.Site.ModelName(p.Model), Href: plannedAddress(p), Language: c.LocaleName(p.Locale),
			when: p.At.UTC(), Field: "publish_at"}
		if p.Action == planning.ActionUnpublish {
			item.Field = "unpublish_at"
		}
		item.Move = moveAddress(c, p)
		items = append(items, item)
	}
	list, err := h.reviews.Due(c.R.Context(), c.User.ID, func(due string) bool {
		at, isDay := dueTime(due)
		first := from
		if isDay {
			first = from.UTC().Truncate(24 * time.Hour)
		}
		return !at.Before(first) && at.Before(to)
	})
	model := c.R.URL.Query().Get("model")
	for _, t := range list {
		if model != "" && t.Model != model {
			continue
		}
		at, _ := dueTime(*t.Due)
		items = append(items, calendarItem{At: *t.Due, Text: t.Title, Action: say.F("due: {1}",
			reviewpages.TaskWords[t.Kind]),
			Model: c.Site.ModelName(t.Model), Href: reviewpages.TaskAddress(t),
			Language: c.LocaleName(t.Locale), when: at})
	}
	cms.Sort(items, func(a, b calendarItem) int { return a.when.Compare(b.when) })
	return items, err
}

// dueTime reads when a task is due: a day, or a time.
func dueTime(due string) (at time.Time, isDay bool) {
	if at, isDay = cms.ParseDate(due); !isDay {
		at, _ = cms.ParseDateTime(due)
	}
	return at.UTC(), isDay
}

// maxWeeks limits the calendar, but not the list below it.
const maxWeeks = 14

// calendar returns the weeks from one time to another, which is the first that is not shown, with the items of each
// day.
func calendar(from, to time.Time, items []calendarItem) [][]calendarDay {
	byDay := map[string][]calendarItem{}
	for _, item := range items {
		day := item.when.Format(time.DateOnly)
		byDay[day] = append(byDay[day], item)
	}
	first, last := from.Format(time.DateOnly), to.Add(-1).Format(time.DateOnly)
	day := monday(from)
	var weeks [][]calendarDay
	for len(weeks) < maxWeeks && day.Before(to) {
		week := make([]calendarDay, 7)
		for i := range week {
			name := day.Format(time.DateOnly)
			week[i] = calendarDay{Date: day, Outside: name < first || name > last, Items: byDay[name]}
			day = day.AddDate(0, 0, 1)
		}
		weeks = append(weeks, week)
	}
	return weeks
}

// monday returns the first moment of the week of a time in UTC.
func monday(t time.Time) time.Time {
	day := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}

// plannedDays lists the items, with a section for each day that has any.
func plannedDays(items []calendarItem) []ui.Section {
	var days []ui.Section
	for _, item := range items {
		day := say.LongDate(item.when)
		if n := len(days); n == 0 || days[n-1].Title != day {
			days = append(days,
				ui.Section{Title: day,
					List: &ui.List{Columns: []say.Text{"What", "Time", "Action", "Model", "Language"}}})
		}
		list := days[len(days)-1].List
		list.Rows = append(list.Rows, ui.Row{
			Href: item.Href, Cells: []ui.Cell{ui.Text(item.Text), {Text: say.Data(item.At), Kind: "time"},
				ui.Word(item.Action), ui.Text(item.Model), ui.Word(item.Language)},
		})
	}
	if len(days) == 0 {
		days = []ui.Section{{Title: "Nothing is planned",
			List: &ui.List{Empty: "Plan changes on the page of an entry or in a release."}}}
	}
	return days
}

func plannedAddress(p planning.Planned) string {
	if p.Action == planning.ActionRelease {
		return ui.Base + "/releases/" + p.ID
	}
	return entrydata.EntryAddress(p.Model, p.ID)
}

// moveAddress returns the URL of the form that plans a change for another time, "" if the user may
// not do that.
func moveAddress(c *frame.Call, p planning.Planned) string {
	may := cms.PermissionsOf(c.R.Context())
	switch {
	case !c.May(cms.RoleEditor):
		return ""
	case p.Action == planning.ActionRelease:
		return plannedAddress(p) + "/edit"
	case may.May(cms.ActionWrite, p.Model, p.Locale) && may.May(cms.ActionPublish, p.Model, p.Locale):
		return plannedAddress(p) + "/schedule"
	}
	return ""
}

// plannedPage returns the page without its items: the links to other spans of time, and the filter.
func plannedPage(c *frame.Call, week bool, from, to, next time.Time) *plannedView {
	q := c.R.URL.Query()
	q.Del("to")
	at := func(name, value string) string {
		q := maps.Clone(q)
		q.Set(name, value)
		return ui.Base + "/planned?" + q.Encode()
	}
	day := func(t time.Time) string { return t.UTC().Format(time.DateOnly) }
	return &plannedView{
		Actions: []ui.Action{{Label: "Earlier", Href: at("from", day(from.Add(from.Sub(to))))},
			{Label: "Later", Href: at("from", day(next))}},
		Spans: []ui.Tab{{Text: "Month", Href: at("view", "month"), Here: !week},
			{Text: "Week", Href: at("view", "week"), Here: week}},
		Filters: []ui.Field{ui.Kept("view", q.Get("view")),
			ui.Kept("from", q.Get("from")),
			{Name: "model", Label: "Model", Kind: "select", Value: q.Get("model"),
				Options: ui.WithNone("All models and releases", ui.ModelOptions(frame.SortedModels(c.Site)))}},
	}
}

// queryTime reads a query parameter that is a time or a date.
func queryTime(c *frame.Call, name string, fallback time.Time) (time.Time, error) {
	text := c.R.URL.Query().Get(name)
	if text == "" {
		return fallback, nil
	}
	if t, ok := cms.ParseDateTime(text); len(text) > len(time.DateOnly) && ok {
		return t, nil
	}
	if t, ok := cms.ParseDate(text); ok {
		return t, nil
	}
	return fallback,
		cms.Errorf(cms.CodeBadRequest, "%s must be a date or a timestamp of the form 2026-01-31T12:00:00Z.", name)
}
