package embedded

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"headless/pkg/app"
	"headless/pkg/app/webhooks"
	"headless/pkg/hooks"
	"headless/pkg/jobs"
	"headless/pkg/queue/memory"
	"headless/pkg/rooms"
	"headless/pkg/table"
)

const (
	webhookWorkers = 64 // one receiver uses at most five of them
	webhookDrain   = 3 * time.Second
	sweepInterval  = 30 * time.Second
	dispatchPause  = time.Second           // after a failure
	gatherPause    = 25 * time.Millisecond // between dispatches, so that events share commits
	// Above this number of messages that wait for a worker, events stay in the outbox.
	maxReady  = 20_000
	holdPause = 50 * time.Millisecond
)

// background runs the webhook jobs in this process.
type background struct {
	deliveries *hooks.Deliveries
	sweeper    jobs.Sweeper
	queue      *memory.Queue
	events     signal // a commit recorded events
	log        *slog.Logger
	running    sync.WaitGroup
	loops      []func(context.Context)
}

func newBackground(cfg app.Config, st *rooms.Stores, log *slog.Logger) (*background, error) {
	var deliveries *hooks.Deliveries
	q := memory.New(time.Now, memory.Options{Drain: webhookDrain, Logger: log,
		Batch: func(webhook string) int { return deliveries.Batch(webhook) }})
	deliveries, err := webhooks.New(cfg, st.Hooks, q, log)
	if err != nil {
		return nil, err
	}
	b := &background{deliveries: deliveries, queue: q, events: newSignal(), log: log}
	b.sweeper = jobs.Sweeper{
		Dispatcher: jobs.Dispatcher{Deliveries: deliveries,
			Hold: func(ctx context.Context) error { return waitForWorkers(ctx, q) }},
		DeadLetters: func(context.Context) (int, error) { return q.Stats().Dead, nil },
	}
	return b, nil
}

// waitForWorkers waits while too many messages wait for a worker.
func waitForWorkers(ctx context.Context, q *memory.Queue) error {
	for q.Stats().Ready > maxReady {
		if err := table.Pause(ctx, holdPause); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// startPending requeues the work that was pending when the process stopped, and runs the jobs until ctx
// ends. Wait for running afterwards.
func (b *background) startPending(ctx context.Context) {
	for _, loop := range b.loops {
		b.running.Go(func() { loop(ctx) })
	}
	b.running.Go(func() {
		if err := b.sweeper.Restart(ctx); err != nil {
			b.log.Error("webhooks: restart", "error", err.Error())
		}
		b.running.Go(func() {
			b.queue.Run(ctx, webhookWorkers, jobs.Deliverer{Deliveries: b.deliveries}.Handle)
		})
		b.events.raise() // for events that were already in the outbox
		b.running.Go(func() { b.dispatch(ctx) })
		b.sweep(ctx)
	})
}

// loop adds a job that runs until its context ends.
func (b *background) loop(job func(context.Context)) { b.loops = append(b.loops, job) }

// addTasks adds tasks to each sweep.
func (b *background) addTasks(tasks ...func(context.Context) error) {
	b.sweeper.Tasks = append(b.sweeper.Tasks, tasks...)
}

func (b *background) dispatch(ctx context.Context) {
	b.events.runAfterEach(ctx, gatherPause, b.log, "webhooks: dispatch", func(ctx context.Context) error {
		err := b.sweeper.Dispatcher.Drain(ctx)
		if err != nil {
			time.AfterFunc(dispatchPause, b.events.raise)
		}
		return err
	})
}

func (b *background) sweep(ctx context.Context) {
	tick := time.NewTicker(sweepInterval)
	defer tick.Stop()
	for {
		if _, err := b.sweeper.Run(ctx); err != nil && ctx.Err() == nil {
			b.log.Error("webhooks: sweep", "error", err.Error())
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
