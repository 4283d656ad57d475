// Package blob is the port to the object storage: media objects, direct uploads, and mail as .eml
// objects.
//
// Two adapters implement it: blob/disk (embedded) and blob/s3 (AWS). Package blob/blobtest has
// their conformance suite.
package blob

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"time"
)

// MaxKeyBytes is the maximum length of a key.
const MaxKeyBytes = 512

// Meta is stored with an object and sent as headers when it is served. All values are printable
// ASCII, at most 1 KiB together.
type Meta struct {
	ContentType  string
	Disposition  string // the Content-Disposition header; "" for none
	CacheControl string // the Cache-Control header; "" for none
	// The parameter v in the URL of this content of a file (extensions §12); 0 for the first one.
	// It is not a header.
	Edition int
}

// Info describes a stored object. List leaves Version and Meta empty.
type Info struct {
	Key      string
	Size     int64
	Modified time.Time // of the last write; whole seconds on S3
	Version  string    // changes with the content; only Copy compares it
	Meta
}

// Object is an open object; the caller closes Body.
type Object struct {
	Info // Size is the size of the whole object, even with a range
	Body io.ReadCloser
}

// Range selects bytes of an object. The zero value is the whole object. A range past the end is
// shortened; one that starts past the end is empty.
type Range struct {
	Offset int64
	Length int64 // 0: to the end
}

// Upload describes the content of a direct upload. The store refuses any other size, type and
// headers.
type Upload struct {
	Size    int64 // bytes, exactly
	Meta          // ContentType is required
	Expires time.Time
}

// SignedHeaders returns the headers that the upload request must have.
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

// Presigned is a request that a client may make without a key until it expires. The client must
// send the method, URL and headers unchanged, and a body of exactly the promised size (HTTP clients
// set Content-Length). If the object exists, the store returns 412, so an object cannot be
// replaced.
type Presigned struct {
	URL     string
	Method  string
	Headers map[string]string
}

// Store is implemented by disk.Store and s3.Store.
//
// Keys are slash-separated segments of A-Z a-z 0-9 . _ - that do not start with a dot (see
// ValidKey); every method returns ErrKey for others. No key may be a folder of another one ("a" and
// "a/b"). Writes are atomic: a reader sees the object before or after a write, never in between.
// Confirmed writes survive a crash. Every method returns an error that wraps ErrUnavailable if the
// store is throttled, full or unavailable after the adapter's retries, and ctx.Err() (wrapped or
// not) if ctx ends first.
type Store interface {
	// Put stores content from its start to its end. It replaces an existing object.
	Put(ctx context.Context, key string, content io.ReadSeeker, meta Meta) error

	// Get opens an object, or a range of it; ErrNotFound if it does not exist.
	Get(ctx context.Context, key string, r Range) (*Object, error)

	// Stat describes an object; ErrNotFound if it does not exist.
	Stat(ctx context.Context, key string) (Info, error)

	// Copy copies the content of an object, without passing it through the caller, and gives the copy
	// the headers in from. It replaces an existing object. from comes from Stat or Get; ErrNotFound if
	// that object was deleted or replaced. The limit is 5 GiB.
	Copy(ctx context.Context, from Info, key string) error

	// Delete deletes an object. Deleting a missing one succeeds.
	Delete(ctx context.Context, key string) error

	// List iterates over the objects whose keys start with prefix and are greater than after, in
	// byte order of their keys. It fetches pages on demand and ends after the first error.
	List(ctx context.Context, prefix, after string) iter.Seq2[Info, error]

	// PresignUpload permits one upload directly to the store.
	PresignUpload(ctx context.Context, key string, u Upload) (Presigned, error)
}

// Downloads is implemented by a store from which clients can download objects directly: s3.Store.
type Downloads interface {
	// PresignDownload returns a URL at which anybody may GET an object, with its headers, until it
	// expires.
	PresignDownload(ctx context.Context, key string, expires time.Time) (string, error)
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
