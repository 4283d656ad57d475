package db

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// retries is how often a use case is tried when other writers keep overtaking it.
const retries = 40

// Retry runs a use case that reads, decides and commits, again from the start whenever another
// writer was faster. After many tries it gives up with SERVICE_UNAVAILABLE.
func (s *DB) Retry(ctx context.Context, use func() error) error {
	for i := range retries {
		err := use()
		if !errors.Is(err, ErrOvertaken) {
			return err
		}
		if err := table.Pause(ctx, rand.N(time.Millisecond<<min(i, 6))); err != nil {
			return err
		}
	}
	return &cms.Error{Code: cms.CodeUnavailable, Message: "Too many changes at once. Try again.",
		RetryAfter: time.Second}
}

const (
	finishTries = 5
	finishPause = 50 * time.Millisecond
)

// Finish commits the outcome of work that would be done again otherwise. It repeats the commit for some seconds while
// the table is unavailable.
func (s *DB) Finish(ctx context.Context, commit func() error) error {
	for try := 0; ; try++ {
		err := commit()
		if !errors.Is(err, table.ErrUnavailable) || try == finishTries {
			return err
		}
		if err := table.Pause(ctx, finishPause<<try); err != nil {
			return err
		}
	}
}
