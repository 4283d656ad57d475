package homepages

import (
	"slices"
	"strings"
	"time"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/reviewpages"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// homeLine is a line of the first page: a link with a note and a time.
type homeLine struct {
	Text say.Text
	Href string
	Note say.Text
	Time string
}

const (
	homeActivity = 100 // lines of the activity log that the page reads
	homeLines    = 6   // lines of a list
	homePlan     = 7 * 24 * time.Hour
)

// recent returns the entries that a user changed last and the entries published last, as found in
// the newest lines of the log.
func (h dashboardHandlers) recent(c *frame.Call, lines []db.Activity) (mine, published []homeLine, err error) {
	people, err := c.People()
	if err != nil {
		return nil, nil, err
	}
	var own, live []entryLine
	for _, line := range lines {
		e, ok := entryOf(c.Site, people, line)
		if !ok {
			continue
		}
		if line.Actor != nil && *line.Actor == c.User.Email && line.Event != "entry.deleted" {
			own = appendNew(own, e)
		}
		if line.Event == string(cms.EventEntryPublished) {
			live = appendNew(live, e)
		}
	}
	if mine, err = h.withTitles(c, own); err == nil {
		published, err = h.withTitles(c, live)
	}
	return mine, published, err
}

// entryLine is a line of the log about an entry.
type entryLine struct {
	ref  content.Reference
	at   cms.Time
	note say.Text
}

// entryIn returns the slug of the model and the id of the entry that a line of the log is about; "" if there is none.
// The subject of such a line begins with the slug of the model.
func entryIn(line db.Activity) (model, id string) {
	kind, _, _ := strings.Cut(line.Event, ".")
	model, _, ok := strings.Cut(line.Subject, "/")
	if !ok || line.SubjectID == nil || kind != "entry" && kind != "preview" {
		return "", ""
	}
	return model, *line.SubjectID
}

// entryOf returns the entry that a line of the log is about, and false if there is none.
func entryOf(site *site.Site, people frame.People, line db.Activity) (entryLine, bool) {
	slug, id := entryIn(line)
	m := site.Models[slug]
	if m == nil || !strings.HasPrefix(line.Event, "entry.") {
		return entryLine{}, false
	}
	note := say.Text("")
	if line.Actor != nil {
		note = people.Name(*line.Actor)
	}
	return entryLine{content.Reference{Model: m, ID: id}, line.Time, note}, true
}

// appendNew adds an entry that is not in the list yet, while there is room.
func appendNew(list []entryLine, e entryLine) []entryLine {
	if len(list) == homeLines || slices.ContainsFunc(list, func(o entryLine) bool { return o.ref.ID == e.ref.ID }) {
		return list
	}
	return append(list, e)
}

// withTitles reads the titles of entries. Deleted entries are left out.
func (h dashboardHandlers) withTitles(c *frame.Call, list []entryLine) ([]homeLine, error) {
	refs := slice.Map(list, func(e entryLine) content.Reference { return e.ref })
	entries, err := h.store.Content.EntriesByID(c.R.Context(), refs)
	if err != nil {
		return nil, err
	}
	var lines []homeLine
	for i, e := range entries {
		if e != nil {
			m := list[i].ref.Model
			language := c.LocaleName(e.Locale)
			note := say.F("{1}, {2}", m.Name, language)
			if list[i].note != "" {
				note = say.F("{1}, {2}, by {3}", m.Name, language, list[i].note)
			}
			lines = append(lines, homeLine{Text: say.Data(e.Title), Href: entrydata.EntryAddress(m.Slug, e.ID),
				Note: note, Time: list[i].at.String()})
		}
	}
	return lines, nil
}

// forMe returns the first tasks of the user and the number of all.
func (h dashboardHandlers) forMe(c *frame.Call) ([]homeLine, int, error) {
	people, err := c.People()
	if err != nil {
		return nil, 0, err
	}
	list, err := h.reviews.Tasks(c.R.Context(), c.User.ID, db.Paging{Page: 1, PerPage: homeLines})
	var lines []homeLine
	for _, t := range list.Items {
		lines = append(lines, homeLine{Text: say.F("{1}: {2}", reviewpages.TaskWords[t.Kind], t.Title),
			Href: reviewpages.TaskAddress(t), Note: people.Name(t.By.Name), Time: t.At.String()})
	}
	return lines, list.Total, err
}

// waitingTasks returns the tasks of the page: drafts and changes to publish in the languages that the user may write,
// submissions to read, and what is planned for the next seven days.
func (h dashboardHandlers) waitingTasks(c *frame.Call, counts []contentCount) ([]homeLine, error) {
	var lines, drafts []homeLine
	for _, m := range counts {
		at := ui.Base + ui.EntriesPath(m.Slug) + "?"
		if m.Own != "" {
			at += "filter%5Blocale%5D=" + m.Own + "&"
		}
		if m.OwnChanged > 0 {
			lines = append(lines, homeLine{Text: say.N(m.OwnChanged, "{2}: {1} change not published",
				"{2}: {1} changes not published", m.Name), Href: at + "filter%5Bhas_draft%5D=true&filter%5Bstatus%5D=published"})
		}
		if m.OwnDrafts > 0 {
			drafts = append(drafts, homeLine{Text: say.N(m.OwnDrafts, "{2}: {1} draft", "{2}: {1} drafts", m.Name),
				Href: at + "filter%5Bstatus%5D=draft"})
		}
	}
	unread, err := frame.UnreadForms(c, h.store.Forms.NewSubmissions, c.Site)
	if err != nil {
		return nil, err
	}
	for _, f := range unread {
		lines = append(lines, homeLine{Text: say.N(f.Count, "{2}: {1} unread submission", "{2}: {1} unread submissions",
			f.Name),
			Href: f.Href})
	}
	now := h.store.Now()
	planned, err := h.planned.Planned(c.R.Context(), now.Time, now.Add(homePlan))
	if err != nil {
		return nil, err
	}
	for _, p := range planned[:min(homeLines, len(planned))] {
		line := homeLine{Text: say.F("Planned: {1} {2}", say.Known(p.Action), p.Title), Href: ui.Base + "/planned",
			Time: p.At.String()}
		lines = append(lines, line)
	}
	if more := len(drafts) - homeLines; more > 1 { // the tiles below show all of them
		drafts = append(drafts[:homeLines], homeLine{Text: say.N(more, "Drafts of {1} other model",
			"Drafts of {1} other models"),
			Href: "#content"})
	}
	return append(lines, drafts...), nil
}
