package assets

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/assets/upload"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/must"
)

// TestMediaList compares lists with what looking at every file gives.
func TestMediaList(t *testing.T) {
	w := newMediaWorld(t)
	s := w.start(nil)
	ctx := t.Context()
	folder, err := s.CreateFolder(ctx, mediaActor, map[string]any{"name": "Blog"})
	must.Do(t, err)
	var picture bytes.Buffer
	must.Do(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 2, 1))))
	for i := range 12 {
		u := textUpload(fmt.Sprintf("Datei %c.txt", 'a'+(i*7)%12), strings.Repeat("x", 1+i%5))
		if i%3 == 0 {
			u = &upload.Upload{Name: fmt.Sprintf("Bild %d.png", i),
				File: bytes.NewReader(picture.Bytes()), Size: int64(picture.Len()),
				Alt: fmt.Sprint("alt", i%2)}
		}
		if i%4 == 0 {
			u.FolderID = folder.ID
		}
		if _, err := s.Upload(ctx, mediaActor, u); err != nil {
			t.Fatal(err)
		}
		w.clock.Advance(time.Second)
	}
	all, err := s.List(ctx, index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 100}})
	if err != nil || len(all.Items) != 12 {
		t.Fatal(len(all.Items), err)
	}
	meets := map[string]func(cms.Media) bool{
		"filter[mime]=image/*":            func(m cms.Media) bool { return m.Mime == "image/png" },
		"filter[mime]=IMAGE/PNG":          func(m cms.Media) bool { return m.Mime == "image/png" },
		"filter[mime]=*/*":                func(cms.Media) bool { return true },
		"filter[mime][ne]=*":              func(cms.Media) bool { return false },
		"filter[mime]=video/*":            func(cms.Media) bool { return false },
		"filter[mime][ne]=image/*":        func(m cms.Media) bool { return m.Mime != "image/png" },
		"filter[mime][in]=image/*,a/b":    func(m cms.Media) bool { return m.Mime == "image/png" },
		"filter[mime][nin]=image/*,a/b":   func(m cms.Media) bool { return m.Mime != "image/png" },
		"filter[mime][starts_with]=text/": func(m cms.Media) bool { return m.Mime == "text/plain" },
		"filter[folder]=Blog":             func(m cms.Media) bool { return m.Folder == "Blog" },
		"filter[folder]=":                 func(m cms.Media) bool { return m.Folder == "" },
		"filter[folder]=None":             func(cms.Media) bool { return false },
		"filter[folder][ne]=Blog":         func(m cms.Media) bool { return m.Folder == "" },
		"filter[folder][null]=true":       func(m cms.Media) bool { return m.Folder == "" },
		"filter[folder][contains]=lo":     func(m cms.Media) bool { return m.Folder == "Blog" },
		"filter[alt]=alt1":                func(m cms.Media) bool { return m.Alt == "alt1" },
		"filter[alt][null]=false":         func(m cms.Media) bool { return m.Alt != "" },
		"filter[size][gte]=3":             func(m cms.Media) bool { return m.Size >= 3 },
		"filter[name]=Datei b.txt":        func(m cms.Media) bool { return m.Name == "Datei b.txt" },
		"filter[name][lt]=c": func(m cms.Media) bool {
			return strings.HasPrefix(m.Name,
				"Bild")
		},
		"filter[id]=" +
			all.Items[3].ID: func(m cms.Media) bool { return m.ID == all.Items[3].ID },
		"filter[created_at][gt]=" +
			all.Items[5].CreatedAt.String(): func(m cms.Media) bool { return m.CreatedAt.After(all.Items[5].CreatedAt.Time) },
	}
	for filter, ok := range meets {
		for _, sort := range []string{"", "name", "-size,name", "mime", "created_at"} {
			t.Run(filter+" "+sort, func(t *testing.T) {
				want := slices.DeleteFunc(slices.Clone(all.Items), func(m cms.Media) bool { return !ok(m) })
				got := pagesOf(t, s, filter, sort)
				if sort == "" && !slices.EqualFunc(got, want, sameFile) {
					t.Errorf("got %v, want %v", got, want)
				}
				byID := func(list []cms.Media) []string {
					ids := map[string]bool{}
					for _, m := range list {
						ids[m.ID] = true
					}
					return slices.Sorted(maps.Keys(ids))
				}
				if len(got) != len(want) || !slices.Equal(byID(got), byID(want)) {
					t.Errorf("%d files, want %d", len(got), len(want))
				}
			})
		}
	}
}

func sameFile(a, b cms.Media) bool { return a.ID == b.ID }

// pagesOf reads a list of files to its end by cursors.
func pagesOf(t *testing.T, s *Media, filter, sort string) (all []cms.Media) {
	t.Helper()
	name, value, _ := strings.Cut(filter, "=")
	f, err := query.ParseFilter(name, value)
	if err == nil {
		err = ValidateMediaFilter(f)
	}
	must.Do(t, err)
	q := index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 3}, Filters: []query.Filter{f}}
	if q.Sort, err = ParseMediaSort(sort); err != nil {
		t.Fatal(err)
	}
	for {
		page, err := s.List(t.Context(), q)
		must.Do(t, err)
		all = append(all, page.Items...)
		if q.Cursor = page.Next; page.Next == "" {
			return all
		}
	}
}
