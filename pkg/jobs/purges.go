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

// Purges hands purges over to the cache in front of the delivery API (extensions §8). A row goes
// when the cache took it.
type Purges struct {
	Store *db.DB
	To    purge.Purger
	Log   *slog.Logger
	// Again is after what time a purge is handed over once more; 0 for never. A cache that cannot
	// tell when an answer was computed may store one from before the change after its purge. Again
	// is longer than an answer takes, so the second purge removes it.
	Again time.Duration
}

// purgeRows is how many rows are handed over together.
const purgeRows = 500

// Run hands over all that is pending, and once more what is due again. It stops without an error
// where the cache is busy: the rest is tried by the next call.
func (p Purges) Run(ctx context.Context) error {
	err := p.run(ctx, p.Store.Purges, "", func(part []db.Purge) error {
		if p.Again > 0 {
			return p.Store.RepeatPurges(ctx, p.Again, part...)
		}
		return p.Store.DropPurges(ctx, part...)
	})
	if err == nil && p.Again > 0 {
		err = p.run(ctx, p.Store.DuePurges, "again",
			func(part []db.Purge) error { return p.Store.DropPurges(ctx, part...) })
	}
	if errors.Is(err, purge.ErrBusy) {
		p.Log.Warn("purge", "error", err.Error())
		return nil
	}
	return err
}

// run hands over the rows that list finds, bundled into as few batches as possible, each tag once,
// and gives each bundle to taken. Round tells the batches of the same rows apart.
func (p Purges) run(ctx context.Context, list func(context.Context, int) ([]db.Purge, error),
	round string, taken func([]db.Purge) error) error {
	for {
		rows, err := list(ctx, purgeRows)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, part := range bundles(rows) {
			if err := p.To.Purge(ctx, batchOf(part, round)); err != nil {
				return err
			}
			if err := taken(part); err != nil {
				return err
			}
		}
	}
}

// bundles splits rows into parts of at most purge.MaxTags different tags. A row of more is a part
// of its own.
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

// batchOf returns the batch of some rows. The same rows give the same batch id, so that a repeat
// after a crash is recognized.
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
