package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/HugoSmits86/nativewebp"
	"github.com/bbrks/go-blurhash"

	"headless/pkg/assets/variant"
	"headless/pkg/cms"
	"headless/pkg/must"
)

// quarters is a picture of four colours: red, green above blue, white.
func quarters(width, height int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	colours := [2][2]color.RGBA{{{255, 0, 0, 255}, {0, 255, 0, 255}},
		{{0, 0, 255, 255}, {255, 255, 255, 255}}}
	for y := range height {
		for x := range width {
			m.SetRGBA(x, y, colours[2*y/height][2*x/width])
		}
	}
	return m
}

func encoded(t testing.TB, m image.Image, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, Encode(&b, m, format, 95))
	return b.Bytes()
}

// makeVariant makes a variant of a file, with the plan for its size.
func makeVariant(ctx context.Context, k *Maker, w io.Writer, file []byte, o variant.Options,
	format string) error {
	info, err := Inspect(bytes.NewReader(file))
	if err != nil {
		return err
	}
	width, height := info.Size()
	return k.Make(ctx, bytes.NewReader(file), NewPlan(width, height, o), func(m *image.RGBA) error {
		return Encode(w, m, format, o.Quality)
	})
}

// oriented puts an EXIF orientation into a picture: of a WebP behind its pixels.
func oriented(file []byte, orientation int) []byte {
	tiff := []byte("II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00" +
		string(rune(orientation)) + "\x00\x00\x00\x00\x00\x00\x00")
	switch string(file[1:4]) {
	case "PNG":
		return slices.Insert(bytes.Clone(file), 33, []byte(chunk("eXIf", tiff))...)
	case "IFF":
		info, _ := Inspect(bytes.NewReader(file))
		whole := append([]byte("RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x08\x00\x00\x00"),
			byte(info.Width-1), byte((info.Width-1)>>8), 0,
			byte(info.Height-1), byte((info.Height-1)>>8), 0)
		whole = append(append(whole, file[bytes.Index(file, []byte("VP8L")):]...), "EXIF"...)
		whole = append(binary.LittleEndian.AppendUint32(whole, uint32(len(tiff))), tiff...)
		binary.LittleEndian.PutUint32(whole[4:], uint32(len(whole)-8))
		return whole
	}
	segment := append([]byte("Exif\x00\x00"), tiff...)
	head := []byte{0xFF, 0xD8, 0xFF, 0xE1, 0, byte(len(segment) + 2)}
	return append(append(head, segment...), file[2:]...)
}

func TestPlan(t *testing.T) {
	for _, row := range []struct {
		width, height int
		o             variant.Options
		part          image.Rectangle
		w, h          int
	}{
		{1000, 500, variant.Options{Width: 400}, image.Rect(0, 0, 1000, 500), 400, 200},
		{1000, 500, variant.Options{Height: 100}, image.Rect(0, 0, 1000, 500), 200, 100},
		{1000, 500, variant.Options{Width: 400, Height: 100}, image.Rect(0, 0, 1000, 500), 200, 100},
		{1000, 500, variant.Options{Width: 1600}, image.Rect(0, 0, 1000, 500), 1000, 500},
		{1000, 500, variant.Options{}, image.Rect(0, 0, 1000, 500), 1000, 500},
		{1000, 500, variant.Options{Width: 400, Cover: true}, image.Rect(0, 0, 1000, 500), 400, 200},
		{1000, 500, variant.Options{Width: 200, Height: 200, Cover: true},
			image.Rect(250, 0, 750, 500), 200, 200},
		{1000, 500, variant.Options{Width: 200, Height: 200, Cover: true, Focal: &cms.Focal{}},
			image.Rect(0, 0, 500, 500), 200, 200},
		{1000, 500, variant.Options{Width: 200, Height: 200, Cover: true,
			Focal: &cms.Focal{X: 1, Y: 1}}, image.Rect(500, 0, 1000, 500), 200, 200},
		{1000, 500, variant.Options{Width: 200, Height: 200, Cover: true,
			Focal: &cms.Focal{X: 0.3, Y: 1}}, image.Rect(50, 0, 550, 500), 200, 200},
		{1000, 100, variant.Options{Width: 400, Height: 400, Cover: true},
			image.Rect(450, 0, 550, 100), 100, 100},
		{100, 100, variant.Options{Width: 800, Height: 400, Cover: true},
			image.Rect(0, 25, 100, 75), 100, 50},
		{5000, 1, variant.Options{Width: 32}, image.Rect(0, 0, 5000, 1), 32, 1},
		{1000, 500, variant.Options{Width: 400, Crop: &cms.Crop{X: 0.1, Y: 0.2, Width: 0.8, Height: 0.4}},
			image.Rect(100, 100, 900, 300), 400, 100},
		{1000, 500, variant.Options{Width: 100, Height: 100, Cover: true, Focal: &cms.Focal{X: 1, Y: 0.5},
			Crop: &cms.Crop{X: 0.1, Y: 0.2, Width: 0.8, Height: 0.4}}, image.Rect(700, 100, 900, 300), 100, 100},
	} {
		p := NewPlan(row.width, row.height, row.o)
		if p.Part != row.part || p.Width != row.w || p.Height != row.h {
			t.Errorf("%d × %d, %+v: %+v", row.width, row.height, row.o, p)
		}
	}
}

// TestOrientation compares the corners of each orientation with those of a viewer that respects it.
func TestOrientation(t *testing.T) {
	const r, g, b, w = "r", "g", "b", "w"
	for orientation, want := range map[int]string{
		1: r + g + b + w, 2: g + r + w + b, 3: w + b + g + r, 4: b + w + r + g, 5: r + b + g + w,
		6: b + r + w + g, 7: w + g + b + r, 8: g + w + r + b,
	} {
		for format := range Types {
			file := oriented(encoded(t, quarters(320, 160), format), orientation)
			var out bytes.Buffer
			must.Do(t, makeVariant(context.Background(), NewMaker(), &out, file,
				variant.Options{Width: 64, Quality: 95}, variant.FormatPNG))
			checkCorners(t, fmt.Sprint(format, " ", orientation), out.Bytes(), orientation >= 5, want)
		}
	}
}

// checkCorners compares the size and the corners of a variant of quarters, 64 pixels wide.
func checkCorners(t *testing.T, what string, file []byte, turned bool, want string) {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(file))
	must.Do(t, err)
	size := m.Bounds().Size()
	if turned && size != image.Pt(64, 128) || !turned && size != image.Pt(64, 32) {
		t.Errorf("%s: %v", what, size)
	}
	got := ""
	for _, at := range []image.Point{{4, 4}, {size.X - 5, 4}, {4, size.Y - 5}, {size.X - 5, size.Y - 5}} {
		got += name(m.At(at.X, at.Y))
	}
	if got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

// name is the letter of the colour of quarters that is nearest.
func name(c color.Color) string {
	red, green, blue, _ := c.RGBA()
	bits := ""
	for _, v := range []uint32{red, green, blue} {
		bits += strconv.Itoa(int(v >> 15))
	}
	return map[string]string{"100": "r", "010": "g", "001": "b", "111": "w"}[bits]
}

func TestCoverFollowsFocal(t *testing.T) {
	file := encoded(t, quarters(400, 400), variant.FormatPNG)
	for at, want := range map[cms.Focal]string{{X: 0, Y: 0}: "r", {X: 1, Y: 0}: "g",
		{X: 0, Y: 1}: "b", {X: 1, Y: 1}: "w"} {
		m, err := png.Decode(bytes.NewReader(file))
		must.Do(t, err)
		p := NewPlan(400, 400, variant.Options{Width: 64, Height: 256, Cover: true, Focal: &at})
		out := Scale(m, Info{Type: PNG, Width: 400, Height: 400, Orientation: 1}, p)
		y := 10
		if at.Y == 1 {
			y = 245
		}
		if got := name(out.At(32, y)); got != want {
			t.Errorf("%v: %s, want %s", at, got, want)
		}
	}
}

func TestFormats(t *testing.T) {
	source := quarters(100, 60)
	for from := range Types {
		file := encoded(t, source, from)
		info, err := Inspect(bytes.NewReader(file))
		if err != nil || info.Type != Types[from] || info.Width != 100 || info.Height != 60 {
			t.Fatalf("%s: %+v, %v", from, info, err)
		}
		for to := range Types {
			var out bytes.Buffer
			must.Do(t, makeVariant(context.Background(), NewMaker(), &out, file, variant.Options{Width: 64, Quality: 75},
				to))
			if info, err := Inspect(&out); err != nil || info.Type != Types[to] ||
				info.Width != 64 || info.Height != 38 {
				t.Errorf("%s to %s: %+v, %v", from, to, info, err)
			}
		}
	}
}

// TestOnePixel: the encoder of WebP panics on this picture, which used to end the process.
func TestOnePixel(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 1, 1))
	m.Set(0, 0, color.RGBA{0, 0, 0, 5})
	if err := Encode(io.Discard, m, variant.FormatWebP, 75); err != nil && !errors.Is(err, ErrUnsupported) {
		t.Error(err)
	}
	file := encoded(t, m, variant.FormatPNG)
	err := makeVariant(context.Background(), NewMaker(), io.Discard, file, variant.Options{Width: 320, Quality: 75},
		variant.FormatWebP)
	if err != nil && !errors.Is(err, ErrUnsupported) {
		t.Error(err)
	}
}

func TestTransparentOnWhite(t *testing.T) {
	m, err := jpeg.Decode(bytes.NewReader(encoded(t, image.NewNRGBA(image.Rect(0, 0, 8, 8)),
		variant.FormatJPEG)))
	if err != nil || name(m.At(4, 4)) != "w" {
		t.Error(m.At(4, 4), err)
	}
}

// chunk is a chunk of a PNG.
func chunk(kind string, body []byte) string {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	b = append(append(b, kind...), body...)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:])))
}

func bomb(width, height uint32) []byte {
	size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	return []byte("\x89PNG\r\n\x1a\n" + chunk("IHDR", append(size, 8, 6, 0, 0, 0)) + chunk("IDAT",
		[]byte("x")))
}

// webpOf returns a WebP of some chunks.
func webpOf(chunks ...string) []byte {
	body := "WEBP" + strings.Join(chunks, "")
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func webpChunk(name string, body ...byte) string {
	return name + string(binary.LittleEndian.AppendUint32(nil, uint32(len(body)))) + string(body)
}

// canvas returns the chunk that announces the size of a WebP.
func canvas(flags byte, width, height int) string {
	w, h := width-1, height-1
	return webpChunk("VP8X", flags, 0, 0, 0, byte(w), byte(w>>8), 0, byte(h), byte(h>>8), 0)
}

// alpha returns the transparency of a WebP of any size, all the same.
func alpha() string { return webpChunk("ALPH", 1, 0x88, 0x88, 0x08, 0, 0, 0, 0, 0, 0) }

// frame returns the start of the pixels of a WebP.
func frame(width, height int) string {
	return webpChunk("VP8 ", 0x10, 0, 0, 0x9d, 0x01, 0x2a, byte(width), byte(width>>8), byte(height), byte(height>>8))
}

// TestUnsupported refuses pictures by their headers. A decoder makes room for the canvas of a WebP before it
// compares the canvas with the frame.
func TestUnsupported(t *testing.T) {
	var animated bytes.Buffer
	must.Do(t, gif.Encode(&animated, quarters(8, 8), nil))
	apng := string(encoded(t, quarters(8, 8), variant.FormatPNG))
	apng = apng[:33] + chunk("acTL", make([]byte, 8)) + apng[33:]
	for name, file := range map[string][]byte{
		"GIF": animated.Bytes(), "text": []byte(strings.Repeat("x", 100)), "empty": nil,
		"APNG": []byte(apng), "bomb": bomb(65000, 65000), "just too large": bomb(8000, 5001),
		"too wide": bomb(65_536, 1), "too high": bomb(1, 65_536),
		"cut JPEG":      encoded(t, quarters(8, 8), variant.FormatJPEG)[:20],
		"animated WebP": []byte("RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x07\x00\x00\x07\x00\x00ANIM"),
		"WebP canvas":   []byte("RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\xff\xff\x00ALPH"),
		"large canvas":  webpOf(canvas(0x10, 8000, 5000), alpha(), frame(16, 16)),
		"two canvases":  webpOf(canvas(0x18, 16384, 16384), alpha(), canvas(0, 16, 16), frame(16, 16)),
		"two frames":    webpOf(canvas(0x18, 8000, 5000), alpha(), frame(8000, 5000), frame(16, 16)),
		"WebP frame": []byte(
			"RIFF\x00\x00\x00\x00WEBPVP8L\x0a\x00\x00\x00\x2f\xff\xff\xff\x0f\x00\x00\x00\x00\x00\x00\x00"),
	} {
		if _, err := Inspect(bytes.NewReader(file)); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, file := range map[string][]byte{"40 megapixels": bomb(8000, 5000), "wide": bomb(65_535, 610)} {
		if _, err := Inspect(bytes.NewReader(file)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	damaged := encoded(t, quarters(64, 64), variant.FormatPNG)
	damaged = damaged[:len(damaged)/2]
	if err := makeVariant(context.Background(), NewMaker(), io.Discard, damaged, variant.Options{Width: 32},
		variant.FormatPNG); !errors.Is(err,
		ErrUnsupported) {
		t.Errorf("damaged: %v", err)
	}
}

func TestBombCostsNothing(t *testing.T) {
	file := bomb(65000, 65000)
	k := NewMaker()
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := makeVariant(context.Background(), k, io.Discard, file, variant.Options{Width: 32},
				variant.FormatPNG); !errors.Is(err,
				ErrUnsupported) {
				b.Fatal(err)
			}
			if hash, _, err := k.Placeholder(context.Background(), bytes.NewReader(file)); hash != "" ||
				err != nil {
				b.Fatal(hash, err)
			}
		}
	})
	if result.AllocedBytesPerOp() > 64<<10 {
		t.Errorf("%d bytes", result.AllocedBytesPerOp())
	}
}

// TestCropPlaceholder compares the placeholder of a part with that of a picture that has only this part.
func TestCropPlaceholder(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 200, 100))
	for x := range 200 {
		for y := range 100 {
			m.SetRGBA(x, y, color.RGBA{uint8(x), uint8(2 * y), 0, 255})
		}
	}
	for _, crop := range []cms.Crop{{Width: 0.5, Height: 1}, {X: 0.5, Y: 0.5, Width: 0.5, Height: 0.5}} {
		left, top, width, height := crop.Pixels(200, 100)
		alone := image.NewRGBA(image.Rect(0, 0, width, height))
		draw.Draw(alone, alone.Bounds(), m, image.Pt(left, top), draw.Src)
		want, err := blurhash.Encode(4, 3, alone)
		must.Do(t, err)
		whole, err := blurhash.Encode(4, 3, m)
		must.Do(t, err)
		part, err := CropPlaceholder(whole, crop)
		must.Do(t, err)
		if got := farthest(t, part, want); got > 40 {
			t.Errorf("%+v: colours differ by up to %d", crop, got)
		}
		if got := farthest(t, whole, want); got < 60 {
			t.Errorf("%+v: those of the whole differ by only %d", crop, got)
		}
	}
}

// farthest returns the largest difference of a colour in the pictures of two placeholders.
func farthest(t *testing.T, a, b string) (most int) {
	t.Helper()
	var list [2]image.Image
	for i, hash := range []string{a, b} {
		m, err := blurhash.Decode(hash, 16, 16, 1)
		must.Do(t, err)
		list[i] = m
	}
	for i := range 256 {
		r1, g1, _, _ := list[0].At(i%16, i/16).RGBA()
		r2, g2, _, _ := list[1].At(i%16, i/16).RGBA()
		for _, d := range []int{int(r1>>8) - int(r2>>8), int(g1>>8) - int(g2>>8)} {
			most = max(most, d, -d)
		}
	}
	return most
}

func TestPlaceholder(t *testing.T) {
	var animated, lossless bytes.Buffer
	must.Do(t, errors.Join(gif.Encode(&animated, quarters(90, 60), nil),
		nativewebp.Encode(&lossless, quarters(90, 60), nil)))
	for name, row := range map[string]struct {
		file     []byte
		length   int
		scalable bool
	}{
		"PNG":  {encoded(t, quarters(90, 60), variant.FormatPNG), 28, true},
		"JPEG": {encoded(t, quarters(60, 90), variant.FormatJPEG), 28, true},
		"GIF":  {animated.Bytes(), 28, false}, "WebP": {lossless.Bytes(), 28, true},
		"one pixel": {encoded(t, quarters(1, 1), variant.FormatPNG), 28, true},
		"text":      {[]byte("text"), 0, false},
		"cut":       {encoded(t, quarters(60, 90), variant.FormatPNG)[:60], 0, false},
	} {
		hash, scalable, err := NewMaker().Placeholder(context.Background(), bytes.NewReader(row.file))
		if err != nil || len(hash) != row.length || scalable != row.scalable {
			t.Errorf("%s: %q, %v, %v", name, hash, scalable, err)
		}
	}
}

func TestMakerWaits(t *testing.T) {
	k := NewMaker()
	for _, l := range k.lanes {
		for l.pixels.TryAcquire(l.largest) {
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := makeVariant(ctx, k, io.Discard, encoded(t, quarters(8, 8), variant.FormatPNG), variant.Options{},
		variant.FormatPNG); !errors.Is(err,
		context.Canceled) {
		t.Error(err)
	}
}

func benchmark(b *testing.B, picture image.Image, source string, width int, format string) {
	file := encoded(b, picture, source)
	k := NewMaker()
	b.ReportAllocs()
	for b.Loop() {
		must.Do(b, makeVariant(context.Background(), k, io.Discard, file, variant.Options{Width: width, Quality: 75},
			format))
	}
}

func BenchmarkMake12MP(b *testing.B) {
	benchmark(b, quarters(4000, 3000), variant.FormatJPEG, 800, variant.FormatJPEG)
}

func BenchmarkMake40MP(b *testing.B) {
	benchmark(b, quarters(8000, 5000), variant.FormatJPEG, 800, variant.FormatJPEG)
}

func BenchmarkMake12MPWebP(b *testing.B) {
	benchmark(b, quarters(4000, 3000), variant.FormatJPEG, 800, variant.FormatWebP)
}

// BenchmarkMakeLargest makes the largest variant of a picture with noise. Goal: 2 s.
func BenchmarkMakeLargest(b *testing.B) {
	noisy := image.NewNRGBA(image.Rect(0, 0, 7300, 5400))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noisy.Pix {
		noisy.Pix[i] = uint8(i/30_000 + random.IntN(8))
		if i%4 == 3 {
			noisy.Pix[i] = 255
		}
	}
	benchmark(b, noisy, variant.FormatPNG, 2560, variant.FormatPNG)
}

// TestLargeNoise writes large pictures without loss: noise is refused before the whole is looked at, a drawing is not.
func TestLargeNoise(t *testing.T) {
	m, random := image.NewRGBA(image.Rect(0, 0, 1200, 1000)), rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.Pix[i] = uint8(random.IntN(256) | 255*(i%4/3)) // opaque
	}
	if !isNoise(m) {
		t.Error("noise is not found by its parts")
	}
	if err := Encode(io.Discard, m, variant.FormatWebP, 0); !errors.Is(err, ErrUnsupported) {
		t.Errorf("noise: %v", err)
	}
	if drawing := quarters(1200, 1000); isNoise(drawing) || Encode(io.Discard, drawing, variant.FormatWebP, 0) != nil {
		t.Error("a drawing is not written")
	}
}
