package jobs

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestTasksShareTime: a task that would fill the whole run used to keep those after it from running
// at all.
func TestTasksShareTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 290*time.Second)
		defer cancel()
		endless := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		ran := false
		start := time.Now()
		tasks := []func(context.Context) error{endless, endless,
			func(context.Context) error { ran = true; return nil }}
		for i, task := range tasks {
			if err := runTask(ctx, task, len(tasks)-i); err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(start); !ran || took > 230*time.Second {
			t.Errorf("the last task ran: %v, after %v", ran, took)
		}
	})
}
