package bolt

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
)

// wal is the write-ahead log. It consists of numbered segments beside the file of the table. A
// record holds all changes of one commit, so that they take effect together: its length and a
// checksum in 4 bytes each, then the changes.
//
// A segment whose changes are in the file is kept as a spare and written again from its start: a
// disk syncs a file that does not grow in half the time. So older records may follow the last one. A
// checksum covers the header of the segment, which has a random number, and all records before it:
// no older record continues a newer one.
type wal struct {
	path    string // of the table
	noSync  bool
	segment uint64
	file    *os.File
	size    int64  // of the header and the records of the segment
	sum     uint32 // their checksum
	// broken says why nothing can be written any more: a next segment is left that says that this one
	// has ended.
	broken error
}

// The header of a segment: a mark, the number of the segment, where the one before it ends, and a
// random number, then a checksum. No record of the format before, which had no headers, starts with
// the mark: it would be longer than any.
const (
	segmentMark   = 0xF15E_A70C
	segmentHeader = 36
	recordHeader  = 8
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// end is where the records of a segment end, and their checksum.
type end struct {
	size int64
	sum  uint32
}

func segmentPath(path string, segment uint64) string {
	return fmt.Sprintf("%s.log-%d", path, segment)
}

func sparePath(path string) string { return path + ".log-spare" }

// nextSegment starts the next segment. Its header is on disk before it has records, and says where the
// segment before it ends: a failed record may follow there.
func (l *wal) nextSegment() error {
	if l.broken != nil {
		return l.broken
	}
	path := segmentPath(l.path, l.segment+1)
	_ = os.Rename(sparePath(l.path), path) // without a spare it is a new file
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	header := newHeader(l.segment+1, end{l.size, l.sum})
	if _, err = file.WriteAt(header, 0); err == nil && !l.noSync {
		err = errors.Join(file.Sync(), syncFolder(filepath.Dir(l.path)))
	}
	if err != nil {
		_ = file.Close() // it is removed
		l.broken = errors.Join(os.Remove(path), syncFolder(filepath.Dir(l.path)))
		return err
	}
	if l.file != nil {
		_ = l.file.Close() // all of it is on disk
	}
	l.segment, l.file = l.segment+1, file
	l.size, l.sum = segmentHeader, sumOf(header)
	return nil
}

func newHeader(segment uint64, before end) []byte {
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, segmentHeader), segmentMark)
	b = binary.LittleEndian.AppendUint64(b, segment)
	b = binary.LittleEndian.AppendUint64(b, uint64(before.size))
	b = binary.LittleEndian.AppendUint32(b, before.sum)
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	b = append(b, random[:]...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// sumOf returns the checksum of a header, which is its last part.
func sumOf(header []byte) uint32 { return binary.LittleEndian.Uint32(header[segmentHeader-4:]) }

// empty reports whether the segment has no records.
func (l *wal) empty() bool { return l.size == segmentHeader }

// close closes the log, and removes its last segment if that is empty.
func (l *wal) close() {
	_ = l.file.Close() // all of it is on disk
	if l.empty() {
		_ = os.Remove(l.file.Name()) // nothing follows from an empty segment
	}
}

// recycle keeps a segment of this process for next, unless it is much larger than others. Its
// changes are in the file.
func recycle(path string, segment uint64) {
	name := segmentPath(path, segment)
	if info, err := os.Stat(name); err == nil && info.Size() <= 2*flushBytes {
		_ = os.Rename(name, sparePath(path)) // else it is removed as the others are
	}
}

// syncFolder makes names of new files durable. Windows does so by itself.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// append writes a record and waits until it is on disk. record has room for its header at the
// start. After an error, the next record takes the place of this one, which may still be there
// after a crash.
func (l *wal) append(record []byte) error {
	if l.broken != nil {
		return l.broken
	}
	binary.LittleEndian.PutUint32(record, uint32(len(record)-recordHeader))
	sum := sumAfter(l.sum, record)
	binary.LittleEndian.PutUint32(record[4:], sum)
	_, err := l.file.WriteAt(record, l.size)
	if err == nil && !l.noSync {
		err = syncData(l.file)
	}
	if err != nil {
		return err
	}
	l.size, l.sum = l.size+int64(len(record)), sum
	return nil
}

// sumAfter returns the checksum of a record behind others.
func sumAfter(before uint32, record []byte) uint32 {
	sum := crc32.Update(before, castagnoli, record[:4])
	return crc32.Update(sum, castagnoli, record[recordHeader:])
}

// appendChange adds a change of one item to a record; value is nil if the item is deleted.
func appendChange(record, key, value []byte) []byte {
	record = append(binary.AppendUvarint(record, uint64(len(key))), key...)
	if value == nil {
		return append(record, 0)
	}
	return append(binary.AppendUvarint(record, uint64(len(value))+1), value...)
}
