package web

import (
	"io"
	"net/http"
	"time"
)

// BodyTimeout bounds how long a client may take to send a body, so that slow clients cannot hold
// connections for ever. A body may take Grace, and a second more for each Rate bytes that arrived.
type BodyTimeout struct {
	Grace time.Duration
	Rate  int64 // bytes
}

// Handler applies the limit to the bodies that next reads. A read past it fails, and next answers
// as it does to a body that ends early.
func (t BodyTimeout) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != http.NoBody {
			r.Body = &timedBody{ReadCloser: r.Body, limit: t, conn: http.NewResponseController(w),
				start: time.Now()}
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

func (b *timedBody) Read(p []byte) (int, error) {
	earned := time.Duration(b.read/b.limit.Rate) * time.Second
	_ = b.conn.SetReadDeadline(b.start.Add(b.limit.Grace + earned)) // what is no connection has none
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	if err == io.EOF {
		// After the body, the server reads on to see whether the client goes away. That may take
		// as long as the answer.
		_ = b.conn.SetReadDeadline(time.Time{}) // a connection that is closed has no deadline
	}
	return n, err
}
