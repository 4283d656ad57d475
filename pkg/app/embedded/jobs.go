package embedded

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"headless/pkg/app"
	"headless/pkg/app/webhooks"
	"headless/pkg/jobs"
	"headless/pkg/queue/memory"
	"headless/pkg/service"
	"headless/pkg/store"
)

const (
	webhookWorkers = 64 // one receiver takes at most five of them
	webhookDrain   = 3 * time.Second
	sweepInterval  = 30 * time.Second
	dispatchPause  = time.Second // after a failure
)

// background runs the jobs of webhooks in this process.
type background struct {
	deliveries *service.Deliveries
	sweeper    jobs.Sweeper
	queue      *memory.Queue
	events     signal // a commit raised events
	log        *slog.Logger
	running    sync.WaitGroup
	others     []func(context.Context)
}

func newBackground(cfg app.Config, st *store.Store, log *slog.Logger) (*background, error) {
	q := memory.New(time.Now, memory.Options{Drain: webhookDrain, Logger: log})
	deliveries, err := webhooks.New(cfg, st, q, log)
	if err != nil {
		return nil, err
	}
	b := &background{deliveries: deliveries, queue: q, events: newSignal(), log: log}
	b.sweeper = jobs.Sweeper{
		Dispatcher:  jobs.Dispatcher{Deliveries: deliveries},
		DeadLetters: func(context.Context) (int, error) { return q.Stats().Dead, nil },
	}
	return b, nil
}

// start brings back what was pending when the process stopped, and runs the jobs until ctx ends. Then wait for them.
func (b *background) start(ctx context.Context) {
	for _, job := range b.others {
		b.running.Go(func() { job(ctx) })
	}
	b.running.Go(func() {
		if err := b.sweeper.Restart(ctx); err != nil {
			b.log.Error("webhooks: restart", "error", err.Error())
		}
		b.running.Go(func() { b.queue.Run(ctx, webhookWorkers, jobs.Deliverer{Deliveries: b.deliveries}.One) })
		b.running.Go(func() { b.dispatch(ctx) })
		b.sweep(ctx)
	})
}

// also adds a job that runs until its context ends.
func (b *background) also(job func(context.Context)) { b.others = append(b.others, job) }

func (b *background) wait() { b.running.Wait() }

func (b *background) dispatch(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.events:
		}
		if err := b.sweeper.Dispatcher.Drain(ctx); err != nil && ctx.Err() == nil {
			b.log.Error("webhooks: dispatch", "error", err.Error())
			time.AfterFunc(dispatchPause, b.events.raise)
		}
	}
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
