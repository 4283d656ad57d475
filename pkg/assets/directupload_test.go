package assets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/assets/upload"
	"headless/pkg/blob"
	"headless/pkg/cms"
	"headless/pkg/must"
)

func number(n int) any { return json.Number(strconv.Itoa(n)) }

func TestDirectUpload(t *testing.T) {
	w := newMediaWorld(t)
	s := w.start(nil)
	ctx := t.Context()
	code := func(err error) cms.Code {
		if e, ok := errors.AsType[*cms.Error](err); ok {
			return e.Code
		}
		return cms.Code(fmt.Sprint(err))
	}
	u, err := s.Direct(ctx, map[string]any{"name": "film.mp4", "mime": "video/mp4", "size": number(10)})
	if err != nil || u.Upload.Method != "PUT" ||
		!strings.HasPrefix(u.Upload.URL, "http://localhost/up/incoming/"+u.ID) {
		t.Fatalf("%+v, %v", u, err)
	}
	if _, err := s.Get(ctx, u.ID); code(err) != cms.CodeFileNotFound {
		t.Errorf("before it is complete: %v", err)
	}
	if _, err := s.Complete(ctx, mediaActor, u.ID); code(err) != cms.CodeConflict {
		t.Errorf("before the transfer: %v", err)
	}
	for name, test := range map[string]struct {
		name, mime, content string
		size                int
		want                cms.Code
	}{
		"whole":        {"a.txt", "text/plain", "some text", 9, "<nil>"},
		"another type": {"a", "image/png", "some text", 9, cms.CodeUnsupportedMedia},
		"another size": {"a.txt", "text/plain", "some text", 8, cms.CodeValidationFailed},
		"not SVG":      {"a.svg", upload.MimeSVG, "some text", 9, cms.CodeUnsupportedMedia},
		"broken SVG": {"a.svg", upload.MimeSVG, `<svg xmlns="http://www.w3.org/2000/svg">`, 40,
			cms.CodeValidationFailed},
	} {
		t.Run(name, func(t *testing.T) {
			u, err := s.Direct(ctx, map[string]any{"name": test.name, "mime": test.mime,
				"size": number(test.size)})
			must.Do(t, err)
			meta := objectMeta(test.name, u.Upload.Headers["Content-Type"], 1)
			meta.ContentType = u.Upload.Headers["Content-Type"]
			must.Do(t, w.blobs.Put(ctx, incomingKey(u.ID), strings.NewReader(test.content), meta))
			m, err := s.Complete(ctx, mediaActor, u.ID)
			if code(err) != test.want {
				t.Fatalf("%v", err)
			}
			again, errAgain := s.Complete(ctx, mediaActor, u.ID)
			if code(errAgain) != test.want || again.ID != m.ID {
				t.Errorf("again: %+v, %v", again, errAgain)
			}
			if err != nil && !strings.Contains(err.Error(), "Start a new upload") {
				t.Errorf("refused without a way out: %v", err)
			}
			if _, served := w.blobs.Stat(ctx, objectKey(u.ID)); (served == nil) != (err == nil) {
				t.Errorf("completed: %v, served: %v", err, served)
			}
		})
	}
	late, err := w.direct(ctx, s, "late.txt", "text/plain", "late")
	must.Do(t, err)
	w.clock.Advance(24 * time.Hour)
	if _, err := s.Complete(ctx, mediaActor, late); code(err) != cms.CodeFileNotFound {
		t.Errorf("after a day: %v", err)
	}
	if records := w.settle(t); len(records) != 1 {
		t.Errorf("%d files are left, want the whole one", len(records))
	}
}

func TestCompleteOnce(t *testing.T) {
	w := newMediaWorld(t)
	s := w.start(nil)
	id, err := w.direct(t.Context(), s, "a.svg", upload.MimeSVG,
		`<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>`)
	must.Do(t, err)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if m, err := s.Complete(t.Context(), mediaActor, id); err != nil || m.ID != id || m.Alt != "A" {
				t.Errorf("%+v, %v", m, err)
			}
		})
	}
	wait.Wait()
	rows, err := s.Store.Outbox(t.Context(), 100)
	if err != nil || len(rows) != 1 {
		t.Errorf("%d events, %v", len(rows), err)
	}
	object, err := w.blobs.Stat(t.Context(), objectKey(id))
	if err != nil || object.ContentType != upload.MimeSVG {
		t.Errorf("%+v, %v", object, err)
	}
	if _, err := w.blobs.Stat(t.Context(), incomingKey(id)); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("what was sent is still there: %v", err)
	}
}

// slowBlobs lets something happen before each copy.
type slowBlobs struct {
	blob.Store
	before func()
}

func (b slowBlobs) Copy(ctx context.Context, from blob.Info, key string) error {
	b.before()
	return b.Store.Copy(ctx, from, key)
}

// TestContentIsNotExchanged sends other content to the address of an upload while a slow completion
// of it has checked the first, which another completion has taken: the address takes it, but nobody
// is ever served it.
func TestContentIsNotExchanged(t *testing.T) {
	w := newMediaWorld(t)
	s := w.start(nil)
	id, err := w.direct(t.Context(), s, "a.txt", "text/plain", "good")
	must.Do(t, err)
	exchange := func() {
		if _, err := s.Complete(t.Context(), mediaActor, id); err != nil {
			t.Error(err)
		}
		if err := w.blobs.Put(t.Context(), incomingKey(id), strings.NewReader("evil"),
			objectMeta("a.txt", "text/plain", 1)); err != nil {
			t.Error(err)
		}
	}
	slow := w.start(nil)
	slow.Blobs = slowBlobs{w.blobs, exchange}
	if m, err := slow.Complete(t.Context(), mediaActor, id); err != nil || m.ID != id {
		t.Errorf("%+v, %v", m, err)
	}
	object, err := w.blobs.Get(t.Context(), objectKey(id), blob.Range{})
	must.Do(t, err)
	defer object.Body.Close()
	if content, err := io.ReadAll(object.Body); string(content) != "good" || err != nil {
		t.Errorf("served: %q, %v", content, err)
	}
	w.settle(t)
}
