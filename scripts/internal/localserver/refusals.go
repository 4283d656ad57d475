package localserver

import (
	"bytes"
	"fmt"
	"net"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/web"
)

// envelopes is a listener whose connections put the errors of net/http into the envelope (decisions §1). The server
// writes these itself, and no handler sees the requests: a malformed path or header, or too large headers.
type envelopes struct {
	net.Listener
	answerTime time.Duration // in which a client must take a part of an answer
}

// Accept waits for the next connection.
func (l envelopes) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if tcp, ok := conn.(*net.TCPConn); ok {
		return &envelopeConn{pacedConn{tcp, l.answerTime}}, err
	}
	return conn, err
}

// envelopeConn is one of these connections.
type envelopeConn struct{ pacedConn }

// plainError follows the status line of an error that net/http writes, and of no answer of a handler: that has a date.
var plainError = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")

// maxError is more than the bytes of an error of net/http. A write of a body with the same text is longer, or
// begins otherwise.
const maxError = 300

// Write sends b, or an envelope in its place.
func (c *envelopeConn) Write(b []byte) (int, error) {
	end := max(bytes.IndexByte(b, '\r'), 0)
	text, found := bytes.CutPrefix(b[end:], plainError)
	if !found || len(b) > maxError || !bytes.HasPrefix(b, []byte("HTTP/1.1 ")) {
		return c.pacedConn.Write(b)
	}
	body := web.ErrorEnvelope(cms.Errorf(cms.CodeBadRequest, "The request cannot be read: %s.", text))
	_, err := fmt.Fprintf(c.pacedConn, "%s\r\nCache-Control: no-store\r\nConnection: close\r\nContent-Length: %d\r\n"+
		"Content-Type: %s\r\nX-Request-Id: %s\r\n\r\n%s", b[:end], len(body), web.JSON, uuid.NewString(), body)
	return len(b), err
}
