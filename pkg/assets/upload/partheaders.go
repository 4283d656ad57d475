package upload

import (
	"bufio"
	"bytes"
	"io"
)

// CleanPartHeaders drops control characters from the headers of the parts of a multipart body, and
// passes on everything else as it is. Clients send a file's name as it is on their disk, and the
// standard library refuses a header that holds one.
func CleanPartHeaders(body io.Reader, boundary string) io.Reader {
	return &headerCleaner{body: bufio.NewReader(body), boundary: []byte("--" + boundary), begins: true}
}

// headerCleaner follows mime/multipart in what it takes for a boundary and for the end of headers.
type headerCleaner struct {
	body     *bufio.Reader
	boundary []byte
	newline  []byte // in front of a boundary and behind it: as behind the first, nil before that
	inHeader bool
	begins   bool   // the next piece begins a line where a boundary may stand
	rest     []byte // of the last piece
	err      error  // after rest
}

func (c *headerCleaner) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(c.rest) == 0 {
			if c.err != nil || n > 0 && c.body.Buffered() == 0 {
				break
			}
			piece, err := c.body.ReadSlice('\n') // a line, or of a long one as much as the buffer holds
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

// isBoundary reports whether headers follow a line. The last boundary has two more dashes.
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

// dropControls cleans a line in place, but for its end.
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
