package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"slices"
	"time"

	"headless/pkg/db"
	"headless/pkg/purge"
)

// Purges sends pending purges to the cache in front of the delivery API (extensions §8). A row is
// deleted when the cache has accepted it.
type Purges struct {
	Store *db.DB
	To    purge.Purger
	Log   *slog.Logger
	// RepeatAfter is how long after a purge the same purge is sent a second time; 0 for never. A
	// cache that does not know when an answer was computed may store an answer from before the
	// change after the purge. RepeatAfter is longer than computing an answer takes, so the second
	// purge removes it.
	RepeatAfter time.Duration
}

// purgeRows is how many rows are read at a time.
const purgeRows = 500

// Run sends all pending purges, and those that are due for a second time. If the cache is busy, it
// stops without an error; the next call sends the rest.
func (p Purges) Run(ctx context.Context) error {
	err := p.run(ctx, p.Store.Purges, "", func(part []db.Purge) error {
		if p.RepeatAfter > 0 {
			return p.Store.RepeatPurges(ctx, p.RepeatAfter, part...)
		}
		return p.Store.DropPurges(ctx, part...)
	})
	if err == nil && p.RepeatAfter > 0 {
		err = p.run(ctx, p.Store.DuePurges, "again",
			func(part []db.Purge) error { return p.Store.DropPurges(ctx, part...) })
	}
	if errors.Is(err, purge.ErrBusy) {
		p.Log.Warn("purge", "error", err.Error())
		return nil
	}
	return err
}

// run sends the rows that list returns, in as few batches as possible. It calls accepted with the
// rows of each batch that the cache accepted. round is part of the batch id, so that the second
// purge of the same rows is not taken for a repeat.
func (p Purges) run(ctx context.Context, list func(context.Context, int) ([]db.Purge, error),
	round string, accepted func([]db.Purge) error) error {
	for {
		rows, err := list(ctx, purgeRows)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, part := range bundles(rows) {
			if err := p.To.Purge(ctx, batchOf(part, round)); err != nil {
				return err
			}
			if err := accepted(part); err != nil {
				return err
			}
		}
	}
}

// bundles splits rows into parts of at most purge.MaxTags different tags. A row with more tags is a
// part of its own.
func bundles(rows []db.Purge) (parts [][]db.Purge) {
	seen := map[string]bool{}
	var part []db.Purge
	for _, row := range rows {
		for _, tag := range row.Tags {
			seen[tag] = true
		}
		if len(part) > 0 && len(seen) > purge.MaxTags {
			parts, part, seen = append(parts, part), nil, map[string]bool{}
			for _, tag := range row.Tags {
				seen[tag] = true
			}
		}
		part = append(part, row)
	}
	if len(part) > 0 {
		parts = append(parts, part)
	}
	return parts
}

// batchOf returns the batch of some rows. The same rows and round give the same batch id, so that
// the cache recognizes a repeat after a crash.
func batchOf(rows []db.Purge, round string) purge.Batch {
	b := purge.Batch{}
	ids := sha256.New()
	ids.Write([]byte(round))
	for _, row := range rows {
		ids.Write([]byte(row.ID))
		b.All = b.All || row.All
		b.Tags = append(b.Tags, row.Tags...)
	}
	slices.Sort(b.Tags)
	b.Tags, b.ID = slices.Compact(b.Tags), hex.EncodeToString(ids.Sum(nil)[:16])
	return b
}
