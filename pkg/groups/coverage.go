package groups

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/coverage"
	"headless/pkg/db"
	"headless/pkg/recheck"
	"headless/pkg/site"
)

// An entry is listed by its coverage: the locales of its group, and whether it is older than the
// original. A save keeps it. A change of a group, and a save of the original or of an outdated
// entry, updates the coverages of all members: after its own commit, before the caller gets the
// answer, in one transaction per member. A timer repeats the updates if the process crashes in
// between.

// KindCoverage is the kind of timers that update coverages. Their ref is <model id>/<entry ids>,
// with commas between the ids.
const KindCoverage = "coverage"

// coverageAfter is the delay of the timer of a change. Usually the change clears its timer long
// before.
const coverageAfter = 20 * time.Second

// Follow makes the transaction update the coverages of entries and of the other members of their
// groups after its commit.
func Follow(t *db.Tx, s *content.Store, m *site.Model, ids ...string) {
	timer := db.Timer{Kind: KindCoverage, Ref: m.ID + "/" + strings.Join(ids, ","),
		At: cms.Time{Time: t.Time.Add(coverageAfter)}}
	t.SetTimer(timer)
	recheck.Group(t, m.ID, ids...)
	t.Then(func(ctx context.Context) error {
		if _, err := Cover(ctx, s, timer.Ref); err == nil { // else the timer does it
			_ = s.MoveTimers(ctx, []db.Timer{timer}, nil)
		}
		return nil
	})
}

// Saved calls Follow for a save of an entry if the save changes coverages. rec is the entry before
// the save, nil for a new one.
func Saved(t *db.Tx, s *content.Store, m *site.Model, rec *content.EntryRecord) {
	if rec != nil && rec.Coverage().Affected(rec.Entry.Locale) {
		Follow(t, s, m, rec.Entry.ID)
	}
}

// Cover is the handler of timers of the kind KindCoverage. It may be repeated and may run
// concurrently.
func Cover(ctx context.Context, s *content.Store, ref string) (nextRun cms.Time, err error) {
	ctx = cms.WithPermissions(ctx, nil)
	modelID, ids, _ := strings.Cut(ref, "/")
	for _, id := range strings.Split(ids, ",") {
		err = errors.Join(err, s.Retry(ctx, func() error { return cover(ctx, s, modelID, id) }))
	}
	return cms.Time{}, err
}

// cover updates the coverage of an entry and of every member of its group.
func cover(ctx context.Context, s *content.Store, modelID, id string) error {
	now, err := s.Site(ctx)
	if err != nil {
		return err
	}
	m := now.ModelByID(modelID)
	if m == nil || !m.Listed().Localized {
		return nil
	}
	g, err := ForChange(ctx, s, m, id)
	if err != nil {
		return err
	}
	if err := coverMembers(ctx, s, now, m, g); err != nil || g.Holds(id) {
		return err
	}
	rec, err := s.EntryForChange(ctx, m, id)
	if err != nil {
		return db.Missing(err, nil)
	}
	return putCoverage(ctx, s, now, m, rec, coverage.Alone(rec.Entry.Locale),
		func(tx *db.Tx) { StayAlone(tx, m, id) })
}

// coverMembers updates the coverage of every member of a group.
func coverMembers(ctx context.Context, s *content.Store, now *site.Site, m *site.Model, g *Group) error {
	locales := slices.Sorted(maps.Keys(g.Members))
	members := make([]*content.EntryRecord, len(locales))
	reads, rctx := errgroup.WithContext(ctx)
	for i, locale := range locales {
		reads.Go(func() (err error) {
			members[i], err = s.EntryForChange(rctx, m, g.Members[locale])
			if errors.Is(err, db.ErrNotFound) { // left after the group was read; that change calls Follow itself
				members[i], err = nil, nil
			}
			return err
		})
	}
	if err := reads.Wait(); err != nil {
		return err
	}
	var original *content.EntryRecord
	if i := slices.Index(locales, now.Default); i >= 0 {
		original = members[i]
	}
	for _, rec := range members {
		if rec == nil {
			continue
		}
		c := coverage.Coverage{Locales: locales, Default: now.Default,
			Older: original != nil && rec.Entry.UpdatedAt.Before(original.Entry.UpdatedAt.Time)}
		if len(locales) == 1 {
			c = coverage.Alone(rec.Entry.Locale)
		}
		err := putCoverage(ctx, s, now, m, rec, c, func(tx *db.Tx) {
			Require(tx, m, g)
			if original != nil && original != rec {
				content.RequireUnchanged(tx, m, original.Entry)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// putCoverage stores the coverage of an entry if it changed. The commit fails if one of the
// conditions that require adds to the transaction no longer holds.
func putCoverage(ctx context.Context, s *content.Store, now *site.Site, m *site.Model,
	rec *content.EntryRecord, c coverage.Coverage, require func(*db.Tx)) error {
	if rec.Coverage().Label() == c.Label() {
		return nil
	}
	tx := s.Begin()
	content.PutCoverage(tx, m, rec, c)
	require(tx)
	site.RequireFence(tx, now)
	return s.Commit(ctx, tx)
}

const (
	coveredTogether = 200 // groups that one call of CoverAll updates of a model
	coveredModels   = 50  // models of which one call updates the first groups
)

// CoverAll is the handler of timers of the kind site.KindDefault. It updates all coverages after
// the default locale changed, since that decides which entries are originals. The ref is "" for all
// models, /<model id> for those from one on, and <model id>/<group id> for the groups of a model from
// one on. Timers do what is left: one for the models that follow, and one for each model with more
// groups.
func CoverAll(ctx context.Context, s *content.Store, ref string) (nextRun cms.Time, err error) {
	ctx = cms.WithPermissions(ctx, nil)
	var next []db.Timer
	timer := func(ref string) {
		next = append(next, db.Timer{At: s.Now(), Kind: site.KindDefault, Ref: ref})
	}
	cover := func(modelID, from string) error {
		list, err := page(ctx, s, modelID, from, coveredTogether)
		if err == nil && len(list) == coveredTogether {
			timer(modelID + "/" + list[len(list)-1].ID + "\x00")
		}
		for _, g := range list {
			for id := range maps.Values(g.Members) {
				_, coverErr := Cover(ctx, s, modelID+"/"+id)
				err = errors.Join(err, coverErr)
				break
			}
		}
		return err
	}
	modelID, from, _ := strings.Cut(ref, "/")
	if modelID != "" {
		if err := cover(modelID, from); err != nil {
			return cms.Time{}, err
		}
		return cms.Time{}, s.MoveTimers(ctx, nil, next)
	}
	now, err := s.Site(ctx)
	if err != nil {
		return cms.Time{}, err
	}
	var ids []string // only entries of localized models are in groups
	for _, m := range now.Models {
		if m.Listed().Localized && m.ID >= from {
			ids = append(ids, m.ID)
		}
	}
	slices.Sort(ids)
	for _, id := range ids[:min(len(ids), coveredModels)] {
		if err := cover(id, ""); err != nil {
			return cms.Time{}, err
		}
	}
	if len(ids) > coveredModels {
		timer("/" + ids[coveredModels])
	}
	return cms.Time{}, s.MoveTimers(ctx, nil, next)
}
