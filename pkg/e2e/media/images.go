package media

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/jpeg"
	"net/http"
	"slices"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"

	"headless/pkg/e2e/kit"
	"headless/pkg/must"
)

// Images has the scenarios of variants of images.
var Images = []kit.Scenario{
	{Name: "images/variants", Run: imageVariants},
	{Name: "images/refused", Run: refusedVariants},
	{Name: "images/originals", Run: imageOriginals},
	{Name: "images/limit", Run: variantLimit},
	{Name: "images/focal", Run: focalPoints},
	{Name: "images/crop", Run: crops},
	{Name: "images/crop/refused", Run: refusedCrops},
	{Name: "images/srcset", Run: srcsets},
	{Name: "images/replace", Run: replacedContent},
}

// jpegHalves is halves as a JPEG with an EXIF orientation.
func jpegHalves(width, height int, orientation byte) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, kit.Halves(width, height), nil); err != nil {
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
	return slices.Insert(kit.PNGHalves(width, height), 33,
		binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(data))...)
}

// picture reads a URL as a browser does that sends the Accept header accept.
func picture(t *testing.T, s *kit.Suite, address, accept string) (status int, header http.Header, m image.Image) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	must.Do(t, err)
	if accept != "" {
		req.Header.Set("Accept", accept)
	}
	resp, err := s.HTTP.Do(req)
	must.Do(t, err)
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		if m, _, err = image.Decode(resp.Body); err != nil {
			t.Fatalf("%s: %v", address, err)
		}
	}
	return resp.StatusCode, resp.Header, m
}

func imageVariants(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	url := k.Upload(t, "a.png", kit.PNGHalves(1000, 500), nil).Str(t, "data.url")
	sideways := k.Upload(t, "b.jpg", jpegHalves(300, 100, 6), nil)
	sideways.Has(t, "a JPEG on its side", kit.Obj{"data.width": 100, "data.height": 300,
		"data.placeholder": kit.Matches("^.{6,200}$"), "data.focal": nil})
	turned := k.Upload(t, "c.png", pngTurned(300, 100, 8), nil)
	turned.Has(t, "a PNG on its side", kit.Obj{"data.width": 100, "data.height": 300})
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
		{turned.Str(t, "data.url") + "?w=64", "", "image/png", 64, 192},
		{sideways.Str(t, "data.url") + "?w=64", "", "image/jpeg", 64, 192},
		{sideways.Str(t, "data.url") + "?w=64&fm=auto", "image/webp", "image/webp", 64, 192},
		{sideways.Str(t, "data.url") + "?w=64&fm=auto", "*/*", "image/jpeg", 64, 192},
		{sideways.Str(t, "data.url") + "?w=64&fm=webp&q=95", "", "image/webp", 64, 192},
	} {
		t.Run(row.address[strings.Index(row.address, "?"):]+" "+row.accept, func(t *testing.T) {
			for range 2 { // the first request makes the variant, the second finds it
				status, header, m := picture(t, s, row.address, row.accept)
				if status != 200 || header.Get("Content-Type") != row.mime ||
					m.Bounds().Dx() != row.width || m.Bounds().Dy() != row.height {
					t.Fatalf("%d, %s, %v", status, header.Get("Content-Type"), m)
				}
				if !strings.Contains(header.Get("Cache-Control"), "max-age=31536000") ||
					header.Get("Access-Control-Allow-Origin") != "*" ||
					header.Get("X-Content-Type-Options") != "nosniff" {
					t.Error(header)
				}
				if varies := strings.Contains(strings.Join(header.Values("Vary"), ","),
					"Accept"); varies != strings.Contains(row.address, "auto") {
					t.Errorf("Vary %q", header.Values("Vary"))
				}
			}
		})
	}
	t.Run("deleted with the file", func(t *testing.T) {
		k.Delete(t, "/upload/files/"+sideways.Str(t, "data.id"))
		s.Eventually(t, "the variant is gone", func() bool {
			status, _, _ := fetch(t, s, sideways.Str(t, "data.url")+"?w=64")
			return status == 404 || status == 403
		})
	})
}

func refusedVariants(t *testing.T, s *kit.Suite) {
	url := s.Key(t, nil).Upload(t, "a.png", kit.PNG(8, 8), nil).Str(t, "data.url")
	for _, query := range []string{
		"w=0", "w=2561", "w=x", "w=", "w=1.5", "w=64&w=64", "h=0", "h=-1", "q=0", "q=101", "q=",
		"fit=fill", "fit=", "fm=gif", "fm=", "fp=2,0", "fp=",
		"w=64&fm=auto&fm=jpg",
	} {
		t.Run(query, func(t *testing.T) {
			status, header, body := fetch(t, s, url+"?"+query)
			if status != 400 || header.Get("Cache-Control") != "no-store" ||
				!strings.HasPrefix(string(body), `{"data":null,"error":{"code":"BAD_REQUEST"`) {
				t.Errorf("%d, %s: %s", status, header.Get("Cache-Control"), body)
			}
		})
	}
	if status, _, _ := fetch(t, s, strings.Replace(url, url[strings.LastIndex(url, "/"):],
		"/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f?w=64", 1)); status != 404 {
		t.Errorf("no such file: %d", status)
	}
}

func imageOriginals(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	for name, content := range map[string]string{
		"a.gif": "GIF89a\x02\x00\x03\x00\x00\x00\x00;",
		"a.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="4" height="3"/></svg>`,
		"a.txt": "text",
	} {
		t.Run(name, func(t *testing.T) {
			a := k.Upload(t, name, []byte(content), nil)
			_, _, original := fetch(t, s, a.Str(t, "data.url"))
			status, header, got := fetch(t, s, a.Str(t, "data.url")+"?w=64&fm=webp")
			if status != 200 || !bytes.Equal(got, original) ||
				!strings.HasPrefix(header.Get("Content-Type"), a.Str(t, "data.mime")) {
				t.Errorf("%d, %s, %d bytes", status, header.Get("Content-Type"), len(got))
			}
		})
	}
	costly := jpegHalves(64, 64, 1)
	scan := bytes.LastIndex(costly, []byte{0xFF, 0xDA})
	costly = slices.Concat(costly[:scan], bytes.Repeat(costly[scan:len(costly)-2], 101), []byte{0xFF, 0xD9})
	t.Run("101 scans", func(t *testing.T) {
		a := k.Upload(t, "a.jpg", costly, nil)
		a.Has(t, "a picture that takes too much work is not decoded", kit.Obj{"data.placeholder": nil})
		for _, query := range []string{"?w=32", "?w=32", "?w=64&fm=webp"} {
			if status, _, got := fetch(t, s, a.Str(t, "data.url")+query); status != 200 || !bytes.Equal(got, costly) {
				t.Errorf("%s: %d, %d bytes", query, status, len(got))
			}
		}
	})
	picture := kit.PNG(64, 64)
	url := k.Upload(t, "a.png", picture, nil).Str(t, "data.url")
	if _, _, got := fetch(t, s, url+"?v=1&fit=cover"); !bytes.Equal(got, picture) {
		t.Error("names that ask for no variant change the file")
	}
}

// variantLimit makes more variants of a file than are kept.
func variantLimit(t *testing.T, s *kit.Suite) {
	url := s.Key(t, nil).Upload(t, "a.png", kit.PNGHalves(640, 480), nil).Str(t, "data.url")
	limited := false
	for _, width := range []string{"32", "64", "96", "128", "200", "256", "320"} {
		for _, height := range []string{"32", "64", "96", "128", "200", "256", "320"} {
			for _, quality := range []string{"fm=jpg&q=40", "fm=jpg&q=60", "fm=jpg&q=75", "fm=jpg&q=85",
				"fm=jpg&q=95", "fm=png"} {
				_, header, m := picture(t, s, url+"?fit=cover&w="+width+"&h="+height+"&"+quality, "")
				if m != nil && strings.HasSuffix(header.Get("Cache-Control"), "max-age=300") {
					limited = true
				}
			}
		}
	}
	if !limited {
		t.Error("every variant was made")
	}
	_, header, m := picture(t, s, url+"?w=400&fm=jpg", "")
	if m == nil || m.Bounds().Dx() != 400 || !strings.Contains(header.Get("Cache-Control"), "max-age=31536000") {
		t.Errorf("a width alone: %v, %v", m, header)
	}
}

func focalPoints(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	a := k.Upload(t, "a.png", kit.PNGHalves(400, 100), nil)
	file, url := "/media/"+a.Str(t, "data.id"), a.Str(t, "data.url")
	left := func(t *testing.T, query string) bool {
		t.Helper()
		status, _, m := picture(t, s, url+"?w=64&h=64&fit=cover"+query, "")
		if status != 200 {
			t.Fatal(status)
		}
		r, _, b, _ := m.At(m.Bounds().Dx()/2, 10).RGBA()
		return r > b
	}
	put := func(name string, focal any) {
		admin.Run(t, kit.Step{Name: name, Call: "PUT " + file, Body: kit.Obj{"focal": focal},
			Want: kit.Obj{"data.focal": focal}})
	}
	refused := func(name string, focal any, invalid string) {
		admin.Run(t, kit.Step{Name: name, Call: "PUT " + file, Body: kit.Obj{"focal": focal}, Invalid: invalid})
	}
	put("left", kit.Obj{"x": 0, "y": 0.5})
	if !left(t, "") || !left(t, "&fp=0,0.5") {
		t.Error("the focal point is not in sight")
	}
	if !left(t, "&fp=1,0.5") {
		t.Error("a focal point that is not the file's own counts")
	}
	if _, header, _ := picture(t, s, url+"?w=64&h=64&fit=cover&fp=1,0.5", ""); !strings.Contains(
		header.Get("Cache-Control"), "max-age=300") {
		t.Error("a focal point that is not the file's own is kept:", header.Get("Cache-Control"))
	}
	put("right", kit.Obj{"x": 1, "y": 0.25})
	if left(t, "") {
		t.Error("the new focal point does not count")
	}
	k.Run(t,
		kit.Step{Name: "shown", Call: "GET /upload/files/" + a.Str(t, "data.id"),
			Want: kit.Obj{"data.focal": kit.Obj{"x": 1, "y": 0.25}}},
		kit.Step{Name: "fields", Call: "GET /upload/files/" + a.Str(t, "data.id") + "?fields=focal,placeholder",
			Want: kit.Obj{"data.focal.x": 1, "data.placeholder": kit.Present, "data.name": nil}},
	)
	refused("outside", kit.Obj{"x": 1.1, "y": 0}, "focal.x")
	refused("half", kit.Obj{"x": 0.5}, "focal.y")
	refused("no object", "middle", "focal")
	put("removed", nil)
}

func srcsets(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	model := s.Model(t,
		kit.Obj{"fields": kit.List{kit.Field("cover", "media", nil), kit.Field("gallery", "media", kit.Obj{"many": true})}})
	a := k.Upload(t, "a.png", kit.PNGHalves(700, 350), nil)
	drawing := k.Upload(t, "a.svg",
		[]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="30"/>`), nil)
	url := a.Str(t, "data.url")
	id := k.Publish(t, model, "x", kit.Obj{"cover": a.Get("data.id"), "gallery": kit.List{drawing.Get("data.id")}})
	at := "GET /" + model + "/" + id + "?include=cover,gallery&images="
	set := url + "?w=400&fm=auto 400w, " + url + "?w=800&fm=auto 700w"
	k.Run(t,
		kit.Step{Name: "true widths, each once", Call: at + "400,390,800,1600",
			Want: kit.Obj{"data.data.cover.srcset": set, "data.data.gallery.0.srcset": ""}},
		kit.Step{Name: "list", Call: "GET /" + model + "?include=cover&images=400,800",
			Want: kit.Obj{"data.0.data.cover.srcset": set}},
		kit.Step{Name: "without include", Call: "GET /" + model + "/" + id + "?images=400",
			Want: kit.Obj{"data.data.cover": a.Get("data.id")}},
		kit.Step{Name: "without images", Call: "GET /" + model + "/" + id + "?include=cover",
			Want: kit.Obj{"data.data.cover.srcset": nil, "data.data.cover.placeholder": kit.Present}},
		kit.Step{Name: "no number", Call: at + "x", Code: "BAD_REQUEST"},
		kit.Step{Name: "empty", Call: at, Code: "BAD_REQUEST"},
		kit.Step{Name: "outside", Call: at + "2561", Code: "BAD_REQUEST"},
		kit.Step{Name: "too many", Call: at + strings.Repeat("32,", 16) + "32", Code: "BAD_REQUEST"},
	)
	admin.Put(t, "/media/"+a.Str(t, "data.id"), kit.Obj{"focal": kit.Obj{"x": 0.5, "y": 0.3}})
	k.Step(t, kit.Step{Call: at + "400",
		Want: kit.Obj{"data.data.cover.srcset": url + "?w=400&fm=auto&fp=0.5,0.3 400w"}})
}

func replacedContent(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	a := k.Upload(t, "a.png", kit.PNGHalves(400, 100), map[string]string{"alt": "A"})
	file, url := "/media/"+a.Str(t, "data.id"), a.Str(t, "data.url")
	picture(t, s, url+"?w=64", "")
	next := kit.PNGHalves(200, 200)
	admin.Step(t, kit.Step{Call: "PUT " + file + "/content", Body: kit.FileBody(t, "b.png", next, nil), Want: kit.Obj{
		"data.id": a.Get("data.id"), "data.url": url + "?v=2", "data.name": "a.png", "data.alt": "A",
		"data.width": 200, "data.height": 200, "data.size": len(next),
	}})
	if _, _, got := fetch(t, s, url); !bytes.Equal(got, next) {
		t.Error("the old content is served")
	}
	if _, _, m := picture(t, s, url+"?w=64", ""); m.Bounds().Dy() != 64 {
		t.Errorf("the variant is of the old content: %v", m.Bounds())
	}
	k.Step(t, kit.Step{Call: "GET /upload/files/" + a.Str(t, "data.id"),
		Want: kit.Obj{"data.width": 200, "data.url": url + "?v=2"}})
	for address, kept := range map[string]string{url + "?v=2": "max-age=31536000", url: "max-age=300",
		url + "?v=1": "max-age=300", url + "?v=2&w=64": "max-age=31536000", url + "?w=64": "max-age=300",
		url + "?w=64&v=3&fm=auto": "max-age=300"} {
		status, header, m := picture(t, s, address, "")
		if got := header.Get("Cache-Control"); status != 200 || m.Bounds().Dx() != m.Bounds().Dy() ||
			!strings.Contains(got, " "+kept) {
			t.Errorf("%s: %d, %v, %s", address, status, m.Bounds(), got)
		}
	}
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("cover", "media", nil)}})
	id := k.Publish(t, model, "x", kit.Obj{"cover": a.Get("data.id")})
	k.Step(t, kit.Step{Call: "GET /" + model + "/" + id + "?include=cover&images=64",
		Want: kit.Obj{"data.data.cover.url": url + "?v=2", "data.data.cover.srcset": url + "?v=2&w=64&fm=auto 64w"}})
	admin.Run(t,
		kit.Step{Name: "another type", Call: "PUT " + file + "/content",
			Body: kit.FileBody(t, "b.jpg", jpegHalves(8, 8, 1), nil), Code: "UNSUPPORTED_MEDIA_TYPE"},
		kit.Step{Name: "no file", Call: "PUT " + file + "/content", Body: kit.FileBody(t, "", nil, nil),
			Code: "VALIDATION_FAILED"},
		kit.Step{Name: "JSON", Call: "PUT " + file + "/content", Body: kit.Obj{"file": "x"},
			Code: "UNSUPPORTED_MEDIA_TYPE"},
		kit.Step{Name: "unknown", Call: "PUT /media/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/content",
			Body: kit.FileBody(t, "b.png", next, nil), Code: "NOT_FOUND"},
		kit.Step{Name: "no upload", Call: "PUT " + file + "/content", Body: kit.Obj{"upload": kit.UnknownID},
			Invalid: "upload"},
		kit.Step{Name: "no id", Call: "PUT " + file + "/content", Body: kit.Obj{"upload": 1}, Invalid: "upload"},
	)
	third := kit.PNGHalves(60, 30)
	begun := admin.Post(t, "/media/direct", kit.Obj{"name": "c.png", "mime": "image/png", "size": len(third)})
	upload := kit.Obj{"upload": begun.Get("data.id")}
	admin.Step(t, kit.Step{Name: "not sent yet", Call: "PUT " + file + "/content", Body: upload, Invalid: "upload"})
	kit.UploadDirectly(t, s, begun, third)
	admin.Run(t, kit.Step{Name: "by a direct upload", Call: "PUT " + file + "/content", Body: upload, Want: kit.Obj{
		"data.id": a.Get("data.id"), "data.url": url + "?v=3", "data.name": "a.png", "data.width": 60,
		"data.size": len(third)}},
		kit.Step{Name: "an upload that was used", Call: "PUT " + file + "/content", Body: upload, Invalid: "upload"},
		kit.Step{Name: "is no file", Call: "GET /media/" + begun.Str(t, "data.id"), Code: "NOT_FOUND"})
	status, header, got := fetch(t, s, url)
	if !bytes.Equal(got, third) || header.Get("Content-Type") != "image/png" ||
		!strings.Contains(header.Get("Cache-Control"), "max-age=300") {
		t.Errorf("%d with %d bytes, %v", status, len(got), header)
	}
}
