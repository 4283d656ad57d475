package bolt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// wal is the write-ahead log. It consists of numbered segments beside the file of the table. A
// record holds all changes of one commit, so that they take effect together: its length and its
// checksum in 4 bytes each, then the changes. A segment is removed when its changes are in the
// file.
type wal struct {
	path    string // of the table
	noSync  bool
	segment uint64
	file    *os.File
	size    int64 // of the segment
	broken  error // the segment ends with a failed record that could not be cut off
}

const recordHeader = 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func segmentPath(path string, segment uint64) string {
	return fmt.Sprintf("%s.log-%d", path, segment)
}

// next starts the next segment.
func (l *wal) next() error {
	if l.broken != nil {
		return l.broken
	}
	file, err := os.OpenFile(segmentPath(l.path, l.segment+1), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if !l.noSync {
		if err := syncFolder(filepath.Dir(l.path)); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	if l.file != nil {
		_ = l.file.Close() // all of it is on disk
	}
	l.segment, l.file, l.size = l.segment+1, file, 0
	return nil
}

// end closes the log, and removes its last segment if that is empty.
func (l *wal) end() {
	_ = l.file.Close() // all of it is on disk
	if l.size == 0 {
		_ = os.Remove(l.file.Name()) // nothing follows from an empty segment
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
// start. After an error the record is cut off; it may still be there after a crash.
func (l *wal) append(record []byte) error {
	if l.broken != nil {
		return l.broken
	}
	changes := record[recordHeader:]
	binary.LittleEndian.PutUint32(record, uint32(len(changes)))
	binary.LittleEndian.PutUint32(record[4:], crc32.Checksum(changes, castagnoli))
	_, err := l.file.WriteAt(record, l.size)
	if err == nil && !l.noSync {
		err = l.file.Sync()
	}
	if err != nil {
		l.broken = l.file.Truncate(l.size)
		return err
	}
	l.size += int64(len(record))
	return nil
}

// appendChange adds a change of one item to a record; value is nil if the item is deleted.
func appendChange(record, key, value []byte) []byte {
	record = append(binary.AppendUvarint(record, uint64(len(key))), key...)
	if value == nil {
		return append(record, 0)
	}
	return append(binary.AppendUvarint(record, uint64(len(value))+1), value...)
}

var errLog = errors.New("the log is damaged")

// replay applies the segments after flushed in order, and returns the number of the last one, or
// flushed if there is none.
func replay(path string, flushed uint64, changes *layer) (last uint64, err error) {
	last, whole := flushed, true
	for n, err := range segments(path) {
		if err != nil {
			return 0, err
		}
		if n <= flushed {
			continue
		}
		// Only the last record of all can be cut: a new segment is started behind whole records.
		if !whole {
			return 0, fmt.Errorf("%s: %w", segmentPath(path, last), errLog)
		}
		records, err := os.ReadFile(segmentPath(path, n))
		if err != nil {
			return 0, err
		}
		if whole, err = applyRecords(records, changes); err != nil {
			return 0, fmt.Errorf("%s: %w", segmentPath(path, n), err)
		}
		last = n
	}
	return last, nil
}

// removeSegments removes the segments up to last, whose changes are in the file. Segments that
// cannot be removed are passed over by replay, and removed the next time.
func removeSegments(path string, last uint64) {
	for n, err := range segments(path) {
		if err == nil && n <= last {
			_ = os.Remove(segmentPath(path, n))
		}
	}
}

// segments yields the numbers of the segments beside a file, in order.
func segments(path string) iter.Seq2[uint64, error] {
	return func(yield func(uint64, error) bool) {
		files, err := os.ReadDir(filepath.Dir(path))
		if err != nil {
			yield(0, err)
			return
		}
		var numbers []uint64
		for _, file := range files {
			name, ok := strings.CutPrefix(file.Name(), filepath.Base(path)+".log-")
			if n, err := strconv.ParseUint(name, 10, 64); ok && err == nil {
				numbers = append(numbers, n)
			}
		}
		slices.Sort(numbers)
		for _, n := range numbers {
			if !yield(n, nil) {
				return
			}
		}
	}
}

// applyRecords applies the records of a segment up to the first that is not whole, and reports
// whether all are.
func applyRecords(records []byte, changes *layer) (whole bool, err error) {
	for len(records) > 0 {
		if len(records) < recordHeader {
			return false, nil
		}
		length := uint64(binary.LittleEndian.Uint32(records))
		sum := binary.LittleEndian.Uint32(records[4:])
		records = records[recordHeader:]
		if length > uint64(len(records)) || crc32.Checksum(records[:length], castagnoli) != sum {
			return false, nil
		}
		if err := applyChanges(records[:length], changes); err != nil {
			return false, err
		}
		records = records[length:]
	}
	return true, nil
}

// applyChanges applies the changes of one record.
func applyChanges(record []byte, changes *layer) error {
	text := func(length, size int) []byte {
		if size <= 0 || length < 0 || length > len(record)-size {
			return nil
		}
		b := record[size : size+length : size+length]
		record = record[size+length:]
		return b
	}
	for len(record) > 0 {
		length, size := binary.Uvarint(record)
		key := text(int(length), size)
		if key == nil {
			return errLog
		}
		length, size = binary.Uvarint(record)
		if length == 0 {
			if size <= 0 {
				return errLog
			}
			record = record[size:]
			changes.Set(string(key), nil)
			continue
		}
		value := text(int(length)-1, size)
		if value == nil {
			return errLog
		}
		changes.Set(string(key), value)
	}
	return nil
}
