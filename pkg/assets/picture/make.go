package picture

import (
	"context"
	"errors"
	"image"
	"io"

	"golang.org/x/sync/semaphore"
)

// Maker makes variants. It limits the memory that all its callers use together. Use NewMaker: the
// zero value is not usable.
type Maker struct{ lanes []lane }

// lane limits the pictures up to a size that are decoded at a time, so that small pictures never
// wait for large ones.
type lane struct {
	largest int64 // pixels of the largest picture
	pixels  *semaphore.Weighted
}

// NewMaker returns a Maker that decodes at most 88 megapixels at a time: one picture of up to
// MaxPixels, two of 16 megapixels and four of 4 megapixels, or more that are smaller.
func NewMaker() *Maker {
	k := &Maker{}
	for _, l := range []struct{ largest, together int64 }{
		{4_000_000, 16_000_000}, {16_000_000, 32_000_000}, {MaxPixels, MaxPixels}} {
		k.lanes = append(k.lanes, lane{l.largest, semaphore.NewWeighted(l.together)})
	}
	return k
}

// acquire waits for the memory for a picture until ctx ends. Call release to return the memory.
func (k *Maker) acquire(ctx context.Context, info Info) (release func(), err error) {
	// The blocks of the largest pictures exceed MaxPixels by a few percent.
	cost := min(max(1, info.Pixels(), info.allocated), max(MaxPixels, info.Pixels()))
	for _, l := range k.lanes {
		if cost <= l.largest {
			return func() { l.pixels.Release(cost) }, l.pixels.Acquire(ctx, cost)
		}
	}
	return nil, ErrUnsupported
}

// Make calls use with the variant of a plan for the size of the picture, and returns its error. It
// waits for memory and works until ctx ends. It reads content from its start, and returns
// ErrUnsupported if no variant can be made, also if decoding takes longer than the deadline of ctx.
func (k *Maker) Make(ctx context.Context, content io.ReadSeeker, p Plan, use func(*image.RGBA) error) error {
	info, err := inspectSeeker(ctx, content)
	if err != nil {
		return err
	}
	release, err := k.acquire(ctx, info)
	if err != nil {
		return err
	}
	defer release()
	m, err := Decode(ctx, content, info)
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.Join(ErrUnsupported, err)
	}
	if err != nil {
		return err
	}
	width, height := info.Size()
	if !p.Part.In(image.Rect(0, 0, width, height)) {
		return ErrUnsupported // the plan is for another picture
	}
	scaled := Scale(m, info, p)
	if err := ctx.Err(); err != nil {
		return err
	}
	return use(scaled)
}

// inspectSeeker inspects content and seeks back to its start. Errors: ErrUnsupported, those of
// reading content, and that of ctx.
func inspectSeeker(ctx context.Context, content io.ReadSeeker) (Info, error) {
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return Info{}, err
	}
	in := newDecoderInput(ctx, content, Info{})
	info, err := Inspect(in)
	if fault := in.fault(); fault != nil {
		return Info{}, fault
	}
	if err != nil {
		return Info{}, err
	}
	_, err = content.Seek(0, io.SeekStart)
	return info, err
}
