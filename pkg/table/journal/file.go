package journal

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"headless/pkg/table"
)

const (
	suffix      = ".journal"
	indexSuffix = ".index"

	blockBytes = 64 << 10 // from which another block begins
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// block is a part of a file with whole records, and the first and the last of their sort keys.
type block struct {
	Offset   int64
	Size     int
	Min, Max []byte
}

// file is a file of the journal with its index. A file that is ended has its index beside it.
type file struct {
	path   string
	day    string   // on which it was begun
	handle *os.File // nil: not open
	size   int64
	buffer []byte

	blocks  []block
	expires int64 // when the last item expires, in Unix seconds
}

// create begins a file. Its name sorts after those of earlier ones.
func create(folder string, now time.Time) (*file, error) {
	path := filepath.Join(folder, now.Format("2006-01-02T15-04-05.000000")+suffix)
	handle, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	return &file{path: path, day: now.Format(time.DateOnly), handle: handle}, nil
}

// addItems appends items with one write. After an error none of them is there.
func (f *file) addItems(items []table.Item) error {
	f.buffer = f.buffer[:0]
	for i := range items {
		f.buffer = appendRecord(f.buffer, &items[i])
	}
	if _, err := f.handle.WriteAt(f.buffer, f.size); err != nil {
		return err
	}
	f.noteAll(f.buffer)
	if cap(f.buffer) > 4*blockBytes {
		f.buffer = nil
	}
	return nil
}

// noteAll adds records that were appended to the index. It returns how many bytes are whole records.
func (f *file) noteAll(b []byte) (size int) {
	for {
		r, ok := decodeRecord(b[size:])
		if !ok {
			return size
		}
		f.noteRecord(r)
		size += r.size
	}
}

// noteRecord adds a record to the last block, or to a new one.
func (f *file) noteRecord(r record) {
	f.expires = max(f.expires, r.expires)
	last := len(f.blocks) - 1
	if last < 0 || f.blocks[last].Size >= blockBytes {
		f.blocks = append(f.blocks, block{Offset: f.size, Min: clone(r.sort), Max: clone(r.sort)})
		last++
	}
	b := &f.blocks[last]
	b.Size += r.size
	f.size += int64(r.size)
	if string(r.sort) < string(b.Min) {
		b.Min = clone(r.sort)
	}
	if string(r.sort) > string(b.Max) {
		b.Max = clone(r.sort)
	}
}

func clone(b []byte) []byte { return append([]byte(nil), b...) }

// index is what is stored beside a file.
type index struct {
	Blocks  []block
	Expires int64
}

func (f *file) indexPath() string { return strings.TrimSuffix(f.path, suffix) + indexSuffix }

// storeIndex stores the index. A file without one is read through when its index is needed.
func (f *file) storeIndex() {
	_ = f.handle.Sync() // it is a log; the caller can do nothing
	f.saveIndex()
	_ = f.handle.Close()
	f.handle, f.buffer = nil, nil
}

func (f *file) saveIndex() {
	if b, err := json.Marshal(index{f.blocks, f.expires}); err == nil {
		_ = os.WriteFile(f.indexPath(), b, 0o600)
	}
}

// loadIndex reads the index of a file that has ended, or makes it if a crash left none.
func (f *file) loadIndex() error {
	if f.blocks != nil {
		return nil
	}
	info, err := os.Stat(f.path)
	if errors.Is(err, os.ErrNotExist) { // somebody has removed it
		f.blocks = []block{}
		return nil
	}
	if err != nil {
		return err
	}
	var stored index
	b, err := os.ReadFile(f.indexPath())
	if err == nil && json.Unmarshal(b, &stored) == nil && ends(stored.Blocks) <= info.Size() {
		f.blocks, f.expires, f.size = stored.Blocks, stored.Expires, ends(stored.Blocks)
		return nil
	}
	if err := f.scan(); err != nil {
		return err
	}
	f.saveIndex()
	return nil
}

func ends(blocks []block) int64 {
	if len(blocks) == 0 {
		return 0
	}
	last := blocks[len(blocks)-1]
	return last.Offset + int64(last.Size)
}

// scan reads the file up to its end, or to a record that a crash has cut.
func (f *file) scan() error {
	handle, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer handle.Close()
	f.blocks, f.size, f.expires = []block{}, 0, 0
	in := bufio.NewReaderSize(handle, blockBytes)
	for {
		head, err := in.Peek(recordHeader)
		if err != nil {
			return endOfFile(err)
		}
		b := make([]byte, recordHeader+min(int(binary.LittleEndian.Uint32(head)), 2*table.MaxItemBytes))
		if _, err := io.ReadFull(in, b); err != nil {
			return endOfFile(err)
		}
		if f.noteAll(b) == 0 {
			return nil
		}
	}
}

func endOfFile(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

func (f *file) removeFiles() error {
	if err := os.Remove(f.indexPath()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.Remove(f.path)
}
