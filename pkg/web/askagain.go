package web

import (
	"io"
	"net/http"
	"time"

	"headless/pkg/cms"
)

// lateBody is how long a body may take before its sender is looked up again, and before each further time.
const lateBody = time.Second

// ErrOtherRights refuses a request whose sender got other rights since it began. It was prepared for the former ones.
var ErrOtherRights = cms.Errorf(cms.CodeForbidden, "Your rights have changed while this was sent. Send it again.")

// AskAgain calls ask once a second while a body arrives. After an error of ask, all reads of the body return it: the
// sender, who was known when the request began, may have been shut out since, or may have other rights.
func AskAgain(r *http.Request, ask func() error) {
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &askedBody{ReadCloser: r.Body, late: time.Now().Add(lateBody), ask: ask}
	}
}

type askedBody struct {
	io.ReadCloser
	late    time.Time
	ask     func() error
	refused error
}

// RefusedError has the error of ask.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return e.Err.Error() }

func (b *askedBody) Read(p []byte) (int, error) {
	if b.refused != nil {
		return 0, b.refused
	}
	n, err := b.ReadCloser.Read(p)
	if now := time.Now(); now.After(b.late) {
		b.late = now.Add(lateBody)
		if refused := b.ask(); refused != nil {
			b.refused = &RefusedError{refused}
			return 0, b.refused
		}
	}
	return n, err
}
