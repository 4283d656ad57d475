package bolt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

var errLog = errors.New("the log is damaged")

// replay applies the segments after flushed in order, and returns the number of the last one, or
// flushed if there is none.
func replay(path string, flushed uint64, changes *layer) (last uint64, err error) {
	last = flushed
	var before *segment
	for n, err := range segments(path) {
		if err != nil {
			return 0, err
		}
		if n <= flushed {
			continue
		}
		file, err := os.ReadFile(segmentPath(path, n))
		if err != nil {
			return 0, err
		}
		now := parseSegment(n, file)
		if before != nil {
			if err := before.applyInto(now, changes); err != nil {
				return 0, fmt.Errorf("%s: %w", segmentPath(path, last), err)
			}
		}
		before, last = now, n
	}
	if before != nil {
		if err := before.applyInto(nil, changes); err != nil {
			return 0, fmt.Errorf("%s: %w", segmentPath(path, last), err)
		}
	}
	return last, nil
}

// segment is a segment of the log that is replayed.
type segment struct {
	file   []byte
	older  bool // of the format before, without a header
	begun  bool // its header is whole
	before end  // of the segment before it
}

// parseSegment reads the header of a segment. A segment that was recycled and not begun has the
// header of an earlier number.
func parseSegment(number uint64, file []byte) *segment {
	s := &segment{file: file}
	if len(file) < 4 || binary.LittleEndian.Uint32(file) != segmentMark {
		s.older = true
		return s
	}
	if len(file) < segmentHeader {
		return s
	}
	s.begun = binary.LittleEndian.Uint64(file[4:]) == number &&
		sumOf(file) == crc32.Checksum(file[:segmentHeader-4], castagnoli)
	s.before = end{int64(binary.LittleEndian.Uint64(file[12:])), binary.LittleEndian.Uint32(file[20:])}
	return s
}

// applyInto applies the records of a segment. Only the last record of all can be cut: a next segment
// is started behind whole records, and says where they end.
func (s *segment) applyInto(next *segment, changes *layer) error {
	if s.older {
		stop, err := s.applyRecords(end{}, nil, changes)
		if err == nil && next != nil && stop.size != int64(len(s.file)) {
			err = errLog
		}
		return err
	}
	if !s.begun {
		if next != nil {
			return errLog
		}
		return nil
	}
	var want *end
	if next != nil && next.begun {
		want = &next.before
	}
	stop, err := s.applyRecords(end{segmentHeader, sumOf(s.file)}, want, changes)
	if err == nil && want != nil && stop != *want {
		err = errLog
	}
	return err
}

// applyRecords applies the records from one end on, up to the first that does not follow from those
// before it, or up to want. It returns where it stopped. In the older format, a checksum covers the
// changes of one record only.
func (s *segment) applyRecords(at end, want *end, changes *layer) (end, error) {
	for want == nil || at.size < want.size {
		left := s.file[at.size:]
		if len(left) < recordHeader {
			return at, nil
		}
		length := uint64(binary.LittleEndian.Uint32(left))
		if length == 0 || length > uint64(len(left)-recordHeader) {
			return at, nil
		}
		record := left[:recordHeader+length]
		sum := sumAfter(at.sum, record)
		if s.older {
			sum = crc32.Checksum(record[recordHeader:], castagnoli)
		}
		if binary.LittleEndian.Uint32(left[4:]) != sum {
			return at, nil
		}
		if err := applyChanges(record[recordHeader:], changes); err != nil {
			return at, err
		}
		at = end{at.size + int64(len(record)), sum}
	}
	return at, nil
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
