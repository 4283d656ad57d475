package jobs

import (
	"context"

	"headless/pkg/assets"
)

// mediaLimit is how many objects one run looks at, of each kind that Media.Sweep knows.
const mediaLimit = 500

// MediaTask is what the sweeper does for media files.
func MediaTask(files *assets.Media) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := files.Sweep(ctx, mediaLimit)
		return err
	}
}
