package assets

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"headless/pkg/blob"
	"headless/pkg/input"
	"headless/pkg/table"
)

const (
	sweepRound = 24 * time.Hour // between comparisons of all objects with the records
	sweepAge   = 48 * time.Hour // an object of this age belongs to no upload that still runs
	// If more objects than this, and most of all objects, have no record, the table probably
	// belongs to other objects. Then none is removed.
	tooMany = 20
)

// Sweep removes objects without a record. Their checks tell it about uploads that crashed or were
// not completed within 24 hours, and about deletions that crashed. Once a day it also compares all
// objects with the records, to find any others. It looks at up to limit objects of both kinds, and
// returns how many it removed. Several processes may run it at once.
func (s *Media) Sweep(ctx context.Context, limit int) (removed int, err error) {
	checks, err := s.Store.dueObjects(ctx, s.Store.Now().Time, limit)
	if err != nil {
		return 0, err
	}
	var errs []error
	for _, c := range checks {
		gone, err := s.sweepObject(ctx, c)
		errs = append(errs, err)
		if gone {
			removed++
		}
	}
	compared, err := s.compareObjects(ctx, limit)
	return removed + compared, errors.Join(append(errs, err)...)
}

func (s *Media) sweepObject(ctx context.Context, c ObjectCheck) (bool, error) {
	if swap, ok := c.Swap(); ok {
		return false, s.swapContent(ctx, swap)
	}
	if c.Incoming {
		return false, s.removeObject(ctx, c)
	}
	orphan, err := s.Store.markOrphan(ctx, &c)
	if err == nil && c.Orphan {
		err = s.lookAt(ctx, &c)
	}
	if err != nil || !orphan {
		return false, err
	}
	return !c.Incoming, s.removeObject(ctx, c)
}

// lookAt notes in the row of a deleted file that its object is still there: caches may have got it again since the
// deletion, so that removeObject purges its address once more.
func (s *Media) lookAt(ctx context.Context, c *ObjectCheck) error {
	if c.seen {
		return nil
	}
	_, err := s.Blobs.Stat(ctx, objectKey(c.ID))
	if errors.Is(err, blob.ErrNotFound) {
		return nil
	}
	if c.seen = err == nil; c.seen {
		err = s.Store.Table.BatchWrite(ctx, []table.Item{{Key: c.key(), Version: checkSeen}}, nil)
	}
	return err
}

// compareObjects continues the comparison of objects and records.
func (s *Media) compareObjects(ctx context.Context, limit int) (removed int, err error) {
	progress, err := s.Store.objectSweep(ctx)
	now := s.Store.Now()
	if err != nil || progress.After == "" && now.Sub(progress.Ended.Time) < sweepRound {
		return 0, err
	}
	var old []string
	looked := 0
	for object, err := range s.Blobs.List(ctx, MediaPrefix, progress.After) {
		if err != nil {
			return 0, err
		}
		progress.After = object.Key
		id := strings.TrimPrefix(object.Key, MediaPrefix)
		if canonical, ok := input.CanonicalID(id); ok && canonical == id &&
			now.Sub(object.Modified) > sweepAge { // objects with other names are not ours
			old = append(old, id)
		}
		if looked++; looked == limit {
			break
		}
	}
	if looked < limit {
		progress = objectSweep{Ended: now}
	}
	unowned, err := s.Store.Unowned(ctx, old...)
	if err != nil {
		return 0, err
	}
	if len(unowned) >= tooMany && len(unowned) > len(old)/2 {
		err := fmt.Errorf("assets: %d of %d objects have no record; is this the table of these objects? None is removed",
			len(unowned), len(old))
		return 0, errors.Join(err, s.Store.putObjectSweep(ctx, progress))
	}
	for _, id := range unowned {
		if err := s.Blobs.Delete(ctx, objectKey(id)); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, s.Store.putObjectSweep(ctx, progress)
}
