package forms_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"headless/pkg/assets/inspect"
	"headless/pkg/assets/upload"
	"headless/pkg/blob"
	"headless/pkg/blob/blobtest"
	"headless/pkg/blob/disk"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/forms"
	"headless/pkg/forms/files"
	"headless/pkg/input"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/web"
)

// withFiles gives a world an object storage and a form that takes files.
func withFiles(t *testing.T) (w *formsWorld, objects *disk.Store) {
	w = newFormsWorld(t)
	w.create(`{"slug": "jobs", "name": "Jobs", "retention_days": 1, "fields": [
		{"name": "email", "type": "email"}, {"name": "cv", "type": "file"}, {"name": "picture", "type": "file", "mimes": ["image/*"]}]}`)
	objects, err := disk.Open(t.TempDir(), disk.Options{UploadURL: "http://cms.test/media-upload",
		Secret: []byte("secret"), Now: w.Now})
	must.Do(t, err)
	w.subs.Files = files.Files{Blobs: objects, MaxBytes: 1 << 20, Inspector: inspect.Accepting(nil).Reader()}
	return w, objects
}

func sent(name, content string) []*upload.Upload {
	return []*upload.Upload{{Name: name, File: strings.NewReader(content), Size: int64(len(content))}}
}

func (w *formsWorld) submitFiles(body map[string]any) (string, error) {
	r, err := w.subs.Submit(w.t.Context(), cms.Actor{}, nil, "jobs", body,
		forms.Visitor{Address: "192.0.2.1", SiteURL: "https://cms.test"})
	return r.ID, err
}

// begin starts a direct upload of a text and sends it.
func (w *formsWorld) begin(files *disk.Store, content string) (id string, err error) {
	w.t.Helper()
	begun, err := w.subs.BeginUpload(w.t.Context(), nil, "jobs",
		parsed(w.t, fmt.Sprintf(`{"name": "cv.txt", "mime": "text/plain", "size": %d}`, len(content))))
	if err != nil || content == "" {
		return begun.ID, err
	}
	r := httptest.NewRequest(begun.Upload.Method, begun.Upload.URL, strings.NewReader(content))
	for name, value := range begun.Upload.Headers {
		r.Header.Set(name, value)
	}
	answer := httptest.NewRecorder()
	if files.UploadHandler().ServeHTTP(answer, r); answer.Code != http.StatusOK {
		w.t.Fatalf("%d %s", answer.Code, answer.Body)
	}
	return begun.ID, nil
}

// left lists the objects in the storage, the rows of files without a submission, and the bytes of the form.
func (w *formsWorld) left(files *disk.Store) (objects []string, rows int, counted int64) {
	w.t.Helper()
	for object, err := range files.List(w.t.Context(), "", "") {
		must.Do(w.t, err)
		objects = append(objects, strings.SplitN(object.Key, "/", 2)[0])
	}
	lone, err := w.store.Table.Query(w.t.Context(), table.Range{Partition: "FORMFILES"})
	must.Do(w.t, err)
	bytes, err := w.store.Table.Query(w.t.Context(), table.Range{Partition: "FORMBYTES"})
	must.Do(w.t, err)
	for _, item := range bytes {
		counted += item.Count
	}
	return objects, len(lone), counted
}

func (w *formsWorld) expectLeft(files *disk.Store, when, objects string, rows int, counted int64) {
	w.t.Helper()
	if o, r, c := w.left(files); strings.Join(o, " ") != objects || r != rows || c != counted {
		w.t.Errorf("%s: objects %v, %d rows, %d bytes; want %q, %d, %d", when, o, r, c, objects, rows, counted)
	}
}

func (w *formsWorld) sweep() {
	w.t.Helper()
	if _, err := w.subs.Files.Sweep(w.t.Context(), w.store.DB, 100); err != nil {
		w.t.Fatal(err)
	}
}

func TestFilesGoWithTheirSubmission(t *testing.T) {
	w, files := withFiles(t)
	direct, err := w.begin(files, "a long life")
	must.Do(t, err)
	w.expectLeft(files, "begun", "unsent", 1, 11)
	svg := `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
	id, err := w.submitFiles(map[string]any{"cv": input.FormValue{direct}, "picture": sent("a.svg", svg)})
	must.Do(t, err)
	v, err := w.subs.Get(t.Context(), "jobs", id)
	if err != nil || v.Fields.Named("cv").Text() != "cv.txt" {
		t.Fatalf("%+v, %v", v.Fields, err)
	}
	d, err := w.subs.Download(t.Context(), "jobs", id, "picture")
	if err != nil || bytes.Contains(d.Content, []byte("alert")) || d.Meta.ContentType != "image/svg+xml" ||
		!strings.HasPrefix(d.Meta.Disposition, "attachment") {
		t.Errorf("%s %+v, %v", d.Content, d.Meta, err)
	}
	w.expectLeft(files, "stored", "forms forms", 1, 11+int64(len(d.Content)))
	w.Advance(2 * time.Hour)
	w.sweep()
	w.expectLeft(files, "swept", "forms forms", 0, 11+int64(len(d.Content)))
	must.Do(t, w.subs.Delete(t.Context(), formAdmin, "jobs", id))
	w.expectLeft(files, "deleted", "", 0, 0)
}

func TestUnsentFilesAreRemoved(t *testing.T) {
	w, files := withFiles(t)
	id, err := w.begin(files, "a long life")
	must.Do(t, err)
	if _, err := w.submitFiles(map[string]any{"email": "nobody", "cv": id}); wrong(err) != "VALIDATION_FAILED email" {
		t.Error(err)
	}
	w.Advance(61 * time.Minute)
	w.sweep()
	w.expectLeft(files, "while a transfer may run", "unsent", 1, 11)
	if _, err := w.submitFiles(map[string]any{"cv": id}); wrong(err) != "VALIDATION_FAILED cv" {
		t.Error(err)
	}
	w.Advance(15 * time.Minute)
	w.sweep()
	w.expectLeft(files, "later", "", 0, 0)
}

// TestFileWithoutID: a file that was sent in a way of its own is not lost without a word.
func TestFileWithoutID(t *testing.T) {
	w, _ := withFiles(t)
	for _, v := range []any{map[string]any{"name": "cv.txt", "content": "bWU="}, map[string]any{"id": nil},
		map[string]any{"id": " "}, []any{map[string]any{}}} {
		if _, err := w.submitFiles(map[string]any{"cv": v}); wrong(err) != "VALIDATION_FAILED cv" {
			t.Errorf("%v: %v", v, err)
		}
	}
}

// TestFilesOfExpiredSubmissions: those of a submission that expires, and then those of a deleted form.
func TestFilesOfExpiredSubmissions(t *testing.T) {
	w, files := withFiles(t)
	purge := func() {
		if _, err := w.subs.PurgeExpired(t.Context(), 10); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if _, err := w.submitFiles(map[string]any{"cv": sent("cv.txt", "me")}); err != nil {
			t.Fatal(err)
		}
		w.Advance(20 * time.Hour)
	}
	purge()
	w.expectLeft(files, "one is old", "forms", 0, 2)
	must.Do(t, w.forms.Delete(t.Context(), formAdmin, "jobs"))
	purge()
	purge() // drops what counts submissions
	w.expectLeft(files, "the form is deleted", "", 0, 0)
}

func TestFilesOfFormAreLimited(t *testing.T) {
	w, files := withFiles(t)
	large := parsed(t, `{"name": "cv.pdf", "mime": "application/pdf", "size": 10485760}`)
	for range 102 {
		if _, err := w.subs.BeginUpload(t.Context(), nil, "jobs", large); err != nil {
			t.Fatal(err)
		}
	}
	_, err := w.subs.BeginUpload(t.Context(), nil, "jobs", large)
	if wrong(err) != "FILE_TOO_LARGE" {
		t.Errorf("beyond 1 GB: %v", err)
	}
	if _, err := w.submitFiles(
		map[string]any{"cv": sent("cv.txt", strings.Repeat("x", 5<<20))}); wrong(err) != "FILE_TOO_LARGE" {
		t.Errorf("with a submission: %v", err)
	}
	w.Advance(2 * time.Hour)
	for range 2 {
		w.sweep()
	}
	w.expectLeft(files, "after two hours", "", 0, 0)
}

// TestFilesWhileTheStorageIsDown: nothing is half stored, and what could not be removed is removed later.
func TestFilesWhileTheStorageIsDown(t *testing.T) {
	w, files := withFiles(t)
	down := false
	w.subs.Files.Blobs = blobtest.Faulty{Store: files, Do: func(_ context.Context, call func() error) error {
		if down {
			return blob.ErrUnavailable
		}
		return call()
	}}
	id, err := w.submitFiles(map[string]any{"cv": sent("cv.txt", "me")})
	must.Do(t, err)
	down = true
	if _, err := w.submitFiles(map[string]any{"cv": sent("cv.txt", "you")}); !errors.Is(err, blob.ErrUnavailable) ||
		w.total("jobs") != 1 {
		t.Errorf("%v, %d submissions", err, w.total("jobs"))
	}
	must.Do(t, w.subs.Delete(t.Context(), formAdmin, "jobs", id))
	w.expectLeft(files, "down", "forms", 2, 3)
	w.Advance(2 * time.Hour)
	if _, err := w.subs.Files.Sweep(t.Context(), w.store.DB, 100); err == nil {
		t.Error("a sweep that removed nothing is fine")
	}
	down = false
	w.sweep()
	w.expectLeft(files, "up again", "", 0, 0)
}

// TestFilesWithEachCallFailing sends files while each call to the table and the storage in turn fails before or after
// it acts, alone and with the three that follow. After some sweeps there is a whole submission with its files, which a
// visitor was told of or not, or nothing. The same holds for its deletion.
func TestFilesWithEachCallFailing(t *testing.T) {
	for _, kind := range []table.FaultKind{table.Throttled, table.AnswerLost} {
		for _, times := range []int{1, 4} {
			for at := 1; ; at++ {
				w, objects := withFiles(t)
				direct, err := w.begin(objects, "a long life")
				must.Do(t, err)
				f := &faults{kind: kind, at: at, times: times}
				well := w.subs.Store
				w.subs.Store = forms.Open(site.Open(db.New(table.NewFaulty(well.Table, f.next), w.Now)))
				w.subs.Files.Blobs = blobtest.Faulty{Store: objects, Do: f.do}
				id, err := w.submitFiles(map[string]any{"cv": direct,
					"picture": sent("a.svg", `<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`)})
				gone := err
				if err == nil {
					gone = w.subs.Delete(t.Context(), formAdmin, "jobs", id)
				}
				if gone != nil && web.Safe(w.subs.Log, "", gone).Code != cms.CodeUnavailable {
					t.Errorf("%d in call %d: %v", kind, at, gone)
				}
				w.subs.Store, w.subs.Files.Blobs = well, objects
				w.Advance(2 * time.Hour)
				w.sweep()
				want := 0
				if w.total("jobs") == 1 {
					want = 2
				}
				kept, rows, counted := w.left(objects)
				if len(kept) != want || rows > 0 || (counted == 0) != (want == 0) || gone == nil && want > 0 {
					t.Errorf("%d in call %d: sent %v, deleted %v; %d submissions with %v, %d rows, %d bytes", kind, at, err, gone,
						w.total("jobs"), kept, rows, counted)
				}
				if f.n < at {
					if gone != nil {
						t.Errorf("without a fault: %v", gone)
					}
					break
				}
			}
		}
	}
}

// faults lets calls to a table and a storage fail, which it counts together.
type faults struct {
	kind  table.FaultKind
	at    int // the first call that fails
	times int // calls that fail one after another
	n     int // calls so far
}

func (f *faults) next(table.Call) table.Fault {
	if f.n++; f.n < f.at || f.n >= f.at+f.times {
		return table.Fault{}
	}
	return table.Fault{Kind: f.kind}
}

// do makes a call to the storage.
func (f *faults) do(_ context.Context, call func() error) error {
	kind := f.next(table.Call{}).Kind
	if kind == table.Throttled {
		return blob.ErrUnavailable
	}
	if err := call(); err != nil || kind == table.NoFault {
		return err
	}
	return blob.ErrUnavailable
}
