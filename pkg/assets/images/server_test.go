package images

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"log/slog"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"headless/pkg/assets/picture"
	"headless/pkg/assets/variant"
	"headless/pkg/assets/webp"
	"headless/pkg/blob"
	"headless/pkg/blob/blobtest"
	"headless/pkg/blob/disk"
	"headless/pkg/cms"
	"headless/pkg/must"
)

// world is a server with files whose records a test sets.
type world struct {
	*Server
	blobs *disk.Store
	files map[string]File
}

func newWorld(t testing.TB) *world {
	t.Helper()
	blobs, err := disk.Open(t.TempDir(), disk.Options{})
	must.Do(t, err)
	w := &world{blobs: blobs, files: map[string]File{}}
	w.Server = &Server{Blobs: blobs, Prefix: "media/", Maker: picture.NewMaker(), Lossy: webp.Encode,
		Original: blob.FileHandler(blobs, "media/"), Log: slog.New(slog.DiscardHandler),
		Find: func(_ context.Context, id string) (File, error) { return w.files[id], nil }}
	return w
}

// put stores a picture and its record.
func (w *world) put(t testing.TB, id, kind string, content []byte, focal *cms.Focal) {
	t.Helper()
	info, err := picture.Inspect(bytes.NewReader(content))
	must.Do(t, err)
	w.files[id] = File{Width: info.Width, Height: info.Height, Focal: focal, Scalable: true}
	err = w.blobs.Put(t.Context(), "media/"+id, bytes.NewReader(content), blob.Meta{ContentType: kind})
	must.Do(t, err)
}

// get requests a file as a client that accepts WebP, or as one that does not.
func (w *world) get(id, query string, webp bool) *http.Response {
	r := httptest.NewRequest(http.MethodGet, "/media/"+id+"?"+query, nil)
	r.SetPathValue("id", id)
	if webp {
		r.Header.Set("Accept", "image/avif,image/webp,*/*")
	}
	answer := httptest.NewRecorder()
	w.ServeHTTP(answer, r)
	return answer.Result()
}

// variants lists the names of the stored variants.
func (w *world) variants(t *testing.T) (names []string) {
	t.Helper()
	for object, err := range w.blobs.List(t.Context(), variant.Prefix, "") {
		must.Do(t, err)
		names = append(names, strings.TrimPrefix(object.Key, variant.Prefix))
	}
	return names
}

// photograph draws what makes photographs heavy in lossless formats: smooth light, edges, texture
// and the noise of a sensor.
func photograph(seed uint64, width, height int) *image.RGBA {
	random := rand.New(rand.NewPCG(seed, 1))
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	horizon, detail := height/3+random.IntN(height/3), 2+10*random.Float64()
	for y := range height {
		for x := range width {
			light := 120 + 60*math.Sin(float64(x)/90+float64(seed)) + 40*math.Cos(float64(y)/60)
			if y > horizon {
				light -= 50 + 30*math.Sin(float64(x*y)/900)
			}
			light += detail * random.NormFloat64()
			level := func(factor float64) uint8 { return uint8(max(0, min(255, light*factor))) }
			m.SetRGBA(x, y, color.RGBA{level(1), level(0.9), level(0.7 + float64(y)/float64(3*height)), 255})
		}
	}
	return m
}

func jpegOf(t testing.TB, m image.Image, quality int) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}))
	return b.Bytes()
}

func pngOf(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, png.Encode(&b, m))
	return b.Bytes()
}

// palette draws a picture in 16 colours, which scaling turns into thousands.
func palette(width, height int) *image.Paletted {
	var colours color.Palette
	for i := range 16 {
		colours = append(colours, color.RGBA{uint8(i * 16), uint8(255 - i*16), uint8(i * 7), 255})
	}
	m := image.NewPaletted(image.Rect(0, 0, width, height), colours)
	for i := range m.Pix {
		m.Pix[i] = uint8((i/3 + i/width/2) % 16)
	}
	return m
}

// TestAutoIsNeverLarger: auto once served photographs as lossless WebP, up to 22 times as large.
func TestAutoIsNeverLarger(t *testing.T) {
	w := newWorld(t)
	sources := map[string][]byte{"palette": pngOf(t, palette(300, 200)),
		"low": jpegOf(t, photograph(9, 300, 200), 45), "shot": pngOf(t, photograph(8, 200, 150))}
	for i := range 6 {
		sources[fmt.Sprintf("photo%d", i)] = jpegOf(t, photograph(uint64(i), 480, 320), 60+5*i)
	}
	for _, path := range []string{"app/demo/content/media/workshop.png", "admin/ui/assets/guide-media.webp"} {
		content, err := os.ReadFile("../../" + path)
		must.Do(t, err)
		sources[filepath.Base(path)] = content
	}
	for id, content := range sources {
		kind := http.DetectContentType(content)
		w.put(t, id, kind, content, nil)
		queries := []string{"w=64", "w=200", "w=256&q=85", "w=400&q=95", "w=2560"}
		if filepath.Ext(id) != "" {
			queries = queries[:3] // the files are large
		}
		for _, query := range queries {
			modern, old := w.autoIsSmallest(t, id, query, content)
			for auto, webp := range map[*http.Response]bool{modern: true, old: false} {
				got := auto.Header.Get("Content-Type")
				if strings.HasPrefix(id, "photo") && (got == "image/webp") != webp || !webp && got != kind {
					t.Errorf("%s?%s: auto is %s", id, query, got)
				}
			}
		}
	}
	disc := image.NewRGBA(image.Rect(0, 0, 300, 300))
	for i := range 90_000 {
		if x, y := i%300-150, i/300-150; x*x+y*y < 20_000 {
			disc.Set(i%300, i/300, color.RGBA{200, 30, 90, 255})
		}
	}
	w.put(t, "disc", "image/png", pngOf(t, disc), nil)
	for webp, want := range map[bool]string{true: "image/webp", false: "image/png"} {
		if got := w.get("disc", "w=64&fm=auto", webp).Header.Get("Content-Type"); got != want {
			t.Errorf("a drawing is %s, want %s", got, want)
		}
	}
}

// TestPNGIsLossless: WebP of a PNG is lossy only where a quality is given.
func TestPNGIsLossless(t *testing.T) {
	w := newWorld(t)
	shot := photograph(3, 200, 150)
	w.put(t, "a", "image/png", pngOf(t, shot), nil)
	w.put(t, "b", "image/jpeg", jpegOf(t, shot, 95), nil)
	for query, lossless := range map[string]bool{
		"a?fm=webp": true, "a?fm=auto": true, "a?fm=webp&q=75": false, "a?fm=auto&q=75": false, "b?fm=webp": false} {
		id, query, _ := strings.Cut(query, "?")
		content, err := io.ReadAll(w.get(id, query, true).Body)
		if err != nil || len(content) < 16 || (string(content[12:16]) == "VP8L") != lossless {
			t.Errorf("%s?%s: %.16q, %v", id, query, content, err)
		}
	}
}

// TestNoiseAsWebP: the lossless encoder cannot write noise. The file once had no variants from then on.
func TestNoiseAsWebP(t *testing.T) {
	w := newWorld(t)
	noise, random := image.NewRGBA(image.Rect(0, 0, 300, 200)), rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(random.IntN(256)) | uint8(255*(i%4/3))
	}
	w.put(t, "a", "image/png", pngOf(t, noise), nil)
	for _, row := range []struct {
		query, kind string
		width       int
	}{{"fm=webp", "image/webp", 300}, {"w=256&fm=auto", "image/webp", 256}, {"w=64", "image/png", 64}} {
		m, err := picture.Inspect(w.get("a", row.query, true).Body)
		if err != nil || m.Type != row.kind || m.Width != row.width {
			t.Errorf("%s: %+v, %v", row.query, m, err)
		}
	}
}

// TestAutoDecodesOnce: a variant of auto takes little more time than one in the file's format.
func TestAutoDecodesOnce(t *testing.T) {
	w := newWorld(t)
	counted := &countedBlobs{Store: w.blobs}
	w.Blobs = counted
	w.put(t, "a", "image/jpeg", jpegOf(t, photograph(1, 200, 200), 90), nil)
	for range 2 {
		if got := w.get("a", "w=64&fm=auto", true).Header.Get("Content-Type"); got != "image/webp" {
			t.Error(got)
		}
	}
	if n, names := counted.opened.Load(), w.variants(t); n > 4 || len(names) != 2 { // header, pixels, two answers
		t.Errorf("%d objects were opened, for %v", n, names)
	}
}

// TestLongestWebP: no WebP is as long as this picture.
func TestLongestWebP(t *testing.T) {
	w := newWorld(t)
	content := jpegOf(t, image.NewRGBA(image.Rect(0, 0, 20_000, 2)), 75)
	w.put(t, "a", "image/jpeg", content, nil)
	for _, query := range []string{"fm=auto", "fm=webp", "w=64&fm=webp"} {
		want := map[bool]string{true: "image/webp", false: "image/jpeg"}[strings.HasPrefix(query, "w")]
		if resp := w.get("a", query, true); resp.StatusCode != 200 || resp.Header.Get("Content-Type") != want {
			t.Errorf("%s: %d, %v", query, resp.StatusCode, resp.Header)
		}
	}
}

// TestSamePictureIsOneVariant names every parameter that changes nothing.
func TestSamePictureIsOneVariant(t *testing.T) {
	w := newWorld(t)
	w.put(t, "a", "image/png", pngOf(t, photograph(1, 400, 200)), &cms.Focal{X: 0.2, Y: 0.5})
	for _, queries := range [][]string{
		{"w=200", "w=200&q=40", "w=200&fit=cover", "w=190&h=200", "w=200&fm=png", "w=200&fp=1,1"},
		{"w=400", "w=2560", "h=2560&q=95", "fm=png"},
		{"w=64&h=64&fit=cover", "w=64&h=64&fit=cover&fp=0.2,0.5", "w=64&h=64&fit=cover&fp=0.7,0.1"},
		{"w=100&fm=webp", "w=100&fm=webp"},
		{"w=100&fm=webp&q=40", "w=100&fm=webp&q=1"},
		{"w=100&fm=jpg", "w=100&fm=jpg&q=75"},
	} {
		before := len(w.variants(t))
		for _, query := range queries {
			if resp := w.get("a", query, false); resp.StatusCode != 200 {
				t.Errorf("%s: %d", query, resp.StatusCode)
			}
		}
		if made := len(w.variants(t)) - before; made != 1 {
			t.Errorf("%v: %d variants: %v", queries, made, w.variants(t))
		}
	}
}

// TestForeignFocal: a stranger could once have a variant made for a million focal points.
func TestForeignFocal(t *testing.T) {
	w := newWorld(t)
	w.put(t, "a", "image/png", pngOf(t, photograph(1, 400, 200)), &cms.Focal{X: 0.2, Y: 0.5})
	w.put(t, "b", "image/png", pngOf(t, photograph(1, 400, 200)), nil)
	for query, want := range map[string]string{
		"a?w=64&h=64&fit=cover":              blob.CacheForever,
		"a?w=64&h=64&fit=cover&fp=0.20,0.50": blob.CacheForever,
		"a?w=64&h=64&fit=cover&fp=0.9,0.9":   blob.CacheBriefly,
		"a?w=64&fm=auto&fp=0.9,0.9":          blob.CacheBriefly,
		"b?w=64&h=64&fit=cover&fp=0.9,0.9":   blob.CacheBriefly,
	} {
		id, query, _ := strings.Cut(query, "?")
		if got := w.get(id, query, false).Header.Get("Cache-Control"); got != want {
			t.Errorf("%s?%s: %s", id, query, got)
		}
	}
}

// TestForeignCrop asks for crops that the file does not have, which get the one that it has.
func TestForeignCrop(t *testing.T) {
	w := newWorld(t)
	w.put(t, "a", "image/png", pngOf(t, photograph(1, 400, 200)), nil)
	file := w.files["a"]
	file.Crop = &cms.Crop{Width: 0.5, Height: 1}
	w.files["a"] = file
	for query, want := range map[string]struct {
		caching string
		width   int
	}{
		"crop=0,0,0.5,1":         {blob.CacheForever, 200},
		"crop=0.2,0,0.5,1":       {briefly, 200},
		"crop=0.1,0.1,0.1,0.1":   {briefly, 200},
		"crop=0,0,0.5,1&w=96":    {blob.CacheForever, 96},
		"crop=0.2,0,0.5,1&w=96":  {briefly, 96},
		"w=320":                  {blob.CacheForever, 320},
		"crop=0,0,0.5,1&fm=webp": {blob.CacheForever, 200},
	} {
		resp := w.get("a", query, false)
		m, _, err := image.DecodeConfig(resp.Body)
		if got := resp.Header.Get("Cache-Control"); err != nil || got != want.caching || m.Width != want.width {
			t.Errorf("%s: %s, %d wide, %v", query, got, m.Width, err)
		}
	}
	if n := len(w.variants(t)); n != 4 {
		t.Errorf("%d variants: %v", n, w.variants(t))
	}
}

// TestLargeCrop serves a smaller one in place of a crop that is too large for an answer.
func TestLargeCrop(t *testing.T) {
	w := newWorld(t)
	content := pngOf(t, photograph(9, 400, 200))
	w.put(t, "a", "image/png", content, nil)
	file := w.files["a"]
	file.Crop = &cms.Crop{Width: 0.5, Height: 1}
	w.files["a"] = file
	w.MaxBytes = int64(len(content)) / 4
	body, err := io.ReadAll(w.get("a", "crop=0,0,0.5,1", false).Body)
	if err != nil || int64(len(body)) > w.MaxBytes {
		t.Fatalf("%d bytes of at most %d, %v", len(body), w.MaxBytes, err)
	}
	if m, _, err := image.DecodeConfig(bytes.NewReader(body)); err != nil || m.Width != m.Height || m.Width < 32 {
		t.Errorf("%d × %d, %v", m.Width, m.Height, err)
	}
}

// TestVariantsAreLimited asks for more variants than a file may have, many at once.
func TestVariantsAreLimited(t *testing.T) {
	w := newWorld(t)
	content := pngOf(t, photograph(1, 420, 300))
	w.put(t, "a", "image/png", content, nil)
	var wg sync.WaitGroup
	for _, format := range []string{"jpg", "png", "webp"} {
		for _, width := range variant.Widths()[:9] {
			wg.Go(func() {
				for _, height := range variant.Widths()[:9] {
					for _, quality := range []int{40, 60} {
						query := fmt.Sprintf("w=%d&h=%d&fit=cover&fm=%s&q=%d", width, height, format, quality)
						if resp := w.get("a", query, false); resp.StatusCode != 200 {
							t.Errorf("%s: %d", query, resp.StatusCode)
						}
					}
				}
			})
		}
	}
	wg.Wait()
	counted := 0
	for _, name := range w.variants(t) {
		if strings.HasPrefix(name, "a/"+countedPrefix) {
			counted++
		}
	}
	if counted > maxVariants || counted < maxVariants-32 {
		t.Errorf("%d variants", counted)
	}
	for counted < maxVariants { // the last ones were made together and gave way
		counted++
		key := fmt.Sprintf("variants/a/%sfill%d", countedPrefix, counted)
		must.Do(t, w.blobs.Put(t.Context(), key, strings.NewReader("x"), blob.Meta{}))
	}
	substitute := w.get("a", "w=100&h=200&fit=cover&fm=jpg&q=95", false)
	m, _, err := image.Decode(substitute.Body)
	if err != nil || m.Bounds().Dx() != 320 || substitute.Header.Get("Cache-Control") != "public, max-age=300" {
		t.Errorf("%v, %v, %v", m.Bounds(), substitute.Header, err)
	}
	for _, query := range []string{"w=96", "w=96&fm=jpg", "w=96&fm=webp&q=75"} {
		always := w.get("a", query, false)
		m, err := picture.Inspect(always.Body)
		if err != nil || m.Width != 96 || always.Header.Get("Cache-Control") != blob.CacheForever {
			t.Errorf("%s: %+v, %v, %v", query, m, always.Header, err)
		}
	}
}

// countedBlobs counts how often content is opened.
type countedBlobs struct {
	blob.Store
	opened atomic.Int64
	open   func(ctx context.Context) error // called before content is opened
}

func (b *countedBlobs) Get(ctx context.Context, key string, r blob.Range) (*blob.Object, error) {
	b.opened.Add(1)
	if b.open != nil {
		if err := b.open(ctx); err != nil {
			return nil, err
		}
	}
	return b.Store.Get(ctx, key, r)
}

// TestFailedVariantIsRemembered asks for many variants of a picture that cannot be decoded.
func TestFailedVariantIsRemembered(t *testing.T) {
	w := newWorld(t)
	counted := &countedBlobs{Store: w.blobs}
	w.Blobs = counted
	content := jpegOf(t, photograph(1, 200, 200), 90)[:4000]
	w.put(t, "a", "image/jpeg", content, nil)
	for _, query := range []string{"w=64", "w=64", "w=128", "h=64&w=32&fit=cover", "fm=png&q=40", "w=32&fm=auto"} {
		resp := w.get("a", query, true)
		if body, err := io.ReadAll(resp.Body); err != nil || !bytes.Equal(body, content) {
			t.Errorf("%s: not the file itself: %d, %v", query, resp.StatusCode, err)
		}
	}
	if n := counted.opened.Load(); n > 2 { // for the header and for the pixels
		t.Errorf("the file was opened %d times", n)
	}
	w.put(t, "a", "image/jpeg", jpegOf(t, photograph(2, 200, 200), 90), nil)
	if m, err := picture.Inspect(w.get("a", "w=64", true).Body); err != nil || m.Width != 64 {
		t.Errorf("new content: %+v, %v", m, err)
	}
}

// TestMakingEndsWithRequests: decoding goes on while one of its requests waits, and no longer.
func TestMakingEndsWithRequests(t *testing.T) {
	w := newWorld(t)
	opened, ended := make(chan struct{}, 1), make(chan struct{}, 1)
	w.Blobs = &countedBlobs{Store: w.blobs, open: func(ctx context.Context) error {
		opened <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return ctx.Err()
	}}
	w.put(t, "a", "image/jpeg", jpegOf(t, photograph(1, 100, 100), 90), nil)
	ask := func() (leave func(), left chan struct{}) {
		ctx, cancel := context.WithCancel(t.Context())
		left = make(chan struct{})
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/media/a?w=64", nil)
		r.SetPathValue("id", "a")
		go func() {
			defer close(left)
			w.ServeHTTP(httptest.NewRecorder(), r)
		}()
		return cancel, left
	}
	leaveFirst, firstLeft := ask()
	<-opened
	w.making.mu.Lock()
	for _, g := range w.making.running {
		g.waiting++ // a second request
	}
	w.making.mu.Unlock()
	leaveFirst()
	<-firstLeft
	select {
	case <-ended:
		t.Error("the work ended while a request waited")
	default:
	}
	w.making.mu.Lock()
	running := maps.Clone(w.making.running)
	w.making.mu.Unlock()
	for key, g := range running {
		w.making.giveUp(key, g)
		<-g.done
	}
	for key := range w.making.running {
		t.Error("still running:", key)
	}
	if names := w.variants(t); len(names) > 0 {
		t.Error("a request that left is remembered as a failure:", names)
	}
}

// TestLargeFilesDoNotRedirectToThemselves: behind a CDN the base is a path. The API's own address,
// which the CDN does not serve, redirected to itself.
func TestLargeFilesDoNotRedirectToThemselves(t *testing.T) {
	w := newWorld(t)
	err := w.blobs.Put(t.Context(), "media/a", strings.NewReader("too large"), blob.Meta{})
	must.Do(t, err)
	mux := http.NewServeMux()
	mux.Handle("/media/{id}", RedirectLarge(w.blobs, "media/", "/media", 4, w.Original))
	for target, want := range map[string]int{"/media/a?w=400": http.StatusFound, "/media/a": http.StatusNotFound} {
		answer := httptest.NewRecorder()
		mux.ServeHTTP(answer, httptest.NewRequest("GET", target, nil))
		if answer.Code != want {
			t.Errorf("%s: %d, want %d", target, answer.Code, want)
		}
		if to := answer.Header().Get("Location"); want == http.StatusFound && to != "/media/a" {
			t.Errorf("%s redirects to %q", target, to)
		}
	}
}

// TestEachCallFailing asks for variants while each call to the storage in turn fails before or after it acts, alone and
// with the three that follow: the answer is a variant, one that breaks off, or 503. Once the storage answers, it is the
// variant.
func TestEachCallFailing(t *testing.T) {
	content := jpegOf(t, photograph(1, 300, 200), 90)
	for _, query := range []string{"w=100&h=50&fit=cover", "w=64&fm=auto"} {
		for _, after := range []bool{false, true} {
			for _, times := range []int{1, 4} {
				for at, n := 1, 1; n >= at-1; at++ {
					w := newWorld(t)
					w.put(t, "a", "image/jpeg", content, nil)
					n = 0
					w.Blobs = blobtest.Faulty{Store: w.blobs, Do: func(_ context.Context, call func() error) error {
						n++
						fails := n >= at && n < at+times
						if fails && !after {
							return blob.ErrUnavailable
						}
						if err := call(); err != nil || !fails {
							return err
						}
						return blob.ErrUnavailable
					}}
					resp := w.get("a", query, true)
					body, err := io.ReadAll(resp.Body)
					must.Do(t, err)
					whole := strconv.Itoa(len(body)) == resp.Header.Get("Content-Length") // else the connection breaks
					if resp.StatusCode != http.StatusServiceUnavailable && (resp.StatusCode != http.StatusOK ||
						whole && bytes.Equal(body, content)) {
						t.Errorf("%s, call %d: %d with %d bytes", query, at, resp.StatusCode, len(body))
					}
					w.Blobs = w.blobs
					resp = w.get("a", query, true)
					m, err := picture.Inspect(resp.Body)
					if err != nil || m.Width > 128 || resp.Header.Get("Cache-Control") != blob.CacheForever {
						t.Errorf("%s after call %d: %+v, %v, %v", query, at, m, resp.Header, err)
					}
				}
			}
		}
	}
}
