package editing

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/cms/validation"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/groups"
	"headless/pkg/site"
)

// The values of fields that are not translatable are the same in all members of a group (extensions
// §3). A save that changes them also saves the other members, in the same transaction. If that
// transaction would be too large, it sets a timer instead, and the members are saved one by one
// after the commit. The row of the group names the member whose values count. Each change of shared
// values replaces that row, so that two changes cannot commit concurrently.
//
// The save needs the permission to save every member of the group, however many there are. It is
// checked before anything is written, so what runs after the commit asks no more.

// KindShare is the kind of timers that share values after a save. Their ref is <model id>/<group
// id>.
const KindShare = "share"

// maxSharedOps is the maximum number of operations in a transaction that saves the other members
// too. It leaves room for the operations that the commit adds.
const maxSharedOps = db.MaxOps - 6

// sharedAtOnce is the maximum number of members that are saved after a commit before the caller
// gets the answer.
const sharedAtOnce = 8

// inheritShared gives an entry that joins a group the shared values of the group, except for fields
// that the body holds. In the body of a new entry a null counts as left out (decisions §2).
func (plan *groupPlan) inheritShared(m *site.Model, e *cms.Entry, body map[string]any) {
	if plan == nil || plan.target == nil || !m.SharesFields() {
		return
	}
	own, _ := body["data"].(map[string]any)
	if e.ID == "" {
		own = maps.Clone(own)
		maps.DeleteFunc(own, func(_ string, v any) bool { return v == nil })
	}
	m.TakeShared(e, plan.target, own)
}

// share adds the saves of the other members of the group to the transaction of a save that changes
// shared values. Call it before plan.apply.
func (s *Entries) share(ctx context.Context, actor cms.Actor, m *site.Model, tx *db.Tx,
	plan *groupPlan, before, e *cms.Entry) error {
	if !m.SharesFields() {
		return nil
	}
	joins := plan != nil && plan.asked
	var g *groups.Group
	var members map[string]string
	switch {
	case joins && (plan.target == nil || m.SameShared(plan.target, e)):
		return nil
	case joins:
		g, members = plan.join, plan.join.With(plan.target)
	case before == nil || m.SameShared(before, e):
		return nil
	default:
		var err error
		if g, err = groups.ForChange(ctx, s.Store, m, e.ID); err == nil && g.ID == "" && plan == nil {
			groups.StayAlone(tx, m, e.ID) // with a plan, applyTo does it
		}
		if err != nil || g.ID == "" {
			return err
		}
		members = g.Members
	}
	others, err := s.lackingMembers(ctx, actor, m, members, e, func(other *cms.Entry, large cms.Problems) error {
		if err := large.Err(); err != nil {
			return err
		}
		tx.Activity(actor, "entry.share_kept", Subject(m, other), other.ID)
		return nil
	})
	if err != nil {
		return err
	}
	by := groups.Sharing{Source: e.ID, Actor: actor}
	switch {
	case joins:
		g.Shared = &by
	case plan == nil:
		groups.Share(tx, m, g, by)
	default:
		plan.own.Shared = &by
	}
	if len(others) == 0 {
		return nil
	}
	if g.ID == "" {
		plan.targetSaved = true
	}
	return s.addShared(ctx, tx, actor, m, g, others, e)
}

// ShareChange adds the saves of the other members of its group to the transaction that changes an entry, for changes
// that leave the group as it is.
func (s *Entries) ShareChange(ctx context.Context, actor cms.Actor, m *site.Model, tx *db.Tx,
	before, e *cms.Entry) error {
	return s.share(ctx, actor, m, tx, nil, before, e)
}

// lackingMembers returns the members of a group whose shared values differ from those of the entry e. It
// returns FORBIDDEN unless the caller may save every member, whether or not its values differ. A
// published member keeps its values if actor may not publish it without approval, and so does a member that
// would hold too many objects; kept is called with both, and with the problem of the latter.
func (s *Entries) lackingMembers(ctx context.Context, actor cms.Actor, m *site.Model, members map[string]string,
	e *cms.Entry, kept func(*cms.Entry, cms.Problems) error) ([]*content.EntryRecord, error) {
	all := cms.WithPermissions(ctx, nil)
	var refs []content.Reference
	for _, locale := range slices.Sorted(maps.Keys(members)) {
		if members[locale] != e.ID {
			refs = append(refs, content.Reference{Model: m, ID: members[locale]})
		}
	}
	others, err := s.Store.EntriesByID(all, refs)
	if err != nil {
		return nil, err
	}
	drafts, err := s.Store.Drafts(all, refs)
	if err != nil {
		return nil, err
	}
	var list []*content.EntryRecord
	for i, other := range others {
		if other == nil {
			continue
		}
		if err := m.Permit(ctx, cms.ActionWrite, other, nil); err != nil {
			return nil, err
		}
		if m.SameShared(other, e) {
			continue
		}
		may, large := true, tooLarge(m, other, e)
		if other.Status == cms.StatusPublished {
			if may, err = approval.MaySkip(ctx, s.Store.DB, m, other.Locale, actor); err != nil {
				return nil, err
			}
		}
		if !may || len(large) > 0 {
			if err := kept(other, large); err != nil {
				return nil, err
			}
			continue
		}
		rec, err := s.Store.EntryForChange(all, m, other.ID)
		switch {
		case errors.Is(err, db.ErrNotFound):
		case err != nil:
			return nil, err
		case !m.SameShared(rec.Entry, e):
			rec.Draft = drafts[i]
			list = append(list, rec)
		}
	}
	return list, nil
}

// tooLarge finds out whether an entry would hold too many objects with the shared values of another member.
func tooLarge(m *site.Model, e, with *cms.Entry) cms.Problems {
	joined := *e
	m.TakeShared(&joined, with, nil)
	p := cms.Problems{}
	if len(validation.Objects(joined.Data)) > 0 {
		p.Add("data", "would give the translation in %s more than %d rows, blocks and groups: move some of them to "+
			"other entries", e.Locale, validation.MaxObjects)
	}
	return p
}

// rejoinShared gives an entry that comes back from the trash the shared values of its group.
func (s *Entries) rejoinShared(ctx context.Context, m *site.Model, g *groups.Group, e *cms.Entry) error {
	if !m.SharesFields() || len(g.Members) == 0 || g.Members[e.Locale] != "" {
		return nil
	}
	source := g.Members[slices.Sorted(maps.Keys(g.Members))[0]]
	if g.Shared != nil && g.Holds(g.Shared.Source) {
		source = g.Shared.Source
	}
	member, err := s.Store.Entry(cms.WithPermissions(ctx, nil), m, source)
	if errors.Is(err, db.ErrNotFound) {
		return db.ErrOvertaken
	}
	if err != nil || m.SameShared(e, member) {
		return err
	}
	if err := tooLarge(m, e, member).Err(); err != nil {
		return err
	}
	m.TakeShared(e, member, nil)
	return nil
}

// addShared saves the members in the transaction if they fit, as the two of a new group do. Otherwise it
// sets a timer that saves them after the commit. A few members are saved at once after the commit; the
// timer then saves those that a crash leaves. Error: CONFLICT if a unique value of theirs is taken.
func (s *Entries) addShared(ctx context.Context, tx *db.Tx, actor cms.Actor, m *site.Model, g *groups.Group,
	others []*content.EntryRecord, e *cms.Entry) error {
	trial := tx.DB.Begin()
	s.saveShared(trial, actor, m, others, e)
	if g.ID != "" && !s.Rehearsed && tx.Size()+trial.Size()+len(g.Members) > maxSharedOps {
		ref := m.ID + "/" + g.ID
		tx.SetTimer(db.Timer{At: tx.At(), Kind: KindShare, Ref: ref})
		if len(others) <= sharedAtOnce {
			tx.Then(func(ctx context.Context) error {
				_, _ = s.Share(ctx, ref) // after an error the timer does it
				return nil
			})
		}
		return trial.CheckReserved(ctx)
	}
	s.saveShared(tx, actor, m, others, e)
	return nil
}

// saveShared adds the saves of members with the shared values of e to a transaction.
func (s *Entries) saveShared(tx *db.Tx, actor cms.Actor, m *site.Model, others []*content.EntryRecord, e *cms.Entry) {
	for _, rec := range others {
		member := *rec.Entry
		m.TakeShared(&member, e, nil)
		member.Version, member.UpdatedAt = member.Version+1, tx.At()
		rec.Sharing = true
		content.SaveEntry(tx, m, rec, &member, actor, cms.EventEntryUpdated)
		groups.Saved(tx, s.Store, m, rec)
		Record(tx, actor, m, &member, cms.EventEntryUpdated)
		moveDraft(tx, m, rec, &member)
	}
}

// moveDraft makes the draft of a member follow a save of shared values, unless it changes one of these to
// another value. A first draft that is saved at the same time follows when the save is tried again.
func moveDraft(tx *db.Tx, m *site.Model, rec *content.EntryRecord, next *cms.Entry) {
	switch d := rec.Draft; {
	case !d.Open:
		d.Require(tx, m, next.ID)
	case sharesOnly(m, rec.Entry, next, d.Changes):
		content.PutDraft(tx, m, next.ID, d, following(d, rec.Entry, next))
	}
}

// sharesOnly reports whether two states of an entry differ in shared fields alone, and changes have no other values
// for these.
func sharesOnly(m *site.Model, was, now *cms.Entry, changes cms.EntryPatch) bool {
	with, own := *was, maps.Clone(changes.Data)
	maps.DeleteFunc(own, func(name string, v any) bool { return reflect.DeepEqual(v, now.Data[name]) })
	m.TakeShared(&with, now, own)
	a, errA := ContentDigest(&with)
	b, errB := ContentDigest(now)
	return errA == nil && errB == nil && a == b
}

// onlySharedSince reports whether an entry differs from an older state by nothing but shared values that another
// member of its group has given it, and that the changes of a draft leave.
func (s *Entries) onlySharedSince(ctx context.Context, m *site.Model, was, live *cms.Entry,
	changes cms.EntryPatch) (bool, error) {
	if m.SameShared(was, live) || !sharesOnly(m, was, live, changes) {
		return false, nil
	}
	g, err := groups.ForChange(ctx, s.Store, m, live.ID)
	return err == nil && g.Shared != nil && g.Shared.Source != live.ID, err
}

// groupToLeave reads the group of an entry that may leave it. If the others take shared values from this entry, they
// have them afterwards, because nobody could give them these values later.
func (s *Entries) groupToLeave(ctx context.Context, m *site.Model, id string) (*groups.Group, error) {
	g, err := groups.ForChange(ctx, s.Store, m, id)
	if err == nil && g.Shared != nil && g.Shared.Source == id && !s.Rehearsed {
		_, err = s.Share(ctx, m.ID+"/"+g.ID)
	}
	return g, err
}

// Share is the handler of timers of the kind KindShare. It may be repeated and may run concurrently. The permissions
// of the caller do not count, since those of who made the change were asked.
func (s *Entries) Share(ctx context.Context, ref string) (nextRun cms.Time, err error) {
	ctx = cms.WithPermissions(ctx, nil)
	modelID, groupID, _ := strings.Cut(ref, "/")
	for done := false; !done && err == nil; {
		err = s.Store.Retry(ctx, func() error {
			done, err = s.shareNext(ctx, modelID, groupID)
			return err
		})
	}
	return cms.Time{}, err
}

// shareNext saves one member of a group that lacks the shared values. done reports whether there
// was none.
func (s *Entries) shareNext(ctx context.Context, modelID, groupID string) (done bool, err error) {
	now, err := s.Store.Site(ctx)
	if err != nil {
		return false, err
	}
	m := now.ModelByID(modelID)
	if m == nil {
		return true, nil
	}
	g, err := groups.ByID(ctx, s.Store, m, groupID)
	var source *cms.Entry
	if err == nil && g.Shared != nil && g.Holds(g.Shared.Source) {
		source, err = s.Store.Entry(ctx, m, g.Shared.Source)
	}
	if errors.Is(err, db.ErrNotFound) || err == nil && source == nil {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	kept := func(*cms.Entry, cms.Problems) error { return nil }
	others, err := s.lackingMembers(ctx, g.Shared.Actor, m, g.Members, source, kept)
	if err != nil || len(others) == 0 {
		return err == nil, err
	}
	tx := s.Store.Begin()
	s.saveShared(tx, g.Shared.Actor, m, others[:1], source)
	groups.Require(tx, m, g)
	site.RequireFence(tx, now)
	return false, s.Store.Commit(ctx, tx)
}
