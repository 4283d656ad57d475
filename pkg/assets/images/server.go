// Package images serves media files and their variants (extensions §9). The embedded server and the
// function image use the same handler.
//
// The first request for a variant makes it and stores it in the blob store under variants/<file
// id>/. Its key names the version of the file, so that variants of replaced content are never
// served.
package images

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/singleflight"

	"headless/pkg/assets/picture"
	"headless/pkg/assets/variant"
	"headless/pkg/blob"
	"headless/pkg/cms"
	"headless/pkg/web"
)

// Server answers GET and HEAD of /media/{id} and /media/{id}/{name}.
type Server struct {
	Blobs    blob.Store
	Prefix   string         // of the keys of files, before the id
	Maker    *picture.Maker // limits the memory for decoding
	Original http.Handler   // serves the files themselves
	// Focal reads the focal point of a file. It returns nil if the file has none or does not exist.
	Focal    func(ctx context.Context, id string) (*cms.Focal, error)
	MaxBytes int64 // size limit of a variant; the file is served instead of a larger one. 0: no limit
	Log      *slog.Logger

	making singleflight.Group
}

// makeTime limits how long making a variant may take, including the wait for memory.
const makeTime = 25 * time.Second

// ServeHTTP serves the variant that the query describes. It serves the file itself if the query
// describes none or if it cannot be made. A parameter with a wrong value gets 400 with an error
// envelope.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || r.URL.RawQuery == "" {
		s.Original.ServeHTTP(w, r)
		return
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		s.refuse(w,
			cms.Errorf(cms.CodeBadRequest,
				"The query string is malformed: %%, & and ; in a value must be percent-encoded."))
		return
	}
	o, asked, err := variant.Parse(query)
	if err != nil {
		s.refuse(w, cms.Errorf(cms.CodeBadRequest, "Wrong image parameter: %s.", err))
		return
	}
	if !asked {
		s.Original.ServeHTTP(w, r)
		return
	}
	if o.Format == variant.FormatAuto {
		w.Header().Add("Vary", "Accept")
	}
	info, err := s.variant(r, r.PathValue("id"), o)
	switch {
	case errors.Is(err, blob.ErrNotFound), errors.Is(err, blob.ErrKey),
		errors.Is(err, picture.ErrUnsupported):
		s.Original.ServeHTTP(w, r)
	case errors.Is(err, blob.ErrUnavailable):
		s.refuse(w,
			&cms.Error{Code: cms.CodeUnavailable,
				Message: "File storage is temporarily unavailable. Try again.", RetryAfter: time.Second})
	case err != nil:
		s.refuse(w, err)
	case s.MaxBytes > 0 && info.Size > s.MaxBytes:
		s.Original.ServeHTTP(w, r)
	default:
		blob.Serve(w, r, s.Blobs, info)
	}
}

// refuse responds with an error in the envelope of the API, which caches do not store.
func (s *Server) refuse(w http.ResponseWriter, err error) {
	id := uuid.NewString()
	e := web.Safe(s.Log, id, err)
	h := w.Header()
	h.Set("X-Request-Id", id)
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "application/json; charset=utf-8")
	web.SetRetryAfter(h, e)
	w.WriteHeader(web.StatusOf(e.Code))
	_, _ = w.Write(web.ErrorEnvelope(e)) // fails only if the client has disconnected
}

// variant finds or makes a variant. Errors: those of the blob store, and picture.ErrUnsupported.
func (s *Server) variant(r *http.Request, id string, o variant.Options) (blob.Info, error) {
	file, err := s.Blobs.Stat(r.Context(), s.Prefix+id)
	if err != nil {
		return blob.Info{}, err
	}
	format := picture.FormatOf(file.ContentType)
	if format == "" {
		return blob.Info{}, picture.ErrUnsupported
	}
	switch {
	case o.Format == variant.FormatAuto && acceptsWebP(r.Header.Values("Accept")):
		format = variant.FormatWebP
	case o.Format != "" && o.Format != variant.FormatAuto:
		format = o.Format
	}
	if o.Crops() && o.Focal == nil {
		if o.Focal, err = s.Focal(r.Context(), id); err != nil {
			return blob.Info{}, err
		}
	}
	key := variant.Prefix + id + "/" + versionOf(file) + "-" + o.Key(format)
	info, err := s.Blobs.Stat(r.Context(), key)
	if !errors.Is(err, blob.ErrNotFound) {
		return info, err
	}
	return s.made(r.Context(), key, file, o, format)
}

// versionOf returns a short name for the content of a file.
func versionOf(file blob.Info) string {
	sum := sha256.Sum256([]byte(file.Version))
	return hex.EncodeToString(sum[:6])
}

// made waits for a variant, which is made once for all waiting requests. A request that gives up
// does not stop it for the others.
func (s *Server) made(ctx context.Context, key string, file blob.Info, o variant.Options,
	format string) (blob.Info, error) {
	result := s.making.DoChan(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), makeTime)
		defer cancel()
		return s.make(ctx, key, file, o, format)
	})
	select {
	case r := <-result:
		info, _ := r.Val.(blob.Info)
		return info, r.Err
	case <-ctx.Done():
		return blob.Info{}, ctx.Err()
	}
}

// make makes and stores a variant. If the file is deleted or replaced in the meantime, it removes
// the variant, since the deletion may have looked for variants earlier.
func (s *Server) make(ctx context.Context, key string, file blob.Info, o variant.Options,
	format string) (blob.Info, error) {
	content := blob.NewReader(ctx, s.Blobs, file)
	defer content.Close()
	var out bytes.Buffer
	if err := s.Maker.Make(ctx, &out, content, o, format); err != nil {
		return blob.Info{}, err
	}
	meta := blob.Meta{ContentType: picture.Types[format], CacheControl: file.CacheControl}
	if err := s.Blobs.Put(ctx, key, bytes.NewReader(out.Bytes()), meta); err != nil {
		return blob.Info{}, err
	}
	now, err := s.Blobs.Stat(ctx, file.Key)
	if err == nil && now.Version == file.Version {
		return s.Blobs.Stat(ctx, key)
	}
	if err == nil {
		err = blob.ErrNotFound // the next request makes the variant of the new content
	}
	return blob.Info{}, errors.Join(err, s.Blobs.Delete(ctx, key))
}
