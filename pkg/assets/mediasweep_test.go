package assets

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/blob"
	"headless/pkg/blob/blobtest"
	"headless/pkg/must"
)

// TestOrphans removes objects that nobody remembers, and only those.
func TestOrphans(t *testing.T) {
	w := newMediaWorld(t)
	s := w.start(nil)
	kept, err := s.Upload(t.Context(), mediaActor, textUpload("kept.txt", "kept"))
	must.Do(t, err)
	for range 5 {
		must.Do(t, w.blobs.Put(t.Context(), objectKey(uuid.NewString()), strings.NewReader("lost"),
			objectMeta("x", "text/plain", 1)))
	}
	if removed, err := s.Sweep(t.Context(), 2); removed != 0 || err != nil {
		t.Errorf("young objects: %d removed, %v", removed, err)
	}
	w.clock.Advance(100 * time.Hour)
	removed := 0
	for range 8 {
		n, err := s.Sweep(t.Context(), 2)
		must.Do(t, err)
		removed += n
		w.clock.Advance(24 * time.Hour)
	}
	if records, objects := w.ids(t); removed != 5 || !slices.Equal(records, []string{kept.ID}) ||
		!slices.Equal(objects, records) {
		t.Errorf("%d removed, records %v, objects %v", removed, records, objects)
	}
}

// TestSweepOfAnotherTable removes nothing when hardly any object has a record: a store of files
// with the wrong table.
func TestSweepOfAnotherTable(t *testing.T) {
	w := newMediaWorld(t)
	for range tooMany {
		must.Do(t, w.blobs.Put(t.Context(), objectKey(uuid.NewString()), strings.NewReader("x"),
			objectMeta("x", "text/plain", 1)))
	}
	must.Do(t, w.blobs.Put(t.Context(), MediaPrefix+"logo.png", strings.NewReader("x"),
		objectMeta("x", "text/plain", 1)))
	w.clock.Advance(100 * time.Hour)
	removed, err := w.start(nil).Sweep(t.Context(), 100)
	if _, objects := w.ids(t); err == nil || removed != 0 || len(objects) != tooMany+1 {
		t.Errorf("%d removed, %d left, %v", removed, len(objects), err)
	}
}

// TestFileRemovedLater: a file that stays readable for a while after its deletion is purged once more when it goes.
func TestFileRemovedLater(t *testing.T) {
	w := newMediaWorld(t)
	s, n := w.start(nil), 0
	s.Blobs = blobtest.Faulty{Store: w.blobs, Do: func(_ context.Context, call func() error) error {
		if n++; n == 1 || n == 3 { // the object stays at the deletion, and at the first sweep
			return blob.ErrUnavailable
		}
		return call()
	}}
	id, err := w.directly(t.Context(), w.start(nil), "a.txt", "text/plain", "text")
	must.Do(t, err)
	must.Do(t, s.Delete(t.Context(), mediaActor, id, nil))
	w.clock.Advance(time.Minute)
	if _, err := s.Sweep(t.Context(), 10); !errors.Is(err, blob.ErrUnavailable) {
		t.Errorf("while the storage is away: %v", err)
	}
	for range 2 {
		gone := w.clock.Now()
		_, err = s.Sweep(t.Context(), 10)
		must.Do(t, err)
		purges, err := s.Store.Purges(t.Context(), 10)
		must.Do(t, err)
		if last := purges[len(purges)-1]; len(purges) != 2 || !slices.Contains(last.Files, id) || last.CreatedAt.After(gone) {
			t.Errorf("%+v", purges)
		}
		w.clock.Advance(26 * time.Hour) // when the sweeper looks again; it finds nothing
	}
}
