package bolt

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"headless/pkg/must"
)

// olderTable makes a table with pages of 4 KB, as earlier versions did, with pairs in the file.
func olderTable(t *testing.T, n int) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "test.db")
	small, err := bbolt.Open(path, 0o600, &bbolt.Options{PageSize: 4096})
	must.Do(t, err)
	if err := errors.Join(small.Update(func(tx *bbolt.Tx) error {
		items, err1 := tx.CreateBucket(itemsBucket)
		_, err2 := tx.CreateBucket(expiryBucket)
		_, err3 := tx.CreateBucket(flushBucket)
		err := errors.Join(err1, err2, err3)
		for i := range n {
			for _, key := range pair(i) {
				err = errors.Join(err, items.Put(appendKey(nil, key), []byte{0, 0, 0}))
			}
		}
		return err
	}), small.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestConvert opens a table of an earlier version, with what an earlier attempt to convert it and a
// crash have left: all of it is there, and its pages are larger.
func TestConvert(t *testing.T) {
	path := olderTable(t, 500)
	if err := errors.Join(os.WriteFile(path+".converting", []byte("half of a copy"), 0o600),
		os.WriteFile(segmentPath(path, 1), olderSegment(7), 0o600)); err != nil {
		t.Fatal(err)
	}
	told := make(chan int, 100)
	tab, err := Open(path, WithProgress(func(percent int) { told <- percent }))
	must.Do(t, err)
	defer tab.Close()
	if got := tab.db.Info().PageSize; got != pageSize {
		t.Errorf("pages of %d bytes", got)
	}
	if got := pairs(t, tab); got != 500 {
		t.Errorf("%d pairs are left, want 500", got)
	}
	if items, _ := stored(t, tab); items != 1001 {
		t.Errorf("%d items, want those of the log too", items)
	}
	if percent := <-told; percent < 0 || percent > 99 {
		t.Errorf("%d percent", percent)
	}
	if _, err := os.Stat(path + ".converting"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the copy is left: %v", err)
	}
}

// TestCannotConvert opens a table whose copy cannot be made: it is used as it is.
func TestCannotConvert(t *testing.T) {
	path := olderTable(t, 10)
	must.Do(t, os.MkdirAll(filepath.Join(path+".converting", "in the way"), 0o700))
	tab, err := Open(path)
	must.Do(t, err)
	defer tab.Close()
	writePair(t, tab, 10)
	if got := pairs(t, tab); got != 11 || tab.db.Info().PageSize != 4096 {
		t.Errorf("%d pairs in pages of %d bytes", got, tab.db.Info().PageSize)
	}
}
