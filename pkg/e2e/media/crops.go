package media

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// crops cuts the left third off a picture that is red on the left and blue on the right, and looks at what sites
// show: the address, its pixels, the size, the placeholder and srcset. Without the crop all is as it was.
func crops(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("cover", "media", nil), kit.Field("body", "richtext", nil)}})
	whole := kit.PNGHalves(400, 100)
	a := k.Upload(t, "a.png", whole, nil)
	id, address := a.Str(t, "data.id"), a.Str(t, "data.url")
	file := "/media/" + id
	admin.Put(t, file, kit.Obj{"focal": kit.Obj{"x": 0.4, "y": 0.3}})
	entry := k.Publish(t, model, "x", kit.Obj{"cover": id, "body": "![](" + address + "?w=64)"})
	before := k.Get(t, "/upload/files/"+id)
	before.Lacks(t, "a file without a crop", "crop")

	crop := kit.Obj{"x": 0.3, "y": 0, "width": 0.4, "height": 1}
	shown := address + "?crop=0.3,0,0.4,1"
	admin.Run(t, kit.Step{Name: "set", Call: "PUT " + file, Body: kit.Obj{"crop": crop}, Want: kit.Obj{
		"data.crop": crop, "data.url": shown, "data.width": 160, "data.height": 100, "data.size": len(whole),
		"data.focal": kit.Obj{"x": 0.25, "y": 0.3}}})
	after := k.Get(t, "/upload/files/"+id)
	if !bytes.HasSuffix(bytes.TrimSpace(after.Raw),
		[]byte(`"crop":{"x":0.3,"y":0,"width":0.4,"height":1}},"meta":{},"error":null}`)) {
		t.Errorf("it is not the last key: %s", after.Raw)
	}
	after.Has(t, "not the placeholder of the whole picture", kit.Obj{
		"data.placeholder": kit.Not(before.Get("data.placeholder"))})
	k.Step(t, kit.Step{Name: "in an entry", Call: "GET /" + model + "/" + entry + "?include=cover&images=64&richtext=html",
		Status: 200, Want: kit.Obj{"data.data.cover.url": shown, "data.data.cover.width": 160,
			"data.data.cover.focal.x": 0.25, "data.data.cover.crop": nil,
			"data.data.cover.srcset": shown + "&w=64&fm=auto&fp=0.25,0.3 64w",
			"data.data.body":         kit.Matches(`src="[^"]*crop=0\.3,0,0\.4,1&amp;w=64"[^>]*width="64" height="40"`)}})

	// looks reads a picture and returns its size and where red turns into blue, from the left.
	looks := func(query string) (width, height, turns int, caching string) {
		t.Helper()
		status, header, m := picture(t, s, address+query, "")
		if status != 200 {
			t.Fatal(query, status)
		}
		width, height = m.Bounds().Dx(), m.Bounds().Dy()
		for turns < width {
			if r, _, b, _ := m.At(turns, height/2).RGBA(); b > r {
				break
			}
			turns++
		}
		return width, height, turns, header.Get("Cache-Control")
	}
	for query, want := range map[string]struct {
		width, height, turns int
		kept                 string
	}{
		"?crop=0.3,0,0.4,1":                                 {160, 100, 80, "max-age=31536000"},
		"?crop=0.3,0,0.4,1&w=96":                            {96, 60, 48, "max-age=31536000"},
		"?crop=0.3,0,0.4,1&w=64&h=64&fit=cover&fp=0.25,0.3": {64, 64, 51, "max-age=31536000"},
		"?crop=0.3,0,0.4,1&w=64&h=64&fit=cover&fp=1,0.3":    {64, 64, 51, "max-age=300"},
		"?crop=" + url.QueryEscape("0.3,0,0.4,1") + "&w=96": {96, 60, 48, "max-age=31536000"},
		"?crop=0.1,0.1,0.2,0.2&w=96":                        {96, 60, 48, "max-age=300"},
		"?w=200":                                            {200, 50, 100, "max-age=31536000"},
		"?w=96&h=96&fit=cover&fp=0.4,0.3":                   {96, 96, 86, "max-age=31536000"},
		"":                                                  {400, 100, 200, "max-age=31536000"},
	} {
		width, height, turns, caching := looks(query)
		if width != want.width || height != want.height || max(turns-want.turns, want.turns-turns) > 1 ||
			!strings.Contains(caching, want.kept) {
			t.Errorf("%q: %d × %d, blue from %d, %s, not %+v", query, width, height, turns, caching, want)
		}
	}
	if _, _, got := fetch(t, s, address); !bytes.Equal(got, whole) {
		t.Error("the original is not kept")
	}

	admin.Run(t, kit.Step{Name: "with a focal point of the crop", Call: "PUT " + file,
		Body: kit.Obj{"crop": kit.Obj{"x": 0, "y": 0.5, "width": 1, "height": 0.5}, "focal": kit.Obj{"x": 1, "y": 1}},
		Want: kit.Obj{"data.focal": kit.Obj{"x": 1, "y": 1}, "data.height": 50}},
		kit.Step{Name: "its focal point back", Call: "PUT " + file,
			Body: kit.Obj{"crop": crop, "focal": kit.Obj{"x": 0.25, "y": 0.3}}, Want: kit.Obj{"data.url": shown}})
	line := kit.Obj{"model": "media", "id": id, "crop": crop, "focal": kit.Obj{"x": 0.5, "y": 0.3}}
	imported := func(name, result string) {
		admin.Run(t, kit.Step{Name: name, Call: "POST /import", Body: kit.JSONLines(t, line),
			Want: kit.Obj{"data.0.result": result}})
	}
	imported("the focal point of a line", "updated")
	imported("the same line", "unchanged")
	line["crop"], line["focal"] = kit.Obj{"x": 0, "y": 0, "width": 0.5, "height": 1}, kit.Obj{"x": 0.5, "y": 0.3}
	imported("its crop", "updated")
	imported("the same crop", "unchanged")

	admin.Put(t, file, kit.Obj{"crop": crop, "focal": kit.Obj{"x": 0.25, "y": 0.3}})
	admin.Step(t, kit.Step{Name: "new content keeps it", Call: "PUT " + file + "/content",
		Body: kit.FileBody(t, "b.png", kit.PNGHalves(200, 200), nil),
		Want: kit.Obj{"data.url": address + "?v=2&crop=0.3,0,0.4,1", "data.width": 80, "data.height": 200}})
	admin.Run(t, kit.Step{Name: "removed", Call: "PUT " + file, Body: kit.Obj{"crop": nil},
		Want: kit.Obj{"data.url": address + "?v=2", "data.crop": nil, "data.focal": kit.Obj{"x": 0.4, "y": 0.3}}})
}

// refusedCrops sends crops that are none.
func refusedCrops(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	put := "PUT /media/" + k.Upload(t, "a.png", kit.PNGHalves(40, 20), nil).Str(t, "data.id")
	text := "PUT /media/" + k.Upload(t, "a.txt", []byte("a"), nil).Str(t, "data.id")
	refused := func(name, call string, crop any, invalid string) kit.Step {
		return kit.Step{Name: name, Call: call, Body: kit.Obj{"crop": crop}, Invalid: invalid}
	}
	box := func(x, y, width, height any) kit.Obj {
		return kit.Obj{"x": x, "y": y, "width": width, "height": height}
	}
	admin.Run(t,
		refused("outside", put, box(-0.1, 1, 0.5, 0.5), "crop.x crop.y"),
		refused("too wide", put, box(0.5, 0.5, 0.6, 0.5), "crop.width"),
		refused("too small", put, box(0, 0, 1, 0.001), "crop.height"),
		refused("half", put, kit.Obj{"x": 0, "y": 0}, "crop.width crop.height"),
		refused("a text", put, box("a", 0, 1, 1), "crop.x"),
		refused("no object", put, "middle", "crop"),
		refused("unknown key", put, kit.Obj{"x": 0, "y": 0, "width": 1, "height": 0.5, "z": 1}, "crop.z"),
		refused("no picture", text, box(0, 0, 1, 0.5), "crop"),
		kit.Step{Name: "the whole is none", Call: put, Body: kit.Obj{"crop": box(0, 0, 1, 1)},
			Want: kit.Obj{"data.crop": nil, "data.width": 40}},
	)
	_, _, viewer := s.User(t, "viewer")
	viewer.Step(t, kit.Step{Name: "a viewer", Call: put, Body: kit.Obj{"crop": box(0, 0, 1, 0.5)}, Code: "FORBIDDEN"})
}
