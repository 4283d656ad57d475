// Package sweeper is the function that repairs and retries what a crash or a lost message left undone. A schedule calls it.
package sweeper

import (
	"context"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"headless/pkg/app/awsconf/awssqs"
	"headless/pkg/app/function"
	"headless/pkg/app/function/deliveries"
	"headless/pkg/app/function/files"
	"headless/pkg/app/function/mails"
	"headless/pkg/cms"
	"headless/pkg/jobs"
	"headless/pkg/queue/sqs"
	"headless/pkg/service"
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
	media, err := files.New(b)
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
	entries := &service.Entries{Store: b.Store, MediaTypes: media.Types, MediaInline: media.Inline}
	models := &service.Models{Store: b.Store, HasEntries: entries.ModelHasEntries}
	tasks := jobs.FormTasks(mail, &service.Submissions{Store: b.Store, Log: b.Log})
	s := jobs.Sweeper{
		Dispatcher: jobs.Dispatcher{Deliveries: hooks, Also: func(ctx context.Context, e cms.Event) error {
			mail.Announce(ctx, e)
			return nil
		}},
		DeadLetters: dead,
		Metrics:     slog.New(slog.NewJSONHandler(os.Stdout, nil)), // whatever LOG_LEVEL says
		Stack:       stack,
		Tasks:       append(tasks, models.Reindex, models.MergeText, entries.PurgeExpired, jobs.MediaTask(media)),
	}
	lambda.Start(func(ctx context.Context) error {
		_, err := s.Run(ctx)
		return err
	})
	return nil
}

// deadLetters counts what lies in the queues that the template names.
func deadLetters(b *function.Base) (func(context.Context) (int, error), error) {
	client := awssqs.New(b.AWS, b.Getenv)
	var queues []*sqs.Queue
	for _, name := range []string{"WEBHOOK_DEAD_LETTERS_URL", "MAIL_DEAD_LETTERS_URL", "DISPATCH_DEAD_LETTERS_URL"} {
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
