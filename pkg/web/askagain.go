package web

import (
	"io"
	"net/http"
	"time"
)

// lateBody is how long a body may take before its sender is looked up again, and before each further time.
const lateBody = time.Second

// AskAgain calls ask once a second while a body arrives, and makes reads of the body return its error: the sender, who
// was known when the request began, may have been shut out since.
func AskAgain(r *http.Request, ask func() error) {
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &askedBody{ReadCloser: r.Body, late: time.Now().Add(lateBody), ask: ask}
	}
}

type askedBody struct {
	io.ReadCloser
	late time.Time
	ask  func() error
}

// RefusedError has the error of ask.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return e.Err.Error() }

func (b *askedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if now := time.Now(); now.After(b.late) {
		b.late = now.Add(lateBody)
		if refused := b.ask(); refused != nil {
			return 0, &RefusedError{refused}
		}
	}
	return n, err
}
