package homepages

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/listpages"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/db/logs"
	"headless/pkg/health"
	"headless/pkg/hooks"
	"headless/pkg/planning"
	"headless/pkg/review"
	"headless/pkg/rooms"
	"headless/pkg/site"
)

// dashboardView is the first page after signing in.
type dashboardView struct {
	Start     []template // nil unless the service has no model and the user may fill it
	Content   []contentCount
	More      int           // number of models beyond homeModels
	Mine      []homeLine    // entries that the user changed last
	ForMe     []homeLine    // tasks of the user
	Tasks     int           // the number of all tasks of the user
	Waiting   []homeLine    // work of everybody, such as drafts to publish
	Published []homeLine    // entries published last
	Health    []homeLine    // what is wrong with the content, by kind; nil if nothing is
	Pipeline  *pipelineView // nil without webhooks, and for users who are not admins
	Steps     []step        // nil once the site is set up, and for users who are not admins
}

// contentCount has the numbers of entries of a model by state. Those of drafts and of published entries with a draft
// are also counted in the languages that the user may write.
type contentCount struct {
	Slug, Name, Icon      string
	Published, Drafts     int
	OwnDrafts, OwnChanged int
	Own                   string // the language that the user may write, if the role has only one; else ""
	Inactive              bool
}

// Live is the number of published entries, Note says so and names the others.
func (m contentCount) Live() say.Text { return say.Number(m.Published) }

func (m contentCount) Note() say.Text {
	note := []say.Text{"published"}
	if m.Drafts > 0 {
		note = append(note, say.N(m.Drafts, "{1} draft", "{1} drafts"))
	}
	if m.Inactive {
		note = append(note, "model inactive")
	}
	return say.Join(note, ", ")
}

// pipelineView describes in words whether events reach the receivers of webhooks.
type pipelineView struct {
	State ui.Cell
	Says  say.Text
	Facts []ui.Fact
}

// step is one thing to do on a new site.
type step struct {
	Text say.Text
	Href string
	Help say.Text
	Done bool
}

// lateAfter is the age of an undelivered event or an overdue step after which the page warns. It is
// longer than the first retries take, and longer than the sweeper needs to find lost work.
const lateAfter = 15 * time.Minute

// DashboardRoutes returns the route of the first page.
func DashboardRoutes(st *rooms.Stores, releases *planning.Releases, reviews *review.Reviews) []frame.Route {
	h := dashboardHandlers{st, releases, reviews}
	return []frame.Route{{Method: "GET", Pattern: "/{$}", Role: cms.RoleViewer, Handle: h.show}}
}

type dashboardHandlers struct {
	store   *rooms.Stores
	planned *planning.Releases
	reviews *review.Reviews
}

func (h dashboardHandlers) show(c *frame.Call) (frame.Result, error) {
	ctx := c.R.Context()
	recent, err := logs.Activity(ctx, h.store.DB,
		logs.Query{Paging: db.Paging{Page: 1, PerPage: homeActivity}, Uncounted: true, Content: contentOnly(c)})
	if err != nil {
		return frame.Result{}, err
	}
	data := map[string]any{
		"models": len(c.Site.Models), "locales": len(c.Site.Locales), "forms": len(c.Site.Forms),
		"activity": recent.Items[:min(8, len(recent.Items))],
	}
	var pipeline hooks.Pipeline
	if c.MayUse(http.MethodGet, "/webhooks") { // it counts changes of all models
		if pipeline, err = h.store.Hooks.Pipeline(ctx); err != nil {
			return frame.Result{}, err
		}
		data["webhooks"] = pipeline
	}
	result := frame.Result{Data: data}
	if c.JSON {
		return result, nil
	}
	v := dashboardView{}
	if v.Content, v.More, err = h.content(ctx, c.Site); err != nil {
		return frame.Result{}, err
	}
	if v.Mine, v.Published, err = h.recent(c, recent.Items); err != nil {
		return frame.Result{}, err
	}
	if v.ForMe, v.Tasks, err = h.forMe(c); err != nil {
		return frame.Result{}, err
	}
	if v.Waiting, err = h.waitingTasks(c, v.Content); err != nil {
		return frame.Result{}, err
	}
	if v.Health, err = h.contentHealth(ctx); err != nil {
		return frame.Result{}, err
	}
	if c.User.Role == cms.RoleUserAdmin {
		if len(c.Site.Models) == 0 && frame.ModelsLocked(c.Site) == "" {
			v.Start = templates
		}
		if err := h.health(ctx, &v, pipeline); err != nil {
			return frame.Result{}, err
		}
	}
	result.Page = &ui.Page{Title: "Home", Template: "dashboard", Custom: v, Assets: []string{"dashboard"}}
	return result, nil
}

// health adds the parts for admins: the state of webhook deliveries, and the first steps of a new
// site.
func (h dashboardHandlers) health(ctx context.Context, v *dashboardView, pipeline hooks.Pipeline) error {
	hooks, err := h.store.Hooks.Webhooks(ctx)
	if err != nil {
		return err
	}
	if len(hooks) > 0 {
		v.Pipeline = newPipelineView(pipeline, h.store.Now())
	}
	v.Steps, err = h.steps(ctx, v.Content, len(hooks))
	return err
}

// contentHealth counts what is wrong with published entries, by kind.
func (h dashboardHandlers) contentHealth(ctx context.Context) (lines []homeLine, err error) {
	counts, err := health.Checks{Store: h.store.Content}.Counts(ctx)
	for _, kind := range health.Kinds {
		if n := counts[kind]; n > 0 {
			lines = append(lines, homeLine{Text: say.Known(kind.Words()),
				Href: ui.Base + "/health?kind=" + string(kind),
				Note: say.Number(n)})
		}
	}
	return lines, err
}

// homeModels is the greatest number of models whose entries the page counts, to limit its cost.
const homeModels = 24

// content counts the entries of the first homeModels models by name. more is the number of other
// models.
func (h dashboardHandlers) content(ctx context.Context, site *site.Site) (counts []contentCount, more int, err error) {
	models := frame.SortedModels(site)
	if more = max(0, len(models)-homeModels); more > 0 {
		models = models[:homeModels]
	}
	counts = make([]contentCount, len(models))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(10)
	for i, m := range models {
		counts[i] = contentCount{Slug: m.Slug, Name: m.Name, Icon: ui.ModelIcon(&m), Inactive: !m.IsActive}
		own := cms.PermissionsOf(ctx).Locales(cms.ActionWrite, m.Slug, site.Codes())
		if len(own) == 1 && m.Localized && len(site.Codes()) > 1 {
			counts[i].Own = own[0]
		}
		count := func(locales []string, status cms.Status, draft string, into ...*int) {
			g.Go(func() error {
				page, err := listpages.CountEntries(ctx, h.store.Content, site, site.Models[m.Slug], locales,
					string(status), draft)
				for _, n := range into {
					*n = page.Total
				}
				return err
			})
		}
		count(nil, cms.StatusPublished, "", &counts[i].Published)
		if len(own) > 0 {
			count(own, cms.StatusPublished, "true", &counts[i].OwnChanged)
		}
		switch len(own) {
		case len(site.Codes()):
			count(nil, cms.StatusDraft, "", &counts[i].Drafts, &counts[i].OwnDrafts)
		case 0:
			count(nil, cms.StatusDraft, "", &counts[i].Drafts)
		default:
			count(nil, cms.StatusDraft, "", &counts[i].Drafts)
			count(own, cms.StatusDraft, "", &counts[i].OwnDrafts)
		}
	}
	return counts, more, g.Wait()
}

// newPipelineView puts the findings of the latest sweep into words.
func newPipelineView(p hooks.Pipeline, now cms.Time) *pipelineView {
	v := &pipelineView{State: ui.Cell{Text: "healthy", Kind: "good"}, Says: "Every event is on its way or delivered."}
	if p.At.IsZero() {
		v.State, v.Says = ui.Cell{Text: "not checked yet", Kind: "grey"},
			"The first check runs within a few minutes."
		return v
	}
	oldest := ui.Cell{Text: "none", Kind: "muted"}
	if !p.OldestEvent.IsZero() {
		age := now.Sub(p.OldestEvent.Time)
		oldest = ui.Word(ageInWords(age))
		if age > lateAfter {
			v.State, v.Says = ui.Cell{Text: "late", Kind: "warn"},
				"A receiver has not taken an event for a while. Look at the webhooks' deliveries."
		}
	}
	overdue := ui.Cell{Text: "none", Kind: "muted"}
	if !p.OverdueStep.IsZero() {
		age := p.At.Sub(p.OverdueStep.Time)
		overdue = ui.Word(ageInWords(age))
		if age > lateAfter {
			overdue.Kind = "bad"
			v.State, v.Says = ui.Cell{Text: "needs attention", Kind: "bad"},
				"A dispatch or an attempt was due and was not made. Look at the log of the service."
		}
	}
	if p.DeadLetters > 0 || p.Lost > 0 {
		v.State, v.Says = ui.Cell{Text: "needs attention", Kind: "bad"},
			"Work was lost on its way and had to be found again. Nothing is gone, but it should not happen."
	}
	v.Facts = []ui.Fact{
		ui.NewFact("Oldest undelivered event", oldest),
		ui.NewFact("Longest overdue step", overdue),
		ui.NewFact("Events to be dispatched", ui.Word(say.Number(p.Undispatched))),
		ui.NewFact("Pending deliveries", ui.Word(say.Number(p.Pending))),
		ui.NewFact("Deliveries without a message", alarm(p.Lost)),
		ui.NewFact("Dead letters", alarm(p.DeadLetters)),
		ui.NewFact("Checked", ui.When(p.At)),
	}
	return v
}

// alarm shows a number that should be 0, and marks it as bad if it is not.
func alarm(n int) ui.Cell {
	if n > 0 {
		return ui.Cell{Text: say.Number(n), Kind: "bad"}
	}
	return ui.Text("0")
}

// ageInWords is a duration in its largest whole unit.
func ageInWords(d time.Duration) say.Text {
	const day = 24 * time.Hour
	switch {
	case d >= day:
		return say.N(int(d/day), "{1} day", "{1} days")
	case d >= time.Hour:
		return say.N(int(d/time.Hour), "{1} hour", "{1} hours")
	case d >= time.Minute:
		return say.N(int(d/time.Minute), "{1} minute", "{1} minutes")
	}
	return "less than a minute"
}

// steps returns the first steps of a new site, nil once it has models, entries and an API key.
func (h dashboardHandlers) steps(ctx context.Context, content []contentCount, hooks int) ([]step, error) {
	keys, err := h.store.Keys.Keys(ctx)
	if err != nil {
		return nil, err
	}
	entries, entriesAt := 0, ui.Base+"/models"
	for i, m := range content {
		entries += m.Published + m.Drafts
		if i == 0 {
			entriesAt = ui.Base + ui.EntriesPath(m.Slug) + "/create"
		}
	}
	if len(content) > 0 && entries > 0 && len(keys) > 0 {
		return nil, nil
	}
	return []step{
		{"Make a content model", ui.Base + "/models/create",
			"What your entries consist of, such as posts with a text and a picture.", len(content) > 0},
		{"Write an entry", entriesAt, "Publish it when it is ready; until then it is a draft.", entries > 0},
		{"Make an API key", ui.Base + "/keys/create",
			"With it your site reads the content from /api/v1.", len(keys) > 0},
		{"Tell others about changes", ui.Base + "/webhooks/create",
			"A webhook posts events to your site's build or your search index.", hooks > 0},
	}, nil
}
