package bolt

import (
	"errors"
	"math/bits"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"
)

const (
	// pageSize makes fewer and fuller pages than the 4 KB of most systems: a third less disk, and two
	// fifths less work to put changes into the file.
	pageSize = 16 << 10

	convertBytes  = 16 << 20 // of a file in one transaction while it is converted
	progressEvery = 5 * time.Second
)

// openFile opens the file, and converts one that has smaller pages. If it cannot be converted, as on
// a full disk, it is used as it is.
func openFile(path string, progress func(percent int)) (*bbolt.DB, error) {
	for {
		before, _ := os.Stat(path)
		db, err := openBolt(path)
		if err != nil {
			return nil, err
		}
		// Another process may have replaced the file while this one waited for its lock.
		now, err := os.Stat(path)
		if err != nil || before != nil && !os.SameFile(before, now) {
			if err := errors.Join(err, db.Close()); err != nil {
				return nil, err
			}
			continue
		}
		if db.Info().PageSize >= pageSize {
			return db, nil
		}
		if err := convert(db, path, now.Size(), progress); err != nil {
			return db, nil
		}
		if err := errors.Join(db.Close(), syncFolder(filepath.Dir(path))); err != nil {
			return nil, err
		}
	}
}

func openBolt(path string) (*bbolt.DB, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{
		Timeout:         lockTimeout,
		InitialMmapSize: initialMmap(),
		FreelistType:    bbolt.FreelistMapType,
		PageSize:        pageSize,
	})
	if errors.Is(err, bbolterrors.ErrTimeout) {
		err = errors.New("another process has it open: end that first, such as cms dev or make dev")
	}
	return db, err
}

// convert replaces the file by a copy with pages of pageSize. If the process is killed meanwhile,
// the file is as before, and the next process begins again.
func convert(db *bbolt.DB, path string, size int64, progress func(percent int)) (err error) {
	copied := path + ".converting"
	if err := os.Remove(copied); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	to, err := bbolt.Open(copied, 0o600, &bbolt.Options{PageSize: pageSize, NoSync: true})
	if err != nil {
		return err
	}
	done := make(chan struct{})
	if progress != nil {
		progress(0) // the copy may be whole before another goroutine runs
		go tellProgress(copied, size, progress, done)
	}
	err = errors.Join(bbolt.Compact(to, db, convertBytes), to.Sync(), to.Close())
	close(done)
	if err == nil {
		err = os.Rename(copied, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(copied))
	}
	return nil
}

// tellProgress compares the size of the copy with that of the file until done is closed.
func tellProgress(copied string, size int64, progress func(percent int), done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-time.After(progressEvery):
		}
		if info, err := os.Stat(copied); err == nil {
			progress(int(min(99, 100*info.Size()/max(size, 1))))
		}
	}
}

// initialMmap is the address space to map at once. A file that outgrows its map is mapped again,
// which waits for all readers and blocks new ones. Address space costs nothing, except on Windows,
// where the file is extended to the size of the map.
func initialMmap() int {
	switch {
	case bits.UintSize == 32:
		return 256 << 20
	case runtime.GOOS == "windows":
		return 64 << 20
	}
	big := 64
	return big << 30
}
