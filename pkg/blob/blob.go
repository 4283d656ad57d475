// Package blob is the port to the store of whole files: media objects, direct uploads and mail as
// .eml objects.
//
// Two adapters implement it: blob/disk (embedded) and blob/s3 (AWS); blob/blobtest holds their
// conformance suite.
package blob

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"time"
)

// MaxKeyBytes is the longest key.
const MaxKeyBytes = 512

// Meta is kept with an object and sent as headers by whatever serves it. All values are printable
// ASCII, at most 1 KiB together.
type Meta struct {
	ContentType  string
	Disposition  string // the Content-Disposition header; "" for none
	CacheControl string // the Cache-Control header; "" for none
}

// Info describes a stored object. List leaves Version and Meta empty.
type Info struct {
	Key      string
	Size     int64
	Modified time.Time // of the last write; whole seconds on S3
	Version  string    // another one for other content; only compared, by Copy
	Meta
}

// Object is an open object; the caller closes Body.
type Object struct {
	Info // Size is that of the whole object, whatever the range
	Body io.ReadCloser
}

// Range selects bytes of an object. The zero value is the whole of it. A range past the end is cut;
// one that begins there is empty.
type Range struct {
	Offset int64
	Length int64 // 0: to the end
}

// Upload is what a direct upload must consist of: the store refuses another size, another type and
// other headers.
type Upload struct {
	Size    int64 // bytes, exactly
	Meta          // ContentType is required
	Expires time.Time
}

// SignedHeaders are the headers that the request of an upload must carry.
func (u Upload) SignedHeaders() map[string]string {
	headers := map[string]string{"Content-Type": u.ContentType, "If-None-Match": "*"}
	if u.Disposition != "" {
		headers["Content-Disposition"] = u.Disposition
	}
	if u.CacheControl != "" {
		headers["Cache-Control"] = u.CacheControl
	}
	return headers
}

// Presigned is a request that a client may make without a key until the upload's expiry: method,
// address, headers to send as they are, and a body of exactly the promised size (Content-Length is
// the client's to send, as HTTP clients do). When the object exists, the store answers 412, so what
// is there cannot be replaced.
type Presigned struct {
	URL     string
	Method  string
	Headers map[string]string
}

// Store is implemented by disk.Store and s3.Store.
//
// Keys are slash-separated segments of A-Z a-z 0-9 . _ - that do not begin with a dot (see
// ValidKey); every method returns ErrKey for another. No key may be a folder of another ("a" beside
// "a/b"). Writes are atomic: a reader sees the object before or after, never in between, and what
// was confirmed survives a crash. Every method returns an error that wraps ErrUnavailable when the
// store is throttled, full or away after the adapter's own retries, and ctx.Err() (wrapped or not)
// when ctx ends first.
type Store interface {
	// Put stores content from its start to its end, replacing what was there.
	Put(ctx context.Context, key string, content io.ReadSeeker, meta Meta) error

	// Get opens an object, or the range of it that is wanted. ErrNotFound when absent.
	Get(ctx context.Context, key string, r Range) (*Object, error)

	// Stat describes an object. ErrNotFound when absent.
	Stat(ctx context.Context, key string) (Info, error)

	// Copy stores a second object of the same content and headers, which replaces what was there,
	// without the content passing through the caller. ErrNotFound when the object that from, by
	// Stat or Get, describes is gone or was replaced. Objects of up to 5 GiB.
	Copy(ctx context.Context, from Info, key string) error

	// Delete removes an object; removing an absent one succeeds.
	Delete(ctx context.Context, key string) error

	// List walks the objects whose keys begin with prefix and are greater than after, in the order
	// of the bytes of their keys. It fetches pages as it goes, and ends after the first error.
	List(ctx context.Context, prefix, after string) iter.Seq2[Info, error]

	// PresignUpload allows one upload straight to the store.
	PresignUpload(ctx context.Context, key string, u Upload) (Presigned, error)
}

// The errors of the port.
var (
	ErrNotFound    = errors.New("blob: not found")
	ErrUnavailable = errors.New("blob: unavailable")
	ErrKey         = errors.New("blob: not a valid key")
)

// ValidKey returns ErrKey unless key is safe as a path below a folder and as part of a URL.
func ValidKey(key string) error {
	if key == "" || len(key) > MaxKeyBytes {
		return ErrKey
	}
	for segment := range strings.SplitSeq(key, "/") {
		if segment == "" || segment[0] == '.' {
			return ErrKey
		}
		for i := range len(segment) {
			if strings.IndexByte(keyBytes, segment[i]) < 0 {
				return ErrKey
			}
		}
	}
	return nil
}

const keyBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
