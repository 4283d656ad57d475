// Package journal is a table whose items are only added, as the lines of a log are. It appends them
// to files, which costs a tenth of what a tree does, and finds them by an index of blocks.
//
// Each process begins a file of its own, and another one each day. A file is removed when all of its
// items have expired. Writes do not wait for the disk: if the machine stops, the last seconds are
// lost. If only the process is killed, nothing is lost that was written.
package journal

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"headless/pkg/table"
)

// Table is a table.Table that takes BatchWrite without deletes, and Query. All other operations
// fail. An item has no version and no count.
type Table struct {
	folder string
	now    func() time.Time

	mu     sync.RWMutex // guards all below; held for reading during a query
	older  []*file      // files that nothing is added to
	loaded bool         // the indexes of older files are in memory
	file   *file        // nil: none was begun
	closed bool
}

var _ table.Table = (*Table)(nil)

var (
	errOnlyAdds = errors.New("journal: items can only be added")
	errClosed   = fmt.Errorf("%w: journal: closed", table.ErrUnavailable)
)

// Open opens the folder, and creates a missing one. now is the clock by which items expire.
func Open(folder string, now func() time.Time) (*Table, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(folder, "*"+suffix))
	if err != nil {
		return nil, err
	}
	t := &Table{folder: folder, now: now}
	slices.Sort(names)
	for _, name := range names {
		t.older = append(t.older, &file{path: name})
	}
	return t, nil
}

// BatchWrite implements table.Table.
func (t *Table) BatchWrite(ctx context.Context, puts []table.Item, deletes []table.Key) error {
	if err := errors.Join(ctx.Err(), table.CheckBatch(puts, deletes)); err != nil {
		return err
	}
	if len(deletes) > 0 {
		return errOnlyAdds
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return errClosed
	}
	if err := t.beginFile(); err != nil {
		return fmt.Errorf("%w: journal: %w", table.ErrUnavailable, err)
	}
	if err := t.file.addItems(puts); err != nil {
		return fmt.Errorf("%w: journal: %w", table.ErrUnavailable, err)
	}
	return nil
}

// beginFile begins a file, if there is none of this day, and removes those whose items have expired.
func (t *Table) beginFile() error {
	now := t.now().UTC()
	if t.file != nil && t.file.day == now.Format(time.DateOnly) {
		return nil
	}
	begun, err := create(t.folder, now)
	if err != nil {
		return err
	}
	if t.file != nil {
		t.file.storeIndex()
		t.older = append(t.older, t.file)
	}
	t.file = begun
	if err := t.loadIndexes(); err != nil {
		return nil // it is removed another day
	}
	t.older = slices.DeleteFunc(t.older, func(f *file) bool { return f.expires <= now.Unix() && f.removeFiles() == nil })
	return nil
}

// loadIndexes reads the indexes of older files.
func (t *Table) loadIndexes() error {
	for _, f := range t.older {
		if err := f.loadIndex(); err != nil {
			return err
		}
	}
	t.loaded = true
	return nil
}

// Close implements table.Table.
func (t *Table) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	t.closed = true
	if t.file != nil {
		t.file.storeIndex()
	}
	return nil
}

// Get implements table.Table. It fails.
func (t *Table) Get(context.Context, table.Consistency, ...table.Key) ([]*table.Item, error) {
	return nil, errOnlyAdds
}

// Write implements table.Table. It fails.
func (t *Table) Write(context.Context, []table.Op) error { return errOnlyAdds }

// Add implements table.Table. It fails.
func (t *Table) Add(context.Context, table.Key, int64, int64, int64) (int64, error) {
	return 0, errOnlyAdds
}

// A record has its length and its checksum in 4 bytes each, then its partition and its sort key with
// their lengths, when it expires, and the body.
const recordHeader = 8

func appendRecord(b []byte, i *table.Item) []byte {
	start := len(b)
	b = append(b, make([]byte, recordHeader)...)
	b = append(binary.AppendUvarint(b, uint64(len(i.Partition))), i.Partition...)
	b = append(binary.AppendUvarint(b, uint64(len(i.Sort))), i.Sort...)
	b = append(binary.AppendVarint(b, i.Expires), i.Body...)
	binary.LittleEndian.PutUint32(b[start:], uint32(len(b)-start-recordHeader))
	binary.LittleEndian.PutUint32(b[start+4:], checksum(b[start+recordHeader:]))
	return b
}

// record is a decoded item, which shares the memory of its block.
type record struct {
	partition, sort, body []byte
	expires               int64
	size                  int
}

// decodeRecord reads the first record of b. ok is false if it is not whole.
func decodeRecord(b []byte) (r record, ok bool) {
	if len(b) < recordHeader {
		return r, false
	}
	length := uint64(binary.LittleEndian.Uint32(b))
	if length > uint64(len(b)-recordHeader) {
		return r, false
	}
	r.size = recordHeader + int(length)
	rest := b[recordHeader:r.size]
	if checksum(rest) != binary.LittleEndian.Uint32(b[4:]) {
		return r, false
	}
	for _, part := range []*[]byte{&r.partition, &r.sort} {
		n, size := binary.Uvarint(rest)
		if size <= 0 || n > uint64(len(rest)-size) {
			return r, false
		}
		*part, rest = rest[size:size+int(n)], rest[size+int(n):]
	}
	n, size := binary.Varint(rest)
	if size <= 0 {
		return r, false
	}
	r.expires, r.body = n, rest[size:]
	return r, true
}
