package review

import (
	"context"
	"hash/crc32"
	"strconv"

	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/rights"
	"headless/pkg/site"
)

// Limits of a review.
const (
	maxReviewers = 20
	maxNote      = 5000 // characters
)

// Reviews are the use cases of reviews.
type Reviews struct {
	Entries *editing.Entries
	SiteURL string // the links in mails start with it
}

// Review is a review as shown.
type Review struct {
	State       string       `json:"state"`
	Version     string       `json:"version"` // the present one
	RequestedBy *cms.Person  `json:"requested_by"`
	RequestedAt *cms.Time    `json:"requested_at"`
	Reviewers   []cms.Person `json:"reviewers"`
	Due         *string      `json:"due"`
	Note        *string      `json:"note"`
	Approvals   []Approval   `json:"approvals"` // of the present version

	Decided      *approval.Decision `json:"-"` // the last change, if it can be taken back
	LastApproved *approval.Version  `json:"-"` // nil if none was since somebody asked
	Ended        int                `json:"-"` // approvals that do not count any more
	// Saved differs after each save of the entry or its draft, and Stamp after each change of the review
	// too.
	Saved, Stamp string `json:"-"`
}

// Approval is the approval of the present version by a user.
type Approval struct {
	User cms.Person `json:"user"`
	At   cms.Time   `json:"at"`
}

var (
	errNotAsked   = cms.Errorf(cms.CodeNotFound, "Nobody asked for a review of this entry.")
	errNoRequest  = cms.Errorf(cms.CodeConflict, "Nobody asked for a review of this version.")
	errNoDecision = cms.Errorf(cms.CodeConflict, "Somebody has changed this review since.")
	errOther      = cms.Errorf(cms.CodePreconditionFailed,
		"Somebody saved a newer version than the one that you decided on. Look at what changed, and decide again.")
	errOutdated = cms.Errorf(cms.CodePreconditionFailed,
		"The entry has changed since the version on which its draft is based.")
	errMayNot = cms.Errorf(cms.CodeForbidden, "You may not approve this entry.")
	errAuthor = cms.Errorf(cms.CodeForbidden, "You saved this version or asked for its review, so others approve it.")
)

// subject is an entry read for a review, with its model.
type subject struct {
	content.Reviewed
	m *site.Model
}

func (s *Reviews) readReview(ctx context.Context, find func(*site.Site, string) (*site.Model, error),
	model, id string) (subject, error) {
	m, id, err := s.Entries.Locate(ctx, find, model, id)
	if err != nil {
		return subject{}, err
	}
	v, err := s.Entries.Store.Reviewed(ctx, m, id)
	return subject{v, m}, content.EntryNotFound(err)
}

// Get returns the review of an entry; its state is "none" if nobody asked. Errors: MODEL_NOT_FOUND,
// ENTRY_NOT_FOUND.
func (s *Reviews) Get(ctx context.Context, model, id string) (Review, error) {
	v, err := s.readReview(ctx, (*site.Site).Model, model, id)
	if err != nil {
		return Review{}, err
	}
	return s.show(ctx, v, &v.Review)
}

// show returns r as the review of v.
func (s *Reviews) show(ctx context.Context, v subject, r *approval.Review) (Review, error) {
	shown := Review{State: r.State, Version: v.Version(), Reviewers: []cms.Person{}, Due: r.Due, Note: r.Note,
		Approvals: []Approval{}, Decided: r.Decided, LastApproved: r.Last,
		Saved: v.Version() + "/" + strconv.FormatInt(v.Entry.Version, 10)}
	shown.Stamp = shown.Saved + "/" + strconv.FormatUint(uint64(crc32.ChecksumIEEE(db.MustMarshal(r))), 36)
	if r.State == approval.None {
		return shown, nil
	}
	asked, err := rights.Person(ctx, s.Entries.Store.DB, r.RequestedBy)
	shown.RequestedBy, shown.RequestedAt = &asked, &r.RequestedAt
	var by cms.Person
	for _, id := range r.Reviewers {
		if err == nil {
			by, err = rights.Person(ctx, s.Entries.Store.DB, id)
			shown.Reviewers = append(shown.Reviewers, by)
		}
	}
	for _, a := range r.Approvals {
		if err == nil {
			by, err = rights.Person(ctx, s.Entries.Store.DB, a.User)
			shown.Approvals = append(shown.Approvals, Approval{by, a.At})
		}
	}
	if err != nil {
		return shown, err
	}
	now, valid, err := approval.Judge(s.Entries.Store.DB)(ctx, v.m, r.State, r.Approvals)
	shown.State, shown.Ended = now, len(r.Approvals)-valid
	return shown, err
}

// settleState sets the state of a review that is requested or approved by its approvals.
func (s *Reviews) settleState(ctx context.Context, v subject, r *approval.Review) (err error) {
	r.State, _, err = approval.Judge(s.Entries.Store.DB)(ctx, v.m, approval.Requested, r.Approvals)
	return err
}

// changeReview changes a review in a transaction; use changes r or returns an error. The commit requires
// that the version is still the present one. event is the kind of the event and activity record; use
// may return "" to change nothing.
func (s *Reviews) changeReview(ctx context.Context, actor cms.Actor, model, id string, need cms.Action,
	use func(v subject, r *approval.Review, now cms.Time) (event string, err error)) (Review, error) {
	var shown Review
	err := s.Entries.Store.Retry(ctx, func() error {
		v, err := s.readReview(ctx, (*site.Site).ActiveModel, model, id)
		if err != nil {
			return err
		}
		if err := s.permit(ctx, actor, need, v); err != nil {
			return err
		}
		tx, r := s.Entries.Store.Begin(), v.Review
		r.Decided = nil
		event, err := use(v, &r, tx.At())
		if err != nil {
			return err
		}
		if shown, err = s.show(ctx, v, &r); err != nil || event == "" {
			return err
		}
		v.RequireVersion(tx, v.m)
		r.Entry, r.Draft = v.Entry.Version, v.Number()
		approval.Put(tx, v.m, v.Entry.ID, &r)
		by, err := rights.Person(ctx, s.Entries.Store.DB, actor.UserID)
		if err == nil {
			err = s.waits(ctx, tx, by, v, &r)
		}
		if err == nil {
			err = s.Entries.Store.SetAboveOf(ctx, v.Entry)
		}
		if err != nil {
			return err
		}
		tx.EntryEvent(actor, event, v.m.Slug, eventData{editing.EventData(v.m, v.Entry),
			eventReview{shown.Version, shown.State, by, shown.Note}}, v.Entry.Version, db.NoNewVersion)
		tx.Activity(actor, event, editing.Subject(v.m, v.Entry), v.Entry.ID)
		return s.Entries.Store.Commit(ctx, tx)
	})
	return shown, err
}

// eventData is the data of the events of reviews.
type eventData struct {
	cms.EntryEventData
	Review eventReview `json:"review"`
}

type eventReview struct {
	Version string     `json:"version"`
	State   string     `json:"state"`
	By      cms.Person `json:"by"`
	Note    *string    `json:"note"`
}

// permit returns FORBIDDEN unless the actor may ask for reviews of an entry (need is
// cms.ActionWrite), or may approve it.
func (s *Reviews) permit(ctx context.Context, actor cms.Actor, need cms.Action, v subject) error {
	if need == cms.ActionWrite {
		return cms.PermissionsOf(ctx).Check(need, v.m.Slug, v.Entry.Locale, "entry")
	}
	may, err := rights.May(ctx, s.Entries.Store.DB, actor.UserID, need, v.m.Slug, v.Entry.Locale)
	if err == nil && !may {
		err = errMayNot
	}
	return err
}
