package csvfile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestLineEnds(t *testing.T) {
	rows := [][]string{{"a\r\nb", "a\nb\r", "\r", "\r\n\n\r"}, {"'\rx", ` "a",`, "", "b"}}
	var b bytes.Buffer
	for _, row := range rows {
		Write(&b, row)
	}
	if want := "\"a\r\nb\",\"a\nb\r\",\"\r\",\"\r\n\n\r\"\r\n\"'\rx\",\" \"\"a\"\",\",,b\r\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	r := NewReader(&b)
	for _, want := range rows {
		if got, err := r.Read(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("read %q, %v", got, err)
		}
	}
}

// TestManyCells holds that a row does not take the memory of the millions of cells that a file has room for.
func TestManyCells(t *testing.T) {
	row := func(cells int) string { return strings.Repeat(",", cells-1) + "\n" }
	file := "a\n\"" + row(2*MaxCells) + "\"\n" + row(MaxCells) + row(MaxCells) + row(50*MaxCells)
	r := NewReader(strings.NewReader(file))
	for _, want := range []int{1, 1, MaxCells, MaxCells} {
		if cells, err := r.Read(); err != nil || len(cells) != want {
			t.Errorf("%d cells, %v, want %d", len(cells), err, want)
		}
		r.FieldsPerRecord = -1
	}
	cells, err := r.Read()
	if syntax, ok := errors.AsType[*csv.ParseError](err); !ok || syntax.Line != 6 {
		t.Errorf("%d cells, %v, want an error in line 6", len(cells), err)
	}
}
