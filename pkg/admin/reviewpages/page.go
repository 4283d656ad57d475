package reviewpages

import (
	"slices"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entrypages"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/comments"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/review"
	"headless/pkg/rights"
	"headless/pkg/site"
)

// reviewView is the page of a review, with the comments on the entry.
type reviewView struct {
	*entrypages.EntryView
	At        string // path of the entry
	Review    review.Review
	Badge     ui.Cell
	Required  int  // approvals that the model requires
	MayAsk    bool // the user may ask for a review or withdraw it
	MayDecide bool
	Own       bool   // the user saved the version or asked, so others approve it
	Asked     bool   // the user asked, so does not decide but may withdraw the request
	Gave      bool   // the user has approved the version
	Ready     bool   // the user may publish the version, and it has its approvals
	Typed     string // note of a return that was refused
	Said      string // comment that was refused
	Approvers []cms.Person
	Readers   []cms.Person
	people    frame.People
	Fields    []ui.Option
	Threads   []thread
	model     *site.Model
	entry     *editing.Drafted
	Stamp     int64 // of the comments
	Alone     bool  // the page has only the comments
	More      bool  // there are more comments than the page shows
	// Since names the version that Changes are compared with: the approved or the published one. "" if
	// there is none.
	Since   say.Text
	Changes []entrypages.FieldChange
}

// Decidable reports whether the version can be approved or sent back.
func (v *reviewView) Decidable() bool {
	return v.MayDecide && (v.Review.State == approval.Requested || v.Review.State == approval.Approved)
}

// IsReviewer reports whether a user was asked.
func (v *reviewView) IsReviewer(id string) bool {
	return slices.ContainsFunc(v.Review.Reviewers, func(p cms.Person) bool { return p.ID == id })
}

// Needs says how many approvals the model requires.
func (v *reviewView) Needs() say.Text {
	return say.N(v.Required, "Entries of this model need {1} approval before they are published.",
		"Entries of this model need {1} approvals before they are published.")
}

// Ended says how many approvals count no more.
func (v *reviewView) Ended() say.Text {
	return say.N(v.Review.Ended, "{1} approval does not count any more", "{1} approvals do not count any more")
}

// thread is a first comment with its replies.
type thread struct {
	Remark
	Replies []Remark
}

// Remark is a comment as the page shows it. Text has names in place of ids.
type Remark struct {
	comments.Comment
	Said      string
	Label     say.Text
	EditAt    string // address of the field in the form, "" for the whole entry without a quote
	Mine      bool
	MayDelete bool
	Lost      bool // the text does not have the quoted passage any more
}

// StateBadges name the states of a review.
var StateBadges = map[string]ui.Cell{
	approval.None: {Text: "not asked", Kind: "grey"}, approval.Requested: {Text: "in review", Kind: "warn"},
	approval.Approved: {Text: "approved", Kind: "good"}, approval.Returned: {Text: "sent back", Kind: "bad"},
}

func (h Handlers) page(c *frame.Call, r review.Review) (*ui.Page, error) {
	ctx, st := c.R.Context(), h.Entries.Entries.Store
	page, v, err := h.commentsPage(c)
	if err != nil {
		return nil, err
	}
	m, d := v.model, v.entry
	v.Alone, v.Review, v.Badge, v.Required, v.MayAsk = false, r, StateBadges[r.State], m.Review, !v.ReadOnly
	if v.MayDecide, err = rights.May(ctx, st.DB, c.User.ID, cms.ActionApprove, m.Slug, d.Entry.Locale); err != nil {
		return nil, err
	}
	if v.Own, err = h.Reviews.IsAuthor(ctx, c.User.ID, m.Slug, d.Entry.ID); err != nil {
		return nil, err
	}
	if v.Approvers, err = v.people.Who(ctx, cms.ActionApprove, m.Slug, d.Entry.Locale); err != nil {
		return nil, err
	}
	// Who asks cannot approve.
	v.Approvers = slices.DeleteFunc(v.Approvers, func(p cms.Person) bool { return p.ID == c.User.ID })
	v.Asked = r.RequestedBy != nil && r.RequestedBy.ID == c.User.ID
	v.Gave = slices.ContainsFunc(r.Approvals, func(a review.Approval) bool { return a.User.ID == c.User.ID })
	v.Ready = r.State == approval.Approved && v.Publish && !d.Outdated &&
		(d.Info != nil || d.Live.Status != cms.StatusPublished)
	v.Presence = v.At + "/presence"
	page.UseLater("presence")
	return page, h.addChanges(c, v)
}

// commentsPage returns the page with the comments on an entry alone, and its view.
func (h Handlers) commentsPage(c *frame.Call) (*ui.Page, *reviewView, error) {
	m, err := c.Model()
	if err != nil {
		return nil, nil, err
	}
	page, view, d, err := entrypages.Pages{EntryHandlers: h.Entries}.TabPage(c, m)
	if err != nil {
		return nil, nil, err
	}
	v := &reviewView{EntryView: view, At: ui.Base + entrydata.EntryAt(c), model: m, entry: d, Alone: true}
	if v.people, err = c.People(); err != nil {
		return nil, nil, err
	}
	if v.Readers, err = v.people.Who(c.R.Context(), cms.ActionRead, m.Slug, d.Entry.Locale); err != nil {
		return nil, nil, err
	}
	v.Fields = []ui.Option{{Label: "The whole entry"}, {Value: "title", Label: "Title"}, {Value: "slug", Label: "Slug"}}
	for _, f := range m.Fields {
		v.Fields = append(v.Fields, ui.Option{Value: "data." + f.Name, Label: entrydata.LabelOf(f)})
	}
	v.Fields = append(v.Fields, ui.Option{Value: "seo.title", Label: "Title for search engines"},
		ui.Option{Value: "seo.description", Label: "Description for search engines"})
	page.Template, page.Custom = "review", v
	page.Use("review")
	return page, v, h.addComments(c, v)
}

// addChanges adds the changes since the version that was approved last or, without one that is kept,
// since the published version.
func (h Handlers) addChanges(c *frame.Call, v *reviewView) error {
	d, pages := v.entry, entrypages.Pages{EntryHandlers: h.Entries}
	if last := v.Review.LastApproved; last != nil {
		changes, kept, err := pages.ChangesSince(c, v.model, d, *last)
		if err != nil {
			return err
		}
		if kept {
			v.Since, v.Changes = "approved", changes
			return nil
		}
	}
	if d.Live.Status != cms.StatusPublished {
		return nil
	}
	changes, _, err := pages.ChangesSince(c, v.model, d, approval.Version{Entry: d.Live.Version})
	v.Since, v.Changes = "published", changes
	return err
}

// addComments adds the comments on an entry as threads, the newest last.
func (h Handlers) addComments(c *frame.Call, v *reviewView) (err error) {
	e := v.entry.Entry
	// The stamp is read first: a change between the two reads is fetched once more.
	if v.Stamp, err = h.Comments.Stamp(c.R.Context(), v.model.ID, e.ID); err != nil {
		return err
	}
	list, err := h.Comments.List(c.R.Context(), c.R.PathValue("slug"), c.R.PathValue("id"), comments.Filter{},
		db.Paging{Page: 1, PerPage: comments.MaxOfEntry})
	if err != nil {
		return err
	}
	v.More = list.Total > len(list.Items)
	named, form := showMentions(c, v.people), entrydata.FormAddress(c, c.R.PathValue("slug"), e.ID)
	for _, item := range list.Items {
		one := Remark{Comment: item, Said: named(item.Text),
			Mine: item.Author != nil && item.Author.ID == c.User.ID, Lost: isLost(item, e)}
		one.MayDelete = one.Mine || c.User.Role == cms.RoleUserAdmin
		if item.Quote != nil {
			one.EditAt = form
		}
		if item.Field != nil {
			one.Label, one.EditAt = entrydata.PathLabel(v.model, *item.Field), form+"#f-"+*item.Field
		}
		if item.Parent == nil {
			v.Threads = append(v.Threads, thread{Remark: one})
			continue
		}
		for i := range v.Threads {
			if v.Threads[i].ID == *item.Parent {
				v.Threads[i].Replies = append(v.Threads[i].Replies, one)
			}
		}
	}
	cms.Sort(v.Threads, func(a, b thread) int { return cms.CompareBool(a.Resolved, b.Resolved) })
	return nil
}
