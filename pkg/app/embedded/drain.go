package embedded

import (
	"io"
	"net/http"
	"time"
)

const drainBytes = 64 << 20

var drainTime = 5 * time.Second // shorter in tests

// drainBody reads the rest of a request's body after the handler has responded. Otherwise a client
// that is still sending would get a broken connection instead of the response, such as the 413 for
// a file that is too large.
func drainBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := r.Body
		next.ServeHTTP(w, r)
		if r.ContentLength == 0 || r.Header.Get("Expect") != "" { // with Expect, the client waits for the response
			return
		}
		conn := http.NewResponseController(w)
		// Flush may read the body too.
		if conn.SetReadDeadline(time.Now().Add(drainTime)) != nil || conn.Flush() != nil {
			return
		}
		_, _ = io.CopyN(io.Discard, body, drainBytes) // clients that send more get a broken connection
	})
}
