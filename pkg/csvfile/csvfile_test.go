package csvfile

import (
	"bytes"
	"reflect"
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
