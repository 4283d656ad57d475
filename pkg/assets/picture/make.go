package picture

import (
	"context"
	"io"

	"golang.org/x/sync/semaphore"

	"headless/pkg/assets/variant"
)

// Maker makes variants. It limits the memory that all its callers use together. Use NewMaker: the
// zero value is not usable.
type Maker struct{ pixels *semaphore.Weighted }

// NewMaker returns a Maker that decodes at most MaxPixels at a time: one large picture, or several
// small ones.
func NewMaker() *Maker { return &Maker{semaphore.NewWeighted(MaxPixels)} }

// Make writes the variant that o describes, in a format other than FormatAuto and "". It waits for
// memory until ctx ends. It reads content from its start, and returns ErrUnsupported if no variant
// can be made.
func (k *Maker) Make(ctx context.Context, w io.Writer, content io.ReadSeeker, o variant.Options,
	format string) error {
	info, err := inspectSeeker(content)
	if err != nil {
		return err
	}
	if err := k.pixels.Acquire(ctx, info.Pixels()); err != nil {
		return err
	}
	defer k.pixels.Release(info.Pixels())
	m, err := Decode(content, info)
	if err != nil {
		return err
	}
	width, height := info.Size()
	return Encode(w, Scale(m, info, NewPlan(width, height, o)), format, o.Quality)
}

// inspectSeeker inspects content and seeks back to its start.
func inspectSeeker(content io.ReadSeeker) (Info, error) {
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return Info{}, err
	}
	info, err := Inspect(content)
	if err != nil {
		return Info{}, err
	}
	_, err = content.Seek(0, io.SeekStart)
	return info, err
}
