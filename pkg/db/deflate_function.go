//go:build lambda.norpc

package db

import (
	"compress/flate"
	"io"
)

// AWS functions use the slower deflate of the standard library, since they link it anyway: the
// faster one would add 0.2 MB to load at each cold start.

// packFrom lets a function pack what takes more than a KB with its key, each of which a transaction pays
// twice. To unpack it takes 13 µs.
const packFrom = 950

func newDeflater(w io.Writer) (deflater, error) { return flate.NewWriter(w, flate.DefaultCompression) }

func newInflater(r io.Reader) io.ReadCloser { return flate.NewReader(r) }
