package uploads

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"log/slog"
	"testing"
	"time"

	"headless/pkg/app"
	"headless/pkg/assets/picture"
	"headless/pkg/assets/variant"
	"headless/pkg/content"
	"headless/pkg/must"
)

// TestOneLimitOfMemory: an upload waits while the variant of another large picture is made.
func TestOneLimitOfMemory(t *testing.T) {
	const width, height = 6000, 4000 // two have more pixels than may be decoded at a time
	var large bytes.Buffer
	must.Do(t, png.Encode(&large, image.NewGray(image.Rect(0, 0, width, height))))
	files := New(app.Config{}, &content.Store{}, nil, slog.New(slog.DiscardHandler))
	placeholder := func(ctx context.Context) (string, error) {
		hash, _, err := files.Inspector.Placeholder(ctx, bytes.NewReader(large.Bytes()))
		return hash, err
	}
	plan := picture.NewPlan(width, height, variant.Options{Width: 32})
	must.Do(t, Images(files, nil, 0, nil).Maker.Make(t.Context(), bytes.NewReader(large.Bytes()), plan,
		func(*image.RGBA) error {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if hash, err := placeholder(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("a second picture is decoded: %q, %v", hash, err)
			}
			return nil
		}))
	if hash, err := placeholder(t.Context()); hash == "" || err != nil {
		t.Errorf("afterwards: %q, %v", hash, err)
	}
}
