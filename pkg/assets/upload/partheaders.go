package upload

import (
	"bufio"
	"bytes"
	"io"
)

// CleanPartHeaders removes control characters from the headers of the parts of a multipart body,
// and changes nothing else. Clients send file names as they are on disk, and the standard library
// refuses headers with control characters.
func CleanPartHeaders(body io.Reader, boundary string) io.Reader {
	return &headerCleaner{body: bufio.NewReader(body), boundary: []byte("--" + boundary), begins: true}
}

// headerCleaner detects boundaries and ends of headers in the same way as mime/multipart.
type headerCleaner struct {
	body     *bufio.Reader
	boundary []byte
	newline  []byte // line break at boundaries, taken from the first one; nil before that
	inHeader bool
	begins   bool   // the next piece starts a line that may be a boundary
	rest     []byte // unread part of the last piece
	err      error  // returned after rest
}

func (c *headerCleaner) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(c.rest) == 0 {
			if c.err != nil || n > 0 && c.body.Buffered() == 0 {
				break
			}
			piece, err := c.body.ReadSlice('\n') // a line, or the part of a long line that fits into the buffer
			if err != bufio.ErrBufferFull {
				c.err = err
			}
			c.rest = c.clean(piece)
		}
		m := copy(p[n:], c.rest)
		n, c.rest = n+m, c.rest[m:]
	}
	if n == 0 && len(p) > 0 {
		return 0, c.err
	}
	return n, nil
}

func (c *headerCleaner) clean(piece []byte) []byte {
	begins := c.begins
	c.begins = bytes.HasSuffix(piece, []byte("\n")) && (c.inHeader || bytes.HasSuffix(piece, c.newline))
	switch {
	case c.inHeader:
		piece = dropControls(piece)
		c.inHeader = !begins || len(bytes.TrimRight(piece, "\r\n")) > 0
	case begins:
		c.inHeader = c.isBoundary(piece)
	}
	return piece
}

// isBoundary reports whether a line is a boundary after which headers follow. The last boundary has
// two more dashes.
func (c *headerCleaner) isBoundary(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, c.boundary)
	rest = bytes.TrimLeft(rest, " \t")
	switch {
	case !ok:
		return false
	case c.newline != nil:
		return bytes.Equal(rest, c.newline)
	case string(rest) != "\r\n" && string(rest) != "\n":
		return false
	}
	c.newline = bytes.Clone(rest)
	return true
}

// dropControls removes control characters from a line in place, except its line break.
func dropControls(line []byte) []byte {
	text := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	end := line[len(text):]
	kept := line[:0]
	for _, b := range text {
		if b >= ' ' && b != 0x7f || b == '\t' {
			kept = append(kept, b)
		}
	}
	return append(kept, end...)
}
