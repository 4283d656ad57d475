// Package sweeper is the function that repairs and retries work that a crash or a lost message left
// undone. A schedule calls it.
package sweeper

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"

	"github.com/aws/aws-lambda-go/lambda"

	"headless/pkg/app/awsconf/awss3"
	"headless/pkg/app/awsconf/awssqs"
	"headless/pkg/app/function"
	"headless/pkg/app/function/deliveries"
	"headless/pkg/app/function/entries"
	"headless/pkg/app/function/mails"
	"headless/pkg/app/function/purge"
	"headless/pkg/app/function/timers"
	"headless/pkg/blob/s3"
	"headless/pkg/forms"
	"headless/pkg/forms/files"
	"headless/pkg/jobs"
	"headless/pkg/queue/sqs"
	"headless/pkg/viewcount"
)

// Start sweeps whenever it is called, until the function ends.
func Start(b *function.Base) error {
	hooks, err := deliveries.New(b)
	if err != nil {
		return err
	}
	mail, err := mails.New(b)
	if err != nil {
		return err
	}
	bucket, err := b.Need("MEDIA_BUCKET")
	if err != nil {
		return err
	}
	dead, err := deadLetters(b)
	if err != nil {
		return err
	}
	stack, err := b.Need("STACK_NAME")
	if err != nil {
		return err
	}
	metrics := slog.New(slog.NewJSONHandler(os.Stdout, nil)) // regardless of LOG_LEVEL
	clock := timers.New(b, hooks)
	clock.Metrics, clock.Stack = metrics, stack
	entries, media := entries.New(b)
	// The call of each minute needs none of this.
	sweeper := sync.OnceValue(func() jobs.Sweeper {
		// It removes and copies objects, and looks into none, so it does not link what decodes pictures.
		objects := awss3.New(b.AWS, b.Getenv)
		media.Blobs, media.Log = s3.New(objects, bucket), b.Log
		tasks := jobs.FormTasks(mail, &forms.Submissions{Store: mail.Store, Log: b.Log,
			Files: files.Files{Blobs: media.Blobs}})
		tasks = append(tasks, entries.Store.FinishRests, entries.Store.Reopen, entries.SettleTexts,
			entries.MergeTotals, entries.PurgeExpired, entries.DropIndexes, jobs.MediaTask(media))
		if logs := b.Getenv("VIEWS_BUCKET"); logs != "" {
			views := viewcount.Store{Entries: entries.Store, Keys: b.Keys}
			tasks = append(tasks, viewcount.Logs{Store: views, Files: s3.New(objects, logs)}.Run)
		}
		tasks = append(tasks, entries.Reindex) // the last one may take all the time that is left
		return jobs.Sweeper{
			Dispatcher:  jobs.Dispatcher{Deliveries: hooks, OnEvent: jobs.Announce(mail)},
			DeadLetters: dead,
			Metrics:     metrics,
			Stack:       stack,
			Tasks:       tasks,
		}
	})
	ready := func(ctx context.Context) error {
		progress := func(n int) { b.Log.Info("upgrade: the text index is built anew", "entries", n) }
		return entries.Store.Upgrade(ctx, progress)
	}
	h := handler{ready: ready, clock: clock.Sweep, purges: purge.New(b).Run,
		sweep: func(ctx context.Context) error {
			_, err := sweeper().Run(ctx)
			return err
		}}
	lambda.Start(h.invoke)
	return nil
}

// handler has the parts of a call; ready upgrades rows of the format before this one, and returns an
// error if they have another.
type handler struct {
	ready, clock, purges, sweep func(context.Context) error
}

func (h handler) invoke(ctx context.Context, e event) error {
	if err := h.ready(ctx); err != nil {
		return err
	}
	err := errors.Join(h.purges(ctx), h.clock(ctx))
	if e.Task == taskTimers {
		return err
	}
	return errors.Join(err, h.sweep(ctx))
}

// event is the input from a schedule. Without a task, all tasks run.
type event struct {
	Task string `json:"task"`
}

// taskTimers runs only the timers and repeats failed purges, each minute. The rest runs less often.
const taskTimers = "timers"

// deadLetters returns a function that counts the messages in the dead-letter queues that the
// template names.
func deadLetters(b *function.Base) (func(context.Context) (int, error), error) {
	client := awssqs.New(b.AWS, b.Getenv)
	var queues []*sqs.Queue
	for _, name := range []string{"WEBHOOK_DEAD_LETTERS_URL", "MAIL_DEAD_LETTERS_URL",
		"DISPATCH_DEAD_LETTERS_URL"} {
		url, err := b.Need(name)
		if err != nil {
			return nil, err
		}
		queues = append(queues, sqs.New(client, url))
	}
	return func(ctx context.Context) (int, error) {
		total := 0
		for _, q := range queues {
			n, err := q.Len(ctx)
			if err != nil {
				return 0, err
			}
			total += n
		}
		return total, nil
	}, nil
}
