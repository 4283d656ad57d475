package e2e

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"slices"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"
)

var imageScenarios = append([]scenario{
	{name: "images/variants", run: imageVariants},
	{name: "images/refused", run: refusedVariants},
	{name: "images/originals", run: imageOriginals},
	{name: "images/limit", run: variantLimit},
	{name: "images/focal", run: focalPoints},
	{name: "images/srcset", run: srcsets},
	{name: "images/replace", run: replacedContent},
}, slices.Concat(usageScenarios, csvScenarios, xliffScenarios, textScenarios, previewScenarios, sitePreviewScenarios)...)

// halves is a picture that is red on the left and blue on the right.
func halves(width, height int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{255, 0, 0, 255}
			if x >= width/2 {
				c = color.RGBA{0, 0, 255, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

func pngHalves(width, height int) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, halves(width, height)); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}

// jpegHalves is halves as a JPEG with an EXIF orientation.
func jpegHalves(width, height int, orientation byte) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, halves(width, height), nil); err != nil {
		panic(err)
	}
	tiff := append([]byte("Exif\x00\x00"), exif(orientation)...)
	head := binary.BigEndian.AppendUint16([]byte{0xFF, 0xD8, 0xFF, 0xE1}, uint16(len(tiff)+2))
	return append(append(head, tiff...), b.Bytes()[2:]...)
}

// exif is EXIF data with an orientation.
func exif(orientation byte) []byte {
	return append([]byte("II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00"),
		orientation, 0, 0, 0, 0, 0, 0, 0)
}

// pngTurned is halves as a PNG with an EXIF orientation.
func pngTurned(width, height int, orientation byte) []byte {
	data := append([]byte("eXIf"), exif(orientation)...)
	chunk := append(binary.BigEndian.AppendUint32(nil, uint32(len(data)-4)), data...)
	return slices.Insert(pngHalves(width, height), 33,
		binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(data))...)
}

// picture reads a URL as a browser does that sends the Accept header accept.
func (s *suite) picture(t *testing.T, address, accept string) (status int, header http.Header,
	m image.Image) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if accept != "" {
		req.Header.Set("Accept", accept)
	}
	resp, err := s.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		if m, _, err = image.Decode(resp.Body); err != nil {
			t.Fatalf("%s: %v", address, err)
		}
	}
	return resp.StatusCode, resp.Header, m
}

func imageVariants(t *testing.T, s *suite) {
	k := s.key(t, nil)
	url := k.upload(t, "a.png", pngHalves(1000, 500), nil).str(t, "data.url")
	sideways := k.upload(t, "b.jpg", jpegHalves(300, 100, 6), nil)
	for path, want := range map[string]any{"data.width": 100, "data.height": 300,
		"data.placeholder": matches("^.{6,200}$"), "data.focal": nil} {
		if err := compare(sideways.get(path), want); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	turned := k.upload(t, "c.png", pngTurned(300, 100, 8), nil)
	if turned.get("data.width") != 100.0 || turned.get("data.height") != 300.0 {
		t.Errorf("a PNG on its side: %s", turned.Raw)
	}
	for _, row := range []struct {
		address, accept, mime string
		width, height         int
	}{
		{url + "?w=400", "", "image/png", 400, 200},
		{url + "?w=390", "", "image/png", 400, 200},
		{url + "?h=100", "", "image/png", 256, 128},
		{url + "?w=2560", "", "image/png", 1000, 500},
		{url + "?w=200&h=200", "", "image/png", 200, 100},
		{url + "?w=200&h=200&fit=inside", "", "image/png", 200, 100},
		{url + "?w=200&h=200&fit=cover", "", "image/png", 200, 200},
		{url + "?w=800&h=800&fit=cover", "", "image/png", 500, 500},
		{url + "?w=200&fm=jpg&q=40", "", "image/jpeg", 200, 100},
		{url + "?w=200&fm=webp", "", "image/webp", 200, 100},
		{url + "?w=200&fm=auto", "image/avif,image/webp,*/*;q=0.8", "image/webp", 200, 100},
		{url + "?w=200&fm=auto", "image/webp;q=0, image/*", "image/png", 200, 100},
		{url + "?w=200&fm=auto", "*/*", "image/png", 200, 100},
		{url + "?w=200&unknown=1", "", "image/png", 200, 100},
		{turned.str(t, "data.url") + "?w=64", "", "image/png", 64, 192},
		{sideways.str(t, "data.url") + "?w=64", "", "image/jpeg", 64, 192},
		{sideways.str(t, "data.url") + "?w=64&fm=auto", "image/webp", "image/webp", 64, 192},
		{sideways.str(t, "data.url") + "?w=64&fm=auto", "*/*", "image/jpeg", 64, 192},
		{sideways.str(t, "data.url") + "?w=64&fm=webp&q=95", "", "image/webp", 64, 192},
	} {
		t.Run(row.address[strings.Index(row.address, "?"):]+" "+row.accept, func(t *testing.T) {
			for range 2 { // the first request makes the variant, the second finds it
				status, header, m := s.picture(t, row.address, row.accept)
				if status != 200 || header.Get("Content-Type") != row.mime ||
					m.Bounds().Dx() != row.width || m.Bounds().Dy() != row.height {
					t.Fatalf("%d, %s, %v", status, header.Get("Content-Type"), m)
				}
				if !strings.Contains(header.Get("Cache-Control"), "max-age=31536000") ||
					header.Get("Access-Control-Allow-Origin") != "*" ||
					header.Get("X-Content-Type-Options") != "nosniff" {
					t.Error(header)
				}
				if varies := strings.Contains(strings.Join(header.Values("Vary"), ","), "Accept"); varies != strings.Contains(row.address,
					"auto") {
					t.Errorf("Vary %q", header.Values("Vary"))
				}
			}
		})
	}
	t.Run("deleted with the file", func(t *testing.T) {
		k.ok(t, 204, "DELETE /upload/files/"+sideways.str(t, "data.id"), nil)
		s.eventually(t, "the variant is gone", func() bool {
			status, _, _ := s.fetch(t, sideways.str(t, "data.url")+"?w=64")
			return status == 404 || status == 403
		})
	})
}

func refusedVariants(t *testing.T, s *suite) {
	url := s.key(t, nil).upload(t, "a.png", pngFile(8, 8), nil).str(t, "data.url")
	for _, query := range []string{
		"w=0", "w=2561", "w=x", "w=", "w=1.5", "w=64&w=64", "h=0", "h=-1", "q=0", "q=101", "q=",
		"fit=fill", "fit=", "fm=gif", "fm=", "fp=2,0", "fp=",
		"w=64&fm=auto&fm=jpg",
	} {
		t.Run(query, func(t *testing.T) {
			status, header, body := s.fetch(t, url+"?"+query)
			if status != 400 || header.Get("Cache-Control") != "no-store" ||
				!strings.HasPrefix(string(body), `{"data":null,"error":{"code":"BAD_REQUEST"`) {
				t.Errorf("%d, %s: %s", status, header.Get("Cache-Control"), body)
			}
		})
	}
	if status, _, _ := s.fetch(t, strings.Replace(url, url[strings.LastIndex(url, "/"):], "/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f?w=64", 1)); status != 404 {
		t.Errorf("no such file: %d", status)
	}
}

func imageOriginals(t *testing.T, s *suite) {
	k := s.key(t, nil)
	for name, content := range map[string]string{
		"a.gif": "GIF89a\x02\x00\x03\x00\x00\x00\x00;",
		"a.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="4" height="3"/></svg>`,
		"a.txt": "text",
	} {
		t.Run(name, func(t *testing.T) {
			a := k.upload(t, name, []byte(content), nil)
			_, _, original := s.fetch(t, a.str(t, "data.url"))
			status, header, got := s.fetch(t, a.str(t, "data.url")+"?w=64&fm=webp")
			if status != 200 || !bytes.Equal(got, original) ||
				!strings.HasPrefix(header.Get("Content-Type"), a.str(t, "data.mime")) {
				t.Errorf("%d, %s, %d bytes", status, header.Get("Content-Type"), len(got))
			}
		})
	}
	costly := jpegHalves(64, 64, 1)
	scan := bytes.LastIndex(costly, []byte{0xFF, 0xDA})
	costly = slices.Concat(costly[:scan], bytes.Repeat(costly[scan:len(costly)-2], 101), []byte{0xFF, 0xD9})
	t.Run("101 scans", func(t *testing.T) {
		a := k.upload(t, "a.jpg", costly, nil)
		if a.get("data.placeholder") != nil {
			t.Error("a picture that takes too much work was decoded:", a.get("data.placeholder"))
		}
		for _, query := range []string{"?w=32", "?w=32", "?w=64&fm=webp"} {
			if status, _, got := s.fetch(t, a.str(t, "data.url")+query); status != 200 || !bytes.Equal(got, costly) {
				t.Errorf("%s: %d, %d bytes", query, status, len(got))
			}
		}
	})
	picture := pngFile(64, 64)
	url := k.upload(t, "a.png", picture, nil).str(t, "data.url")
	if _, _, got := s.fetch(t, url+"?v=1&fit=cover"); !bytes.Equal(got, picture) {
		t.Error("names that ask for no variant change the file")
	}
}

// variantLimit makes more variants of a file than are kept.
func variantLimit(t *testing.T, s *suite) {
	url := s.key(t, nil).upload(t, "a.png", pngHalves(640, 480), nil).str(t, "data.url")
	limited := false
	for _, width := range []string{"32", "64", "96", "128", "200", "256", "320"} {
		for _, height := range []string{"32", "64", "96", "128", "200", "256", "320"} {
			for _, quality := range []string{"fm=jpg&q=40", "fm=jpg&q=60", "fm=jpg&q=75", "fm=jpg&q=85",
				"fm=jpg&q=95", "fm=png"} {
				_, header, m := s.picture(t, url+"?fit=cover&w="+width+"&h="+height+"&"+quality, "")
				if m != nil && strings.HasSuffix(header.Get("Cache-Control"), "max-age=300") {
					limited = true
				}
			}
		}
	}
	if !limited {
		t.Error("every variant was made")
	}
	_, header, m := s.picture(t, url+"?w=400&fm=jpg", "")
	if m == nil || m.Bounds().Dx() != 400 || !strings.Contains(header.Get("Cache-Control"), "max-age=31536000") {
		t.Errorf("a width alone: %v, %v", m, header)
	}
}

func focalPoints(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	a := k.upload(t, "a.png", pngHalves(400, 100), nil)
	file, url := "/media/"+a.str(t, "data.id"), a.str(t, "data.url")
	left := func(t *testing.T, query string) bool {
		t.Helper()
		status, _, m := s.picture(t, url+"?w=64&h=64&fit=cover"+query, "")
		if status != 200 {
			t.Fatal(status)
		}
		r, _, b, _ := m.At(m.Bounds().Dx()/2, 10).RGBA()
		return r > b
	}
	put := func(name string, focal any, status int, details ...string) {
		st := step{name: name, call: "PUT " + file, body: obj{"focal": focal}, status: status}
		if status == 200 {
			st.want = obj{"data.focal": focal}
		} else {
			st.code, st.details = "VALIDATION_FAILED", details
		}
		admin.run(t, st)
	}
	put("left", obj{"x": 0, "y": 0.5}, 200)
	if !left(t, "") || !left(t, "&fp=0,0.5") {
		t.Error("the focal point is not in sight")
	}
	if !left(t, "&fp=1,0.5") {
		t.Error("a focal point that is not the file's own counts")
	}
	if _, header, _ := s.picture(t, url+"?w=64&h=64&fit=cover&fp=1,0.5", ""); !strings.Contains(
		header.Get("Cache-Control"), "max-age=300") {
		t.Error("a focal point that is not the file's own is kept:", header.Get("Cache-Control"))
	}
	put("right", obj{"x": 1, "y": 0.25}, 200)
	if left(t, "") {
		t.Error("the new focal point does not count")
	}
	k.run(t,
		step{name: "shown", call: "GET /upload/files/" + a.str(t, "data.id"), status: 200,
			want: obj{"data.focal": obj{"x": 1, "y": 0.25}}},
		step{name: "fields", call: "GET /upload/files/" + a.str(t, "data.id") +
			"?fields=focal,placeholder", status: 200,
			want: obj{"data.focal.x": 1, "data.placeholder": present, "data.name": nil}},
	)
	put("outside", obj{"x": 1.1, "y": 0}, 422, "focal.x")
	put("half", obj{"x": 0.5}, 422, "focal.y")
	put("no object", "middle", 422, "focal")
	put("removed", nil, 200)
}

func srcsets(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	model := s.model(t,
		obj{"fields": list{field("cover", "media", nil), field("gallery", "media", obj{"many": true})}})
	a := k.upload(t, "a.png", pngHalves(700, 350), nil)
	drawing := k.upload(t, "a.svg",
		[]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="30"/>`), nil)
	url := a.str(t, "data.url")
	id := k.publish(t, model, "x", obj{"cover": a.get("data.id"), "gallery": list{drawing.get("data.id")}})
	at := "GET /" + model + "/" + id + "?include=cover,gallery&images="
	set := url + "?w=400&fm=auto 400w, " + url + "?w=800&fm=auto 700w"
	k.run(t,
		step{name: "true widths, each once", call: at + "400,390,800,1600", status: 200,
			want: obj{"data.data.cover.srcset": set, "data.data.gallery.0.srcset": ""}},
		step{name: "list", call: "GET /" + model + "?include=cover&images=400,800", status: 200,
			want: obj{"data.0.data.cover.srcset": set}},
		step{name: "without include", call: "GET /" + model + "/" + id + "?images=400", status: 200,
			want: obj{"data.data.cover": a.get("data.id")}},
		step{name: "without images", call: "GET /" + model + "/" + id + "?include=cover",
			status: 200, want: obj{"data.data.cover.srcset": nil, "data.data.cover.placeholder": present}},
		step{name: "no number", call: at + "x", status: 400, code: "BAD_REQUEST"},
		step{name: "empty", call: at, status: 400, code: "BAD_REQUEST"},
		step{name: "outside", call: at + "2561", status: 400, code: "BAD_REQUEST"},
		step{name: "too many", call: at + strings.Repeat("32,", 16) + "32", status: 400, code: "BAD_REQUEST"},
	)
	admin.ok(t, 200, "PUT /media/"+a.str(t, "data.id"), obj{"focal": obj{"x": 0.5, "y": 0.3}})
	k.step(t,
		step{call: at + "400", status: 200, want: obj{"data.data.cover.srcset": url +
			"?w=400&fm=auto&fp=0.5,0.3 400w"}})
}

func replacedContent(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	a := k.upload(t, "a.png", pngHalves(400, 100), map[string]string{"alt": "A"})
	file, url := "/media/"+a.str(t, "data.id"), a.str(t, "data.url")
	s.picture(t, url+"?w=64", "")
	next := pngHalves(200, 200)
	admin.step(t, step{call: "PUT " + file + "/content", body: form(t, "b.png", next, nil),
		status: 200, want: obj{
			"data.id": a.get("data.id"), "data.url": url + "?v=2", "data.name": "a.png", "data.alt": "A",
			"data.width": 200, "data.height": 200, "data.size": len(next),
		}})
	if _, _, got := s.fetch(t, url); !bytes.Equal(got, next) {
		t.Error("the old content is served")
	}
	if _, _, m := s.picture(t, url+"?w=64", ""); m.Bounds().Dy() != 64 {
		t.Errorf("the variant is of the old content: %v", m.Bounds())
	}
	k.step(t, step{call: "GET /upload/files/" + a.str(t, "data.id"), status: 200,
		want: obj{"data.width": 200, "data.url": url + "?v=2"}})
	for address, kept := range map[string]string{url + "?v=2": "max-age=31536000", url: "max-age=300",
		url + "?v=1": "max-age=300", url + "?v=2&w=64": "max-age=31536000", url + "?w=64": "max-age=300",
		url + "?w=64&v=3&fm=auto": "max-age=300"} {
		status, header, m := s.picture(t, address, "")
		if got := header.Get("Cache-Control"); status != 200 || m.Bounds().Dx() != m.Bounds().Dy() ||
			!strings.Contains(got, " "+kept) {
			t.Errorf("%s: %d, %v, %s", address, status, m.Bounds(), got)
		}
	}
	model := s.model(t, obj{"fields": list{field("cover", "media", nil)}})
	id := k.publish(t, model, "x", obj{"cover": a.get("data.id")})
	k.step(t, step{call: "GET /" + model + "/" + id + "?include=cover&images=64", status: 200,
		want: obj{"data.data.cover.url": url + "?v=2",
			"data.data.cover.srcset": url + "?v=2&w=64&fm=auto 64w"}})
	admin.run(t,
		step{name: "another type", call: "PUT " + file + "/content",
			body: form(t, "b.jpg", jpegHalves(8, 8, 1), nil), status: 415, code: "UNSUPPORTED_MEDIA_TYPE"},
		step{name: "no file", call: "PUT " + file + "/content", body: form(t, "", nil, nil),
			status: 422, code: "VALIDATION_FAILED"},
		step{name: "JSON", call: "PUT " + file + "/content", body: obj{"file": "x"}, status: 415,
			code: "UNSUPPORTED_MEDIA_TYPE"},
		step{name: "unknown", call: "PUT /media/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/content",
			body: form(t, "b.png", next, nil), status: 404, code: "NOT_FOUND"},
	)
}
