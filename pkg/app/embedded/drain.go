package embedded

import (
	"io"
	"net/http"
	"time"
)

const (
	drainBytes = 64 << 20
	drainTime  = 5 * time.Second
)

// drained reads what a handler left of a request's body after it answered: a client that is still
// sending would find the connection broken instead of the answer, such as the 413 of a file that is
// too large.
func drained(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := r.Body
		next.ServeHTTP(w, r)
		if r.ContentLength == 0 || r.Header.Get("Expect") != "" { // one who expects to be asked waits for the answer
			return
		}
		conn := http.NewResponseController(w)
		if conn.Flush() != nil || conn.SetReadDeadline(time.Now().Add(drainTime)) != nil {
			return
		}
		_, _ = io.CopyN(io.Discard, body, drainBytes) // whoever goes on sending finds it broken
	})
}
