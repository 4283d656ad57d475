package web

import (
	"io"
	"net/http"
	"time"
)

// BodyTimeout limits how long a client may take to send a body, so that slow clients cannot keep
// connections open for ever. A body may take Grace, plus one second for each Rate bytes that
// arrived.
type BodyTimeout struct {
	Grace time.Duration
	Rate  int64 // bytes
}

// Handler applies the limit to the bodies that next reads. After the limit, a read fails, and next
// answers as for an incomplete body.
func (t BodyTimeout) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != http.NoBody {
			body := &timedBody{ReadCloser: r.Body, limit: t, conn: http.NewResponseController(w), start: time.Now()}
			body.extend() // the server reads a body that next does not, before it sends the response
			r.Body = body
		}
		next.ServeHTTP(w, r)
	})
}

type timedBody struct {
	io.ReadCloser
	limit BodyTimeout
	conn  *http.ResponseController
	start time.Time
	read  int64
}

// extend sets the deadline for the next read.
func (b *timedBody) extend() {
	earned := time.Duration(b.read/b.limit.Rate) * time.Second
	// fails only without a connection, which needs no deadline
	_ = b.conn.SetReadDeadline(b.start.Add(b.limit.Grace + earned))
}

func (b *timedBody) Read(p []byte) (int, error) {
	b.extend()
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	if err == io.EOF {
		// After the body, the server continues to read, to detect that the client disconnects. That
		// may take as long as the response.
		_ = b.conn.SetReadDeadline(time.Time{}) // a connection that is closed has no deadline
	}
	return n, err
}
