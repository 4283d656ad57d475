package localserver

import (
	"io"
	"net"
	"time"
)

// A client must take answerPart bytes of an answer in answerTime. Otherwise clients that read nothing would hold
// connections, and the answers in memory, for ever.
const (
	answerPart = 64 << 10
	answerTime = time.Minute
)

// pacedConn is a connection that fails when its client does not take a part of an answer in time.
type pacedConn struct {
	*net.TCPConn
	time time.Duration
}

// Write sends b in parts.
func (c pacedConn) Write(b []byte) (sent int, err error) {
	for sent < len(b) && err == nil {
		if err = c.SetWriteDeadline(time.Now().Add(c.time)); err != nil {
			break
		}
		var n int
		n, err = c.TCPConn.Write(b[sent:min(sent+answerPart, len(b))])
		sent += n
	}
	return sent, err
}

// ReadFrom sends what r has. That of net.TCPConn would send all of it without a deadline.
func (c pacedConn) ReadFrom(r io.Reader) (int64, error) { return io.Copy(struct{ io.Writer }{c}, r) }
