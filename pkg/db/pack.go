package db

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"headless/pkg/cms"
)

// packSeldomFrom is the size in bytes from which a document that is seldom read is compressed: where that
// may save a write unit. packFrom is that of others; functions and the embedded server have their own.
const packSeldomFrom = 800

// maxUnpacked bounds what a stored document may expand to. A larger one is not compressed, so the table refuses it.
const maxUnpacked = 8 << 20

// The first byte of a packed document. Neither JSON nor a pending change starts with it, so plain
// documents carry no mark.
const packedMark = 0x01

// deflater has the methods of both implementations of deflate.
type deflater interface {
	io.WriteCloser
	Reset(io.Writer)
}

var deflaters = sync.Pool{New: func() any {
	w, err := newDeflater(io.Discard)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

// unpacker has memory for a document of unknown size: growing a new slice would take five times the
// memory of the document.
type unpacker struct {
	inflater io.ReadCloser
	doc      bytes.Buffer
}

// keptUnpacked is the largest memory of an unpacker that is kept.
const keptUnpacked = 1 << 20

var unpackers = sync.Pool{New: func() any { return &unpacker{inflater: newInflater(bytes.NewReader(nil))} }}

// Pack encodes a value as JSON, compressed if it is large.
func Pack(v any) []byte { return PackBytes(MustMarshal(v)) }

// Unpack decodes what Pack made; numbers in untyped values keep their digits.
func Unpack(body []byte, v any) error {
	raw, err := UnpackBytes(body)
	if err != nil {
		return err
	}
	return cms.Unmarshal(raw, v)
}

// Unmarshal is Unpack for values without untyped numbers, which it would round.
func Unmarshal(body []byte, v any) error {
	raw, err := UnpackBytes(body)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, v)
}

// PackBytes compresses a JSON document if it is large and compression makes it smaller.
func PackBytes(doc []byte) []byte { return packOver(packFrom, doc) }

// PackSeldom compresses a document that is seldom read.
func PackSeldom(doc []byte) []byte { return packOver(packSeldomFrom, doc) }

// PackWaiting compresses a document that is soon merged or dispatched, and then deleted. In a table that this
// process has to itself, nothing is paid for a KB: to pack such documents would take a tenth of the time of a
// create.
func (s *DB) PackWaiting(doc []byte) []byte {
	if s.AloneSince.IsZero() {
		return PackSeldom(doc)
	}
	return PackBytes(doc)
}

func packOver(size int, doc []byte) []byte {
	if len(doc) < size || len(doc) > maxUnpacked {
		return doc
	}
	var buf bytes.Buffer
	buf.WriteByte(packedMark)
	w := deflaters.Get().(deflater)
	defer deflaters.Put(w)
	w.Reset(&buf)
	if _, err := w.Write(doc); err != nil {
		return doc
	}
	if err := w.Close(); err != nil || buf.Len() >= len(doc) {
		return doc
	}
	return buf.Bytes()
}

// UnpackBytes returns the document that was given to PackBytes, PackSeldom or PackWaiting. The result may share memory
// with body.
func UnpackBytes(body []byte) ([]byte, error) {
	if len(body) == 0 || body[0] != packedMark {
		return body, nil
	}
	u := unpackers.Get().(*unpacker)
	defer unpackers.Put(u)
	u.doc.Reset()
	err := u.inflater.(flate.Resetter).Reset(bytes.NewReader(body[1:]), nil)
	if err == nil {
		_, err = u.doc.ReadFrom(io.LimitReader(u.inflater, maxUnpacked))
	}
	if err != nil {
		return nil, fmt.Errorf("db: damaged document: %w", err)
	}
	doc := bytes.Clone(u.doc.Bytes())
	if u.doc.Cap() > keptUnpacked {
		u.doc = bytes.Buffer{}
	}
	return doc, nil
}
