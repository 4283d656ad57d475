// Package images serves media files and their variants (extensions §9): the same handler in the
// embedded server and in the function image.
//
// A variant is made by the first request for it and kept in the blob store under variants/<file
// id>/. Its key names the version of the file, so that a file whose content is replaced never
// answers with variants of the former content.
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
	Prefix   string         // of the keys of files; the id follows
	Maker    *picture.Maker // bounds what is decoded at a time
	Original http.Handler   // serves the files themselves
	// Focal reads the focal point of a file; nil where it has none or there is no such file.
	Focal    func(ctx context.Context, id string) (*cms.Focal, error)
	MaxBytes int64 // of a variant that is served; a larger one is answered with the file. 0 is no limit.
	Log      *slog.Logger

	making singleflight.Group
}

// makeTime bounds making a variant, waiting included.
const makeTime = 25 * time.Second

// ServeHTTP serves the variant that the query asks for, or the file itself where it asks for none
// or none can be made. A parameter with a wrong value is answered with 400 in the envelope.
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

// refuse answers an error in the envelope of the API. No cache keeps it.
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
	_, _ = w.Write(web.ErrorEnvelope(e)) // the client is gone: nobody to tell
}

// variant finds or makes a variant. Errors: those of the blob store, and ErrUnsupported of package
// picture.
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

// versionOf is a short name of the content of a file.
func versionOf(file blob.Info) string {
	sum := sha256.Sum256([]byte(file.Version))
	return hex.EncodeToString(sum[:6])
}

// made waits for the variant, which is made once for all requests that wait for it: one that gives
// up does not stop it for the others.
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

// make makes and keeps a variant. Where the file was deleted or replaced meanwhile, the variant
// goes too: the deletion may have looked before.
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
		err = blob.ErrNotFound // the next request makes that of the new content
	}
	return blob.Info{}, errors.Join(err, s.Blobs.Delete(ctx, key))
}
