package db

import (
	"bytes"
	"compress/flate"
	"fmt"
	"testing"
	"time"

	"headless/pkg/must"
)

// document returns JSON of about n bytes that compresses as real documents do.
func document(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, `{"id":%d,"title":"The %dth of many titles","status":"published"},`, i*7919%100_003, i*i)
	}
	return b.Bytes()
}

// TestUnpackOlder reads what earlier versions packed with the standard library, and expects new
// documents to take no more than 5 % more.
func TestUnpackOlder(t *testing.T) {
	for _, size := range []int{900, 3000, 50_000} {
		doc := document(size)
		older := bytes.NewBuffer([]byte{packedMark})
		w, err := flate.NewWriter(older, flate.DefaultCompression)
		must.Do(t, err)
		if _, err := w.Write(doc); err != nil {
			t.Fatal(err)
		}
		must.Do(t, w.Close())
		packed := PackSeldom(doc)
		if len(packed)*100 > older.Len()*105 {
			t.Errorf("%d bytes are packed into %d, before into %d", len(doc), len(packed), older.Len())
		}
		for _, body := range [][]byte{older.Bytes(), packed, doc} {
			if got, err := UnpackBytes(body); err != nil || !bytes.Equal(got, doc) {
				t.Errorf("%d bytes came back as %d: %v", len(doc), len(got), err)
			}
		}
	}
}

func TestUnpackDamaged(t *testing.T) {
	packed := PackSeldom(document(3000))
	if got, err := UnpackBytes(packed[:len(packed)/2]); err == nil {
		t.Errorf("half of a document came back as %q", got)
	}
}

// TestPackWaiting: what waits to be merged or dispatched is packed where a KB is paid for, and not in the table of a
// process of its own.
func TestPackWaiting(t *testing.T) {
	doc := document(2000)
	for _, alone := range []bool{false, true} {
		s := &DB{}
		if alone {
			s.AloneSince = time.Now()
		}
		body := s.PackWaiting(doc)
		if packed := len(body) < len(doc); packed == alone {
			t.Errorf("alone %t: packed %t", alone, packed)
		}
		if got, err := UnpackBytes(body); err != nil || !bytes.Equal(got, doc) {
			t.Errorf("alone %t: came back as %d bytes, %v", alone, len(got), err)
		}
	}
}
