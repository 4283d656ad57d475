package blob

import (
	"context"
	"errors"
	"io"
)

// Reader reads an object from wherever it was last sought to, so that a range costs a request for
// that range and no more. It opens the object at the first Read; the caller closes it.
type Reader struct {
	ctx    context.Context
	store  Store
	info   Info
	offset int64
	body   io.ReadCloser // open at offset; nil before the first Read and after a Seek
}

// NewReader reads the object that info, from Stat, describes. Nothing is requested yet.
func NewReader(ctx context.Context, store Store, info Info) *Reader {
	return &Reader{ctx: ctx, store: store, info: info}
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	if r.offset >= r.info.Size {
		return 0, io.EOF
	}
	if r.body == nil {
		object, err := r.store.Get(r.ctx, r.info.Key, Range{Offset: r.offset})
		if err != nil {
			return 0, err
		}
		r.body = object.Body
	}
	n, err := r.body.Read(p)
	r.offset += int64(n)
	return n, err
}

// Seek implements io.Seeker.
func (r *Reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.offset
	case io.SeekEnd:
		offset += r.info.Size
	}
	if offset < 0 {
		return 0, errors.New("blob: seek before the start")
	}
	if offset != r.offset {
		if err := r.Close(); err != nil {
			return 0, err
		}
		r.offset = offset
	}
	return offset, nil
}

// Close implements io.Closer.
func (r *Reader) Close() error {
	if r.body == nil {
		return nil
	}
	body := r.body
	r.body = nil
	return body.Close()
}
