package assets

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/assets/inspect"
	"headless/pkg/assets/upload"
	"headless/pkg/blob"
	"headless/pkg/blob/blobtest"
	"headless/pkg/blob/disk"
	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
	"headless/pkg/web"
)

// mediaWorld is a table, a folder of objects and a clock, on which any number of services start.
type mediaWorld struct {
	table table.Table
	blobs *disk.Store
	clock *cmstest.Clock
}

func newMediaWorld(t *testing.T) *mediaWorld {
	t.Helper()
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	t.Cleanup(func() {
		if err := tb.Close(); err != nil {
			t.Error(err)
		}
	})
	c := cmstest.NewClock(time.Now())
	blobs, err := disk.Open(t.TempDir(), disk.Options{UploadURL: "http://localhost/up",
		Secret: []byte("secret"), Now: c.Now})
	must.Do(t, err)
	return &mediaWorld{tb, blobs, c}
}

// start makes a service; policy, where given, injects faults into its table.
func (w *mediaWorld) start(policy func(table.Call) table.Fault) *Media {
	tb := w.table
	if policy != nil {
		tb = table.NewFaulty(tb, policy)
	}
	return &Media{
		Store: Open(db.New(tb, w.clock.Now)), Blobs: w.blobs,
		Inspector: inspect.New(inspect.Policy{Allowed: inspect.DefaultAllowed()}),
		BaseURL:   "http://localhost/media", MaxBytes: 4 << 20, DirectMaxBytes: 512 << 20,
		Log: slog.New(slog.DiscardHandler),
	}
}

var mediaActor = cms.Actor{Name: "key", Source: cms.SourceAPI}

func textUpload(name, content string) *upload.Upload {
	return &upload.Upload{Name: name, File: strings.NewReader(content), Size: int64(len(content))}
}

// ids are the files that have a record, and those that have an object.
func (w *mediaWorld) ids(t *testing.T) (records, objects []string) {
	t.Helper()
	page, err := w.start(nil).List(t.Context(), index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 1000}})
	must.Do(t, err)
	if page.Total != len(page.Items) {
		t.Errorf("total %d, listed %d", page.Total, len(page.Items))
	}
	for _, m := range page.Items {
		records = append(records, m.ID)
	}
	for object, err := range w.blobs.List(t.Context(), MediaPrefix, "") {
		must.Do(t, err)
		objects = append(objects, strings.TrimPrefix(object.Key, MediaPrefix))
	}
	slices.Sort(records)
	slices.Sort(objects)
	return records, objects
}

// settle lets a week pass with the sweeper running, after which objects and records must agree.
func (w *mediaWorld) settle(t *testing.T) (records []string) {
	t.Helper()
	for range 8 {
		if _, err := w.start(nil).Sweep(t.Context(), 100); err != nil {
			t.Fatal(err)
		}
		w.clock.Advance(24 * time.Hour)
	}
	records, objects := w.ids(t)
	if !slices.Equal(records, objects) {
		t.Errorf("records %v, objects %v", records, objects)
	}
	for _, id := range records {
		m, err := w.start(nil).Get(t.Context(), id)
		object, errStat := w.blobs.Stat(t.Context(), objectKey(id))
		if err := errors.Join(err, errStat); err != nil || m.Size != object.Size {
			t.Errorf("the record has %d bytes, the object %d, %v", m.Size, object.Size, err)
		}
	}
	for object, err := range w.blobs.List(t.Context(), incomingPrefix, "") {
		t.Errorf("left of a direct upload: %s, %v", object.Key, err)
	}
	left, err := w.start(nil).Store.dueObjects(t.Context(), w.clock.Now().Add(time.Hour), 100)
	if err != nil || len(left) > 0 {
		t.Errorf("checks left: %v, %v", left, err)
	}
	return records
}

// direct begins a direct upload and transfers the content.
func (w *mediaWorld) direct(ctx context.Context, s *Media, name, mime, content string) (string, error) {
	body := map[string]any{"name": name, "mime": mime, "size": number(len(content)), "alt": "A"}
	u, err := s.Direct(ctx, body)
	if err != nil {
		return "", err
	}
	meta := objectMeta(name, mime, 1)
	meta.ContentType = u.Upload.Headers["Content-Type"]
	return u.ID, w.blobs.Put(ctx, incomingKey(u.ID), strings.NewReader(content), meta)
}

// directly makes a file by a direct upload.
func (w *mediaWorld) directly(ctx context.Context, s *Media, name, mime, content string) (string, error) {
	id, err := w.direct(ctx, s, name, mime, content)
	if err != nil {
		return "", err
	}
	m, err := s.Complete(ctx, mediaActor, id)
	return m.ID, err
}

// replaced makes a file without faults and replaces its content. If that fails, the file has the old content or the
// new one.
func (w *mediaWorld) replaced(t *testing.T, replace func(id string) (cms.Media, error)) (string, error) {
	t.Helper()
	m, err := w.start(nil).Upload(t.Context(), mediaActor, textUpload("a.txt", "text"))
	must.Do(t, err)
	_, err = replace(m.ID)
	return m.ID, err
}

// fault strikes in one of the calls to the table and the store of files, which it counts together.
type fault struct {
	kind    table.FaultKind
	at      int
	times   int // calls that fail one after another; 0: one
	n       int
	crashed bool
}

// next is what happens to the next call.
func (f *fault) next(table.Call) table.Fault {
	if f.crashed {
		return table.Fault{Kind: table.CrashBefore}
	}
	f.n++
	if f.n < f.at || f.n > f.at+max(0, f.times-1) {
		return table.Fault{}
	}
	f.crashed = f.kind == table.CrashBefore || f.kind == table.CrashAfter
	return table.Fault{Kind: f.kind}
}

// do makes a call to the store of files, unless the fault prevents it.
func (f *fault) do(_ context.Context, call func() error) error {
	kind := f.next(table.Call{}).Kind
	switch kind {
	case table.CrashBefore:
		return table.ErrCrashed
	case table.Throttled:
		return blob.ErrUnavailable
	}
	err := call()
	switch kind {
	case table.CrashAfter:
		return table.ErrCrashed
	case table.AnswerLost:
		return blob.ErrUnavailable
	}
	return err
}

// TestMediaCrash stops the process before and after each of its calls to the table and to the store
// of files, or lets one or four of them fail: whatever was told to the client holds, and after some sweeps there is
// neither an object without a record nor a record without its object.
func TestMediaCrash(t *testing.T) {
	const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3" onload="x()"><rect width="4" height="3"/></svg>`
	ways := map[string]func(ctx context.Context, w *mediaWorld, s *Media) (id string, err error){
		"upload": func(ctx context.Context, _ *mediaWorld, s *Media) (string, error) {
			m, err := s.Upload(ctx, mediaActor, textUpload("a.txt", "text"))
			return m.ID, err
		},
		"direct": func(ctx context.Context, w *mediaWorld, s *Media) (string, error) {
			return w.directly(ctx, s, "a.txt", "text/plain", "text")
		},
		"direct drawing": func(ctx context.Context, w *mediaWorld, s *Media) (string, error) {
			return w.directly(ctx, s, "a.svg", upload.MimeSVG, drawing)
		},
		"direct again": func(ctx context.Context, w *mediaWorld, s *Media) (string, error) {
			id, err := w.direct(ctx, s, "a.txt", "text/plain", "text")
			if err != nil {
				return "", err
			}
			_, first := s.Complete(ctx, mediaActor, id)
			m, err := w.start(nil).Complete(ctx, mediaActor, id) // by a process that is well
			if err != nil {
				t.Errorf("after %v: %v", first, err)
			}
			if object, err := w.blobs.Stat(ctx, objectKey(m.ID)); object.Size != 4 {
				t.Errorf("after %v it is not served: %v", first, err)
			}
			return m.ID, err
		},
		"replaced": func(ctx context.Context, w *mediaWorld, s *Media) (string, error) {
			return w.replaced(t, func(id string) (cms.Media, error) {
				return s.ReplaceContent(ctx, mediaActor, id, textUpload("a.txt", "longer text"))
			})
		},
		"replaced again": func(ctx context.Context, w *mediaWorld, s *Media) (string, error) {
			again := func(s *Media, id string) (cms.Media, error) {
				return s.ReplaceContent(ctx, mediaActor, id, textUpload("a.txt", "longer text"))
			}
			return w.replaced(t, func(id string) (cms.Media, error) {
				_, first := again(s, id)
				m, err := again(w.start(nil), id) // by a process that is well
				if object, errStat := w.blobs.Stat(ctx, objectKey(id)); err != nil || errStat != nil || object.Size != 11 {
					t.Errorf("after %v: %v, %d bytes, %v", first, err, object.Size, errStat)
				}
				return m, err
			})
		},
		"replaced directly": func(ctx context.Context, w *mediaWorld, s *Media) (string, error) {
			upload, err := w.direct(ctx, w.start(nil), "a.txt", "text/plain", "longer text")
			must.Do(t, err)
			return w.replaced(t, func(id string) (cms.Media, error) {
				return s.ReplaceByUpload(ctx, mediaActor, id, upload)
			})
		},
		"imported again": func(ctx context.Context, w *mediaWorld, s *Media) (string, error) {
			again := func(s *Media) (string, error) {
				u := textUpload("a.txt", "text")
				u.ID = "0195d3a0-0000-7000-8000-000000000001"
				m, err := s.ImportContent(ctx, mediaActor, u, "")
				return m.ID, err
			}
			if id, err := again(s); err == nil {
				return id, nil
			}
			w.clock.Advance(time.Second)
			id, err := again(w.start(nil))           // by a process that is well
			if cms.CodeOf(err) == cms.CodeConflict { // it was made
				return "0195d3a0-0000-7000-8000-000000000001", nil
			}
			return id, err
		},
		"refused": func(ctx context.Context, w *mediaWorld, s *Media) (string, error) {
			m, err := w.directly(ctx, s, "a.png", "image/png", "text")
			if cms.CodeOf(err) == cms.CodeUnsupportedMedia {
				upload, err := s.Upload(ctx, mediaActor, textUpload("a.txt", "text"))
				return upload.ID, err
			}
			return m, err
		},
	}
	notMade := errors.New("not made")
	for name, make := range ways {
		for _, one := range []fault{{kind: table.CrashBefore}, {kind: table.CrashAfter}, {kind: table.AnswerLost},
			{kind: table.Throttled, times: 4}} {
			for n := 1; ; n++ {
				w, kind, f := newMediaWorld(t), one.kind, &one
				f.at, f.n, f.crashed = n, 0, false
				s := w.start(f.next)
				s.Blobs = blobtest.Faulty{Store: w.blobs, Do: f.do}
				id, err := make(t.Context(), w, s)
				gone := notMade
				if err == nil {
					gone = s.Delete(t.Context(), mediaActor, id, nil)
				}
				records := w.settle(t)
				if gone == nil && len(records) > 0 || len(records) > 1 {
					t.Errorf("%s, %d in call %d: made %v, deleted %v, left %v", name, kind, n, err,
						gone, records)
				}
				for _, err := range []error{err, gone} {
					if err != nil && err != notMade && !f.crashed &&
						web.Safe(s.Log, "", err).Code != cms.CodeUnavailable {
						t.Errorf("%s, %d in call %d: %v", name, kind, n, err)
					}
				}
				if f.n < n {
					if err != nil || gone != nil {
						t.Errorf("%s without a fault: %v, %v", name, err, gone)
					}
					break
				}
			}
		}
	}
}
