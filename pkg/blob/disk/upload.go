package disk

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"headless/pkg/blob"
)

// grant is the content of a token for a direct upload; all of it is signed.
type grant struct {
	Key     string
	Size    int64
	Meta    blob.Meta
	Expires int64 // Unix seconds
}

// PresignUpload implements blob.Store. It returns the URL of UploadHandler with a signed token.
func (s *Store) PresignUpload(_ context.Context, key string, u blob.Upload) (blob.Presigned, error) {
	if err := blob.ValidKey(key); err != nil {
		return blob.Presigned{}, err
	}
	document, err := json.Marshal(grant{key, u.Size, u.Meta, u.Expires.Unix()})
	if err != nil {
		return blob.Presigned{}, err
	}
	payload := base64.RawURLEncoding.EncodeToString(document)
	return blob.Presigned{
		URL:     s.opts.UploadURL + "/" + key + "?token=" + payload + "." + s.sign(payload),
		Method:  http.MethodPut,
		Headers: u.SignedHeaders(),
	}, nil
}

func (s *Store) sign(payload string) string {
	mac := hmac.New(sha256.New, s.opts.Secret)
	mac.Write([]byte(payload))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// verify returns the grant of a token; ok is false if the token is forged or expired.
func (s *Store) verify(token string) (grant, bool) {
	payload, signature, _ := strings.Cut(token, ".")
	if !hmac.Equal([]byte(signature), []byte(s.sign(payload))) {
		return grant{}, false
	}
	document, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		return grant{}, false
	}
	var g grant
	if err := json.Unmarshal(document, &g); err != nil {
		return grant{}, false
	}
	return g, s.opts.Now().Unix() < g.Expires
}

// UploadHandler serves the URLs of PresignUpload, to any origin: the token is the only credential.
// Mount it below the path of Options.UploadURL, without limits on body size or reading time.
//
// It responds like S3: 200 if stored, 403 for an invalid or expired token and for another length or
// other headers than promised, 400 for an incomplete body, 411 without Content-Length, 412 if the
// object exists, 503 if the disk is full.
func (s *Store) UploadHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Access-Control-Allow-Origin", "*")
		header.Set("Cache-Control", "no-store")
		switch r.Method {
		case http.MethodPut:
			if status, message := s.receive(w, r); status != http.StatusOK {
				http.Error(w, message, status)
			}
		case http.MethodOptions:
			header.Set("Access-Control-Allow-Methods", "PUT")
			header.Set("Access-Control-Allow-Headers", "*")
			header.Set("Access-Control-Max-Age", "3600")
			w.WriteHeader(http.StatusNoContent)
		default:
			header.Set("Allow", "OPTIONS, PUT")
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	})
}

// receive stores the body of a permitted request. It returns the status of the response, with a
// message unless it is 200.
func (s *Store) receive(w http.ResponseWriter, r *http.Request) (int, string) {
	g, ok := s.verify(r.URL.Query().Get("token"))
	if !ok || !strings.HasSuffix(r.URL.Path, "/"+g.Key) {
		return http.StatusForbidden, "The URL of this upload is invalid or has expired."
	}
	for name, value := range (blob.Upload{Meta: g.Meta}).SignedHeaders() {
		if r.Header.Get(name) != value {
			return http.StatusForbidden, "The header " + name +
				" must have the value that was returned with the URL of the upload."
		}
	}
	switch {
	case r.ContentLength < 0:
		return http.StatusLengthRequired, "The header Content-Length is missing."
	case r.ContentLength != g.Size:
		return http.StatusForbidden,
			fmt.Sprintf("The body has %d bytes, but the upload was started for %d.", r.ContentLength, g.Size)
	}
	if _, err := s.Stat(r.Context(), g.Key); err == nil { // check before reading the body; write decides
		return http.StatusPreconditionFailed, sentBefore
	}
	// A large transfer may take longer than the server's read timeout, but not longer than its
	// token is valid. Some writers do not support this.
	_ = http.NewResponseController(w).SetReadDeadline(time.Unix(g.Expires, 0))

	err := s.writeFile(g.Key, &bodyReader{r.Body, r.ContentLength}, g.Meta, true)
	switch {
	case err == nil:
		return http.StatusOK, ""
	case errors.Is(err, fs.ErrExist):
		return http.StatusPreconditionFailed, sentBefore
	case errors.Is(err, errBody):
		return http.StatusBadRequest, "The body is incomplete."
	case errors.Is(err, blob.ErrUnavailable):
		return http.StatusServiceUnavailable, "The file cannot be stored right now. Try again in a moment."
	}
	slog.ErrorContext(r.Context(), "direct upload", "key", g.Key, "error", err)
	return http.StatusInternalServerError, "The file cannot be stored."
}

const sentBefore = "The content of this upload was already sent."

// errBody marks a body that is incomplete or could not be read, in contrast to a disk that could
// not be written.
var errBody = errors.New("disk: the body is incomplete")

// bodyReader reads exactly left bytes, or fails with errBody.
type bodyReader struct {
	io.Reader
	left int64
}

func (b *bodyReader) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.left -= int64(n)
	if err == io.EOF && b.left == 0 {
		return n, io.EOF
	}
	if err != nil {
		return n, errBody
	}
	return n, nil
}
