package jobs

import (
	"context"

	"headless/pkg/assets"
)

// mediaLimit is how many objects of each kind one run of Media.Sweep checks.
const mediaLimit = 500

// MediaTask returns the task of a sweep for media files.
func MediaTask(files *assets.Media) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := files.Sweep(ctx, mediaLimit)
		return err
	}
}
