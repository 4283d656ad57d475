package picture

import (
	"context"
	"image"
	"io"

	"golang.org/x/sync/semaphore"
)

// Maker makes variants. It limits the memory that all its callers use together. Use NewMaker: the
// zero value is not usable.
type Maker struct{ pixels *semaphore.Weighted }

// NewMaker returns a Maker that decodes at most MaxPixels at a time: one large picture, or several
// small ones.
func NewMaker() *Maker { return &Maker{semaphore.NewWeighted(MaxPixels)} }

// Make writes the variant of a plan for the size of the picture, in a format other than FormatAuto
// and "". It waits for memory until ctx ends. It reads content from its start, and returns
// ErrUnsupported if no variant can be made.
func (k *Maker) Make(ctx context.Context, w io.Writer, content io.ReadSeeker, p Plan,
	format string, quality int) error {
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
	if !p.Part.In(image.Rect(0, 0, width, height)) {
		return ErrUnsupported // the plan is for another picture
	}
	return Encode(w, Scale(m, info, p), format, quality)
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
