package review

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"

	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/input"
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

	LastApproved *approval.Version `json:"-"` // nil if none was since somebody asked
}

// Approval is the approval of the present version by a user.
type Approval struct {
	User cms.Person `json:"user"`
	At   cms.Time   `json:"at"`
}

var (
	errNotAsked  = cms.Errorf(cms.CodeNotFound, "Nobody asked for a review of this entry.")
	errNoRequest = cms.Errorf(cms.CodeConflict, "Nobody asked for a review of this version.")
	errOther     = cms.Errorf(cms.CodePreconditionFailed, "This is not the present version.")
	errOutdated  = cms.Errorf(cms.CodePreconditionFailed,
		"The entry has changed since the version on which its draft is based.")
	errMayNot = cms.Errorf(cms.CodeForbidden, "You may not approve this entry.")
	errAuthor = cms.Errorf(cms.CodeForbidden, "You saved this version or asked for its review, so others approve it.")
)

// subject is an entry read for a review, with its model.
type subject struct {
	content.Reviewed
	m *site.Model
}

func (s *Reviews) read(ctx context.Context, find func(*site.Site, string) (*site.Model, error),
	model, id string) (subject, error) {
	now, err := s.Entries.Store.Site(ctx)
	if err != nil {
		return subject{}, err
	}
	m, err := find(now, model)
	if err != nil {
		return subject{}, err
	}
	id, valid := input.CanonicalID(id)
	if !valid {
		return subject{}, content.ErrEntryNotFound
	}
	v, err := s.Entries.Store.Reviewed(ctx, m, id)
	return subject{v, m}, content.EntryNotFound(err)
}

// Get returns the review of an entry; its state is "none" if nobody asked. Errors: MODEL_NOT_FOUND,
// ENTRY_NOT_FOUND.
func (s *Reviews) Get(ctx context.Context, model, id string) (Review, error) {
	v, err := s.read(ctx, (*site.Site).Model, model, id)
	if err != nil {
		return Review{}, err
	}
	return s.show(ctx, v, &v.Review)
}

// show returns r as the review of v.
func (s *Reviews) show(ctx context.Context, v subject, r *approval.Review) (Review, error) {
	shown := Review{State: r.State, Version: v.Version(), Reviewers: []cms.Person{}, Due: r.Due, Note: r.Note,
		Approvals: []Approval{}, LastApproved: r.Last}
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
	if err == nil && r.State == approval.Approved { // the rights of who approved may have ended
		err = s.settle(ctx, v, r)
		shown.State = r.State
	}
	return shown, err
}

// settle sets the state of a review that is requested or approved by its approvals.
func (s *Reviews) settle(ctx context.Context, v subject, r *approval.Review) error {
	n, err := approval.Count(ctx, s.Entries.Store.DB, v.m, v.Entry.Locale, r.Approvals)
	r.State = approval.Requested
	if n >= max(1, v.m.Review) {
		r.State = approval.Approved
	}
	return err
}

// change changes a review in a transaction; use changes r or returns an error. The commit requires
// that the version is still the present one. event is the kind of the event and activity record; use
// may return "" to change nothing.
func (s *Reviews) change(ctx context.Context, actor cms.Actor, model, id string, need cms.Action,
	use func(v subject, r *approval.Review, now cms.Time) (event string, err error)) (Review, error) {
	var shown Review
	err := s.Entries.Store.Retry(ctx, func() error {
		v, err := s.read(ctx, (*site.Site).ActiveModel, model, id)
		if err != nil {
			return err
		}
		if err := s.permit(ctx, actor, need, v); err != nil {
			return err
		}
		tx, r := s.Entries.Store.Begin(), v.Review
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

// request is the body of a request for review.
type request struct {
	Reviewers *[]string `json:"reviewers"`
	Due       *string   `json:"due"`
	Note      *string   `json:"note"`
}

// Ask asks for a review of the present version of an entry. If somebody asked before, it replaces
// reviewers, due and note, and keeps the approvals. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND,
// FORBIDDEN without the right to write, VALIDATION_FAILED.
func (s *Reviews) Ask(ctx context.Context, actor cms.Actor, model, id string, body map[string]any) (Review, error) {
	var in request
	malformed := cms.Problems{}
	input.Decode(body, &in, malformed)
	return s.change(ctx, actor, model, id, cms.ActionWrite,
		func(v subject, r *approval.Review, now cms.Time) (string, error) {
			p := cms.Problems{}
			p.Merge(malformed)
			r.Reviewers = []string{}
			for i, given := range input.Given(in.Reviewers, nil) {
				id, err := s.reviewer(ctx, p, "reviewers."+strconv.Itoa(i), v, given)
				if err != nil {
					return "", err
				}
				if !slices.Contains(r.Reviewers, id) {
					r.Reviewers = append(r.Reviewers, id)
				}
			}
			if len(r.Reviewers) > maxReviewers {
				p.Add("reviewers", "must hold at most %d users", maxReviewers)
			}
			r.Due, r.Note = Due(p, in.Due), note(p, in.Note)
			if err := p.Err(); err != nil {
				return "", err
			}
			if r.State == approval.None || r.State == approval.Returned {
				r.RequestedBy, r.RequestedAt = actor.UserID, now
			}
			if !slices.Contains(r.Askers, actor.UserID) {
				r.Askers = append(slices.Clone(r.Askers), actor.UserID)
			}
			return cms.EventEntryReviewRequested, s.settle(ctx, v, r)
		})
}

// reviewer returns the id of a user who is asked for a review, and adds a problem unless the user is
// active and may read the entry.
func (s *Reviews) reviewer(ctx context.Context, p cms.Problems, at string, v subject, given string) (string, error) {
	id, _ := input.CanonicalID(given)
	may, err := rights.May(ctx, s.Entries.Store.DB, id, cms.ActionRead, v.m.Slug, v.Entry.Locale)
	if err == nil && !may {
		p.Add(at, "must be the id of an active user who may read this entry")
	}
	return id, err
}

// Due returns the stored form of a date or time until when something is due; nil for none. It adds
// a problem for other texts.
func Due(p cms.Problems, given *string) *string {
	if given == nil || *given == "" {
		return nil
	}
	due := *given
	if at, ok := cms.ParseDateTime(due); ok {
		due = cms.At(at).String()
	} else if _, ok := cms.ParseDate(due); !ok {
		p.Add("due", "must be a date or a timestamp of the form 2026-01-31T12:00:00Z")
	}
	return &due
}

func note(p cms.Problems, given *string) *string {
	if given == nil || *given == "" {
		return nil
	}
	if utf8.RuneCountInString(*given) > maxNote {
		p.Add("note", "must have at most %d characters", maxNote)
	}
	return given
}

// Withdraw ends the review of an entry. Errors: those of Ask, and NOT_FOUND if nobody asked.
func (s *Reviews) Withdraw(ctx context.Context, actor cms.Actor, model, id string) error {
	return s.Entries.Store.Retry(ctx, func() error {
		v, err := s.read(ctx, (*site.Site).ActiveModel, model, id)
		if err != nil {
			return err
		}
		if err := s.permit(ctx, actor, cms.ActionWrite, v); err != nil {
			return err
		}
		if !v.Review.Exists() {
			return errNotAsked
		}
		tx := s.Entries.Store.Begin()
		approval.End(tx, v.m, v.Entry.ID, &v.Review)
		tx.Activity(actor, "entry.review_withdrawn", editing.Subject(v.m, v.Entry), v.Entry.ID)
		return s.Entries.Store.Commit(ctx, tx)
	})
}

// wrote reports whether a user saved the present version, or asked for its review.
func (s *Reviews) wrote(ctx context.Context, v subject, r *approval.Review, userID string) (bool, error) {
	authors, err := s.Entries.Store.Authors(ctx, v.m, v.Reviewed)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return false, err
	}
	return slices.Contains(authors, userID) || slices.Contains(r.Askers, userID), nil
}

// IsAuthor reports whether a user cannot approve the present version of an entry, because the user
// saved it or asked for its review. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND.
func (s *Reviews) IsAuthor(ctx context.Context, userID, model, id string) (bool, error) {
	v, err := s.read(ctx, (*site.Site).Model, model, id)
	if err != nil {
		return false, err
	}
	return s.wrote(ctx, v, &v.Review, userID)
}

// Approve approves the present version of an entry, which the body names. Approving it again changes
// nothing. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND, VALIDATION_FAILED, FORBIDDEN for who may not
// approve or wrote it, CONFLICT if nobody asked, PRECONDITION_FAILED for another version or an
// outdated draft.
func (s *Reviews) Approve(ctx context.Context, actor cms.Actor, model, id string, body map[string]any) (Review, error) {
	return s.change(ctx, actor, model, id, cms.ActionApprove,
		func(v subject, r *approval.Review, now cms.Time) (string, error) {
			if _, err := decide(body, v, r, false); err != nil {
				return "", err
			}
			if editing.Lay(v.m, v.Entry, v.Draft).Outdated {
				return "", errOutdated
			}
			own, err := s.wrote(ctx, v, r, actor.UserID)
			if err == nil && own {
				err = errAuthor
			}
			if err != nil {
				return "", err
			}
			if slices.ContainsFunc(r.Approvals, func(a approval.Approval) bool { return a.User == actor.UserID }) {
				return "", nil
			}
			r.Approvals = append(slices.Clone(r.Approvals), approval.Approval{User: actor.UserID, At: now})
			if err = s.settle(ctx, v, r); r.State == approval.Approved {
				r.Last = &approval.Version{Entry: v.Entry.Version, Draft: v.Number()}
			}
			return cms.EventEntryApproved, err
		})
}

// Return sends the present version of an entry back with a note, which drops its approvals. Errors:
// those of Approve, but authors may do it, too, and a draft may be outdated.
func (s *Reviews) Return(ctx context.Context, actor cms.Actor, model, id string, body map[string]any) (Review, error) {
	return s.change(ctx, actor, model, id, cms.ActionApprove,
		func(v subject, r *approval.Review, _ cms.Time) (string, error) {
			note, err := decide(body, v, r, true)
			if err != nil {
				return "", err
			}
			r.State, r.Note, r.Approvals = approval.Returned, note, nil
			return cms.EventEntryReturned, nil
		})
}

// decide decodes the body of an approval or a return and returns its note. It returns an error unless
// the body names the present version and somebody asked for its review.
func decide(body map[string]any, v subject, r *approval.Review, needsNote bool) (*string, error) {
	var in struct {
		Version *string `json:"present"`
		Note    *string `json:"note"`
	}
	p, rest := cms.Problems{}, map[string]any{}
	for key, value := range body {
		if key == "version" {
			key = "present" // Decode ignores version in other bodies
		}
		rest[key] = value
	}
	input.Decode(rest, &in, p)
	if problems := p["present"]; problems != nil {
		p["version"] = problems
		delete(p, "present")
	}
	if in.Version == nil && p["version"] == nil {
		p.Add("version", "is required")
	}
	text := note(p, in.Note)
	if needsNote && text == nil && p["note"] == nil {
		p.Add("note", "is required")
	}
	err := p.Err()
	switch {
	case err != nil:
	case r.State != approval.Requested && r.State != approval.Approved:
		err = errNoRequest
	case *in.Version != v.Version():
		err = errOther
	}
	return text, err
}
