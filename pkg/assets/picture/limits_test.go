package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"headless/pkg/assets/variant"
	"headless/pkg/must"
)

// withScans repeats the only scan of a JPEG.
func withScans(t *testing.T, file []byte, scans int) []byte {
	t.Helper()
	start := bytes.LastIndex(file, []byte{0xFF, 0xDA})
	scan := file[start : len(file)-2]
	out := bytes.Clone(file[:start])
	for range scans {
		out = append(out, scan...)
	}
	return append(out, 0xFF, 0xD9)
}

// counted counts the bytes that are read.
type counted struct {
	io.ReadSeeker
	n int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadSeeker.Read(p)
	c.n += n
	return n, err
}

// TestScansAreLimited counts what is read of a JPEG that would keep a processor for minutes.
func TestScansAreLimited(t *testing.T) {
	one := encoded(t, quarters(64, 64), variant.FormatJPEG)
	scan := len(one) - bytes.LastIndex(one, []byte{0xFF, 0xDA})
	preview := append([]byte{0xFF, 0xD8, 0xFF, 0xE2, 0x03, 0xEA},
		bytes.Repeat([]byte{0xFF, 0xDA, 0, 3, 0}, 200)...) // a segment may hold anything
	preview = append(preview, one[2:]...)
	for _, row := range []struct {
		file []byte
		ok   bool
		read int // bytes, at most
	}{
		{one, true, len(one)},
		{preview, true, len(preview)},
		{withScans(t, one, maxScans), true, len(one) + maxScans*scan},
		{withScans(t, one, maxScans+1), false, len(one) + (maxScans+1)*scan},
		{withScans(t, one, 3000), false, len(one) + (maxScans+1)*scan + 8192},
	} {
		content := &counted{ReadSeeker: bytes.NewReader(row.file)}
		hash, scalable, err := NewMaker().Placeholder(t.Context(), content)
		if err != nil || scalable != row.ok || (hash != "") != row.ok {
			t.Errorf("%d bytes: %q, %v, %v", len(row.file), hash, scalable, err)
		}
		if content.n > row.read+8192 { // Inspect reads the start once more
			t.Errorf("%d bytes: %d were read", len(row.file), content.n)
		}
		err = makeVariant(t.Context(), NewMaker(), io.Discard, row.file, variant.Options{Width: 32, Quality: 75},
			variant.FormatJPEG)
		if row.ok && err != nil || !row.ok && !errors.Is(err, ErrUnsupported) {
			t.Errorf("%d bytes: %v", len(row.file), err)
		}
	}
}

// TestCodedBytesAreLimited reads a JPEG with comments of many megabytes, and a PNG with such texts, only as
// far as maxCoded.
func TestCodedBytesAreLimited(t *testing.T) {
	one := encoded(t, quarters(64, 64), variant.FormatJPEG)
	comment := append([]byte{0xFF, 0xFE, 0xFF, 0xFF}, make([]byte, 0xFFFD)...)
	png, text := encoded(t, quarters(64, 64), variant.FormatPNG), []byte(chunk("tEXt", make([]byte, 1<<16)))
	for _, row := range []struct {
		file, filler []byte
		start        int // of the filler
		info         Info
		fillers      int // that are read
	}{
		{one, comment, 2, Info{Type: JPEG}, 480},
		{one, comment, 2, Info{Type: JPEG, coding: progressive}, 240},
		{png, text, 33, Info{Type: PNG, coding: deflated}, 730},
	} {
		row.info.Width, row.info.Height = 64, 64
		for fillers, ok := range map[int]bool{row.fillers: true, row.fillers * 21 / 20: false} {
			file := slices.Concat(row.file[:row.start], bytes.Repeat(row.filler, fillers), row.file[row.start:])
			_, err := Decode(t.Context(), bytes.NewReader(file), row.info)
			if ok && err != nil || !ok && !errors.Is(err, ErrUnsupported) {
				t.Errorf("%+v: %d bytes: %v", row.info, len(file), err)
			}
		}
	}
}

// TestCoding tells pictures apart that take long to decode.
func TestCoding(t *testing.T) {
	for name, want := range map[string]coding{
		"retina.jpg": progressive, "rocket.jpg": plain, "cat.png": deflated, "coffee.webp": lossyWebP} {
		file, err := os.ReadFile("../images/testdata/photographs/" + name)
		must.Do(t, err)
		if info, err := Inspect(bytes.NewReader(file)); err != nil || info.coding != want {
			t.Errorf("%s: %+v, %v", name, info, err)
		}
	}
	lossless := encoded(t, quarters(64, 64), variant.FormatWebP)
	if info, err := Inspect(bytes.NewReader(lossless)); err != nil || info.coding != plain {
		t.Errorf("lossless WebP: %+v, %v", info, err)
	}
}

// TestDeepPNG: 16 bits a value take twice the time, so that half the pixels are decoded.
func TestDeepPNG(t *testing.T) {
	for _, row := range []struct {
		pixels        uint32 // millions
		depth, colour byte
		ok            bool
	}{
		{40, 8, 6, true}, {20, 16, 6, true}, {21, 16, 6, false}, {26, 16, 2, true}, {27, 16, 2, false},
		{40, 16, 4, true}, {40, 16, 0, true}, {1, 8, 7, false},
	} {
		header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, 1000*row.pixels), 1000)
		file := "\x89PNG\r\n\x1a\n" + chunk("IHDR", append(header, row.depth, row.colour, 0, 0, 0)) + chunk("IDAT", nil)
		if _, err := Inspect(strings.NewReader(file)); (err == nil) != row.ok {
			t.Errorf("%+v: %v", row, err)
		}
	}
}

func TestScanLimit(t *testing.T) {
	for _, row := range []struct{ width, height, progressive, plain int }{
		{64, 64, 100, 100}, {2000, 2000, 100, 30}, {4000, 3000, 33, 10}, {8000, 5000, 10, 3}, {0, 0, 100, 100},
	} {
		for kind, want := range map[coding]int{progressive: row.progressive, plain: row.plain} {
			if got := scanLimit(Info{Width: row.width, Height: row.height, coding: kind}); got != want {
				t.Errorf("%d × %d: %d scans, want %d", row.width, row.height, got, want)
			}
		}
	}
}

// TestScanCounter splits a file at every place.
func TestScanCounter(t *testing.T) {
	file := withScans(t, encoded(t, quarters(16, 16), variant.FormatJPEG), 3)
	for i := range file {
		var c scanCounter
		c.countScans(file[:i])
		if got := c.countScans(file[i:]); got != 3 {
			t.Fatalf("split at %d: %d scans", i, got)
		}
	}
}

// failing fails or cancels after some bytes.
type failing struct {
	io.ReadSeeker
	left int
	fail func() error
}

func (f *failing) Read(p []byte) (int, error) {
	if f.left <= 0 {
		if err := f.fail(); err != nil {
			return 0, err
		}
	}
	n, err := f.ReadSeeker.Read(p[:min(len(p), 512)])
	f.left -= n
	return n, err
}

// TestDecodingEndsWithRequest also holds that a fault of the store is no fault of the picture.
func TestDecodingEndsWithRequest(t *testing.T) {
	var noise bytes.Buffer
	m := image.NewRGBA(image.Rect(0, 0, 300, 300))
	for i := range m.Pix {
		m.Pix[i] = byte(i * i >> 3)
	}
	must.Do(t, Encode(&noise, m, variant.FormatJPEG, 95))
	gone := errors.New("the store is gone")
	for name, want := range map[string]error{"request": context.Canceled, "store": gone} {
		for _, at := range []int{0, 10_000} {
			for _, do := range []func(context.Context, io.ReadSeeker) error{
				func(ctx context.Context, content io.ReadSeeker) error {
					_, _, err := NewMaker().Placeholder(ctx, content)
					return err
				},
				func(ctx context.Context, content io.ReadSeeker) error {
					return NewMaker().Make(ctx, content, NewPlan(300, 300, variant.Options{}),
						func(*image.RGBA) error { return nil })
				},
			} {
				ctx, cancel := context.WithCancel(t.Context())
				content := &failing{bytes.NewReader(noise.Bytes()), at, func() error {
					if name == "store" {
						return gone
					}
					cancel()
					return nil
				}}
				if err := do(ctx, content); !errors.Is(err, want) || errors.Is(err, ErrUnsupported) {
					t.Errorf("%s: %v", name, err)
				}
				cancel()
				if read := at - content.left; read > at+8192 {
					t.Errorf("%s: %d bytes were read", name, read)
				}
			}
		}
	}
}

// TestGIFWhileTheStoreFails: a GIF does not lose its placeholder for good.
func TestGIFWhileTheStoreFails(t *testing.T) {
	var file bytes.Buffer
	must.Do(t, gif.Encode(&file, image.NewPaletted(image.Rect(0, 0, 30, 30), palette.Plan9), nil))
	gone := errors.New("the store is gone")
	for at := range file.Len() {
		content := &failing{bytes.NewReader(file.Bytes()), at, func() error { return gone }}
		if hash, _, err := NewMaker().Placeholder(t.Context(), content); !errors.Is(err, gone) {
			t.Fatalf("at byte %d: %q, %v", at, hash, err)
		}
	}
}

// TestSmallDoNotWaitForLarge decodes small pictures while large ones hold their memory.
func TestSmallDoNotWaitForLarge(t *testing.T) {
	k := NewMaker()
	for _, large := range []Info{{Width: 8000, Height: 5000}, {Width: 4000, Height: 4000}, {Width: 4000, Height: 4000}} {
		if _, err := k.acquire(t.Context(), large); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		if _, err := k.acquire(t.Context(), Info{Width: 2000, Height: 2000}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, more := range []Info{{Width: 8000, Height: 5000}, {Width: 4000, Height: 4000}, {Width: 8, Height: 8}} {
		if _, err := k.acquire(ctx, more); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: %v", more, err)
		}
	}
}

// TestBlocksCount holds that a narrow picture takes the memory that its decoder allocates: whole blocks, which
// sampling factors make up to 32 pixels wide.
func TestBlocksCount(t *testing.T) {
	narrow := encoded(t, quarters(1, 4000), variant.FormatJPEG)
	m, err := jpeg.Decode(bytes.NewReader(narrow))
	must.Do(t, err)
	frame := bytes.Index(narrow, []byte{0xFF, 0xC0})
	large := bytes.Clone(narrow)
	large[frame+11], large[frame+14], large[frame+17] = 0x44, 0x22, 0x22
	for name, row := range map[string]struct {
		file []byte
		want int64
	}{
		"as Go writes it": {narrow, int64(len(m.(*image.YCbCr).Y))},
		"largest factors": {large, 32 * 4000},
		"cut":             {narrow[:frame+9], 4000},
		"PNG":             {encoded(t, quarters(1, 4000), variant.FormatPNG), 4000},
	} {
		k := NewMaker()
		info, err := Inspect(bytes.NewReader(row.file))
		must.Do(t, err)
		if _, err := k.acquire(t.Context(), info); err != nil {
			t.Fatal(err)
		}
		if l := k.lanes[0]; !l.pixels.TryAcquire(4*l.largest-row.want) || l.pixels.TryAcquire(1) {
			t.Errorf("%s: does not take %d pixels", name, row.want)
		}
	}
	largest := Info{Width: 8000, Height: 5000, allocated: MaxPixels * 21 / 20}
	if _, err := NewMaker().acquire(t.Context(), largest); err != nil {
		t.Error(err)
	}
}
