package web

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"headless/pkg/cms"
)

// MaxBody is the maximum size of a JSON body, in bytes.
const MaxBody = 1 << 20

// DecodeBody reads the JSON object in the body of a request (see cms.DecodeObject). Errors: 415 for
// another content type or a compressed body, 413 above MaxBody, 400 if it is malformed.
func DecodeBody(r *http.Request) (map[string]any, error) {
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil ||
		(t != "application/json" && !strings.HasSuffix(t, "+json")) {
		return nil, cms.Errorf(cms.CodeUnsupportedMedia, "Send the body as application/json.")
	}
	body, err := ReadBody(r, MaxBody)
	if err != nil {
		return nil, err
	}
	return cms.DecodeObject(body)
}

// ReadBody reads a whole request body of at most max bytes. Errors: 415 for a compressed body, 413, 400.
func ReadBody(r *http.Request, max int64) ([]byte, error) {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, cms.Errorf(cms.CodeUnsupportedMedia, "Send the body without Content-Encoding.")
	}
	if r.ContentLength > max {
		return nil, tooLarge(max)
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, max))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, tooLarge(max)
	}
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		return nil, refused.Err
	}
	if err != nil {
		return nil, cms.Errorf(cms.CodeBadRequest, "The body is incomplete.")
	}
	return body, nil
}

func tooLarge(max int64) error {
	return cms.Errorf(cms.CodePayloadTooLarge, "The body is over %d bytes.", max)
}
