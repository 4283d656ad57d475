package totals

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"

	"headless/pkg/db"
	"headless/pkg/table"
)

// The names of counters start with what they count.
const (
	All      = "n" // documents of the space
	Overflow = "o" // documents with more values at a path than have rows
	Value    = "v" // documents with a value at a path
	Label    = "l" // documents of a label
)

// near reports whether a counter is in the state of its collection. There are few of these.
func near[T string | []byte](name T) bool { return name[0] == All[0] || name[0] == Overflow[0] }

// state is the decoded state item of a collection; see the package comment.
type state struct {
	item   *table.Item // nil: there was no merge yet
	number int64       // of the last merge
	merged string      // the names of its rows, one after the other
	near   []byte      // the near counters, as encoded by db.EncodeMoves
}

// nameLen is the length of the unique part of a change row's sort key, which names it.
const nameLen = 8

func nameOf(row *table.Item) string { return row.Sort[len(row.Sort)-nameLen:] }

var errState = errors.New("totals: damaged state of totals")

func decodeState(item *table.Item) (s state, err error) {
	s.item = item
	body := item.Body
	number, size := binary.Uvarint(body)
	if size <= 0 {
		return s, errState
	}
	body = body[size:]
	length, size := binary.Uvarint(body)
	if size <= 0 || length > uint64(len(body)-size) {
		return s, errState
	}
	body = body[size:]
	s.number, s.merged, s.near = int64(number), string(body[:length]), body[length:]
	return s, nil
}

func encodeState(number int64, merged string, collection string, near map[db.Counter]int64) []byte {
	b := binary.AppendUvarint(nil, uint64(number))
	b = append(binary.AppendUvarint(b, uint64(len(merged))), merged...)
	return db.EncodeMoves(b, collection, near)
}

// page is the content of a collection's partition.
type page struct {
	state
	fresh []table.Item // change rows that no merge has begun to merge
	left  []table.Item // rows that the state names and that are not deleted yet
}

// whole reports whether none of the rows that the state names is deleted, and it names some.
func (p *page) whole() bool { return len(p.left) > 0 && len(p.left)*nameLen == len(p.merged) }

func readPage(ctx context.Context, s *db.DB, collection string) (p page, err error) {
	rows, err := s.Table.Query(ctx, table.Range{Partition: db.ChangesPartition(collection)})
	if err != nil {
		return p, err
	}
	if last := len(rows) - 1; last >= 0 && rows[last].Key == stateKey(collection) {
		if p.state, err = decodeState(&rows[last]); err != nil {
			return p, err
		}
		rows = rows[:last]
	}
	if len(p.merged) == 0 {
		p.fresh = rows
		return p, nil
	}
	named := make(map[string]bool, len(p.merged)/nameLen)
	for names := p.merged; names != ""; names = names[nameLen:] {
		named[names[:nameLen]] = true
	}
	for i := range rows {
		if named[nameOf(&rows[i])] {
			p.left = append(p.left, rows[i])
		} else {
			p.fresh = append(p.fresh, rows[i])
		}
	}
	return p, nil
}

// namesOf returns the names of rows, one after the other.
func namesOf(rows []table.Item) string {
	var b strings.Builder
	for i := range rows {
		b.WriteString(nameOf(&rows[i]))
	}
	return b.String()
}
