// Package sweeper is the function that repairs and retries what a crash or a lost message left undone. A schedule calls it.
package sweeper

import (
	"context"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"headless/pkg/app/function"
	"headless/pkg/app/function/deliveries"
	"headless/pkg/jobs"
)

// Start sweeps whenever it is called, until the function ends.
func Start(b *function.Base) error {
	d, err := deliveries.New(b)
	if err != nil {
		return err
	}
	s := jobs.Sweeper{
		Dispatcher: jobs.Dispatcher{Deliveries: d},
		Metrics:    slog.New(slog.NewJSONHandler(os.Stdout, nil)), // whatever LOG_LEVEL says
	}
	lambda.Start(func(ctx context.Context) error {
		_, err := s.Run(ctx)
		return err
	})
	return nil
}
