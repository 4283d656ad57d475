// Package images serves media files and their variants (extensions §9). The embedded server and the
// function image use the same handler.
//
// The first request for a variant makes it and stores it in the blob store under variants/<file
// id>/. Its key names the version of the file, so that variants of replaced content are never
// served.
package images

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"image"
	"io"
	"log/slog"
	"net/http"
	"strings"

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
	Lossy    LossyWebP
	Original http.Handler // serves the files themselves
	// Find reads the record of a file. It returns a zero File if there is none.
	Find     func(ctx context.Context, id string) (File, error)
	MaxBytes int64 // size limit of a variant; the file is served instead of a larger one, or a smaller crop. 0: no limit
	Log      *slog.Logger

	making makings
}

// LossyWebP writes a picture as lossy WebP; quality is 1 to 100. It limits the memory for encoding.
type LossyWebP func(ctx context.Context, w io.Writer, m *image.RGBA, quality int) error

// File is the part of a file's record from which variants are chosen.
type File struct {
	Width, Height int // pixels, as displayed
	Crop          *cms.Crop
	Focal         *cms.Focal // a point of the crop
	Scalable      bool       // variants can be made
}

// ServeHTTP serves the variant that the query describes. It serves the file itself if the query
// describes none or if it cannot be made. A parameter with a wrong value gets 400 with an error
// envelope.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || r.URL.RawQuery == "" {
		s.Original.ServeHTTP(w, r)
		return
	}
	query, err := web.Query(r.URL.RawQuery)
	if err != nil {
		writeError(w, r, s.Log, err)
		return
	}
	o, asked, err := variant.Parse(query)
	cropped := false
	if err == nil {
		cropped, err = o.SetCrop(query)
	}
	if err != nil {
		writeError(w, r, s.Log, cms.Errorf(cms.CodeBadRequest, "Wrong image parameter: %s.", err))
		return
	}
	if !asked && !cropped {
		s.Original.ServeHTTP(w, r)
		return
	}
	if o.Format == variant.FormatAuto {
		w.Header().Add("Vary", "Accept")
	}
	a, err := s.findVariant(r, r.PathValue("id"), o)
	for cropped && err == nil && s.tooLarge(a) && max(o.Width, o.Height) > 1 { // the file would show what is cut off
		o.Width, o.Height = o.Width/2, o.Height/2
		a, err = s.findVariant(r, r.PathValue("id"), o)
	}
	switch {
	case errors.Is(err, blob.ErrNotFound), errors.Is(err, blob.ErrKey),
		errors.Is(err, picture.ErrUnsupported):
		s.Original.ServeHTTP(w, r)
	case err != nil:
		writeError(w, r, s.Log, err)
	case s.tooLarge(a):
		s.Original.ServeHTTP(w, r)
	default:
		blob.Serve(w, r, s.Blobs, a.Info, a.caching)
	}
}

func (s *Server) tooLarge(a answer) bool { return s.MaxBytes > 0 && a.Size > s.MaxBytes }

// writeError responds with an error in the envelope of the API, which caches do not store. log gets
// errors whose text is withheld.
func writeError(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	x := web.NewExchange(w, r)
	x.Refuse(log, err)
}

// source is a file from which variants are made.
type source struct {
	File
	id      string
	content blob.Info
	format  string // of package variant
}

// answer is a stored variant and how caches may keep it.
type answer struct {
	blob.Info
	caching string // the Cache-Control header; "": that of the file
}

// briefly is the caching of answers that later requests improve, and of addresses with another crop than the file has
// now: it may get that one, and nothing tells the caches then.
const briefly = "public, max-age=300"

// findVariant finds or makes the variant for a request. Errors: those of the blob store, and
// picture.ErrUnsupported if the file itself is to be served.
func (s *Server) findVariant(r *http.Request, id string, o variant.Options) (a answer, err error) {
	src := source{id: id}
	if src.content, err = s.Blobs.Stat(r.Context(), s.Prefix+id); err != nil {
		return a, err
	}
	if src.File, err = s.Find(r.Context(), id); err != nil {
		return a, err
	}
	src.format = picture.FormatOf(src.content.ContentType)
	if src.format == "" || !src.Scalable {
		return a, picture.ErrUnsupported
	}
	cropped := o.Crop != nil // else the address is that of the whole picture
	if !cropped {
		src.Focal, src.Crop = src.Focal.Moved(src.Crop, nil), nil
	}
	otherFocal := o.Focal != nil && (src.Focal == nil || *o.Focal != *src.Focal)
	otherCrop := cropped && (src.Crop == nil || *o.Crop != *src.Crop)
	o.Focal, o.Crop = src.Focal, src.Crop
	o.Lossy = o.Lossy || src.format != variant.FormatPNG
	switch o.Format {
	case variant.FormatAuto:
		a, err = s.auto(r.Context(), src, o, web.Preferred(r.Header.Values("Accept"), "image/webp").Q > 0)
	case "":
		o.Format = src.format
		fallthrough
	default:
		a, err = s.variant(r.Context(), src, chooseVariant(src.File, o))
	}
	switch {
	case a.caching != "": // of a substitute
	case otherCrop:
		a.caching = briefly
	case otherFocal: // extensions §12
		a.caching = blob.CacheBriefly
	default:
		a.caching = blob.Caching(src.content, r)
	}
	return a, err
}

// maxVariants is how many variants of a file are kept, beside those that a width alone requests. It
// bounds what strangers can make with the parameters of an address.
const maxVariants = 256

// variant finds or makes the first of some variants of the same picture. If it makes it, it makes the
// others with it, so that the file is decoded once. If the file has maxVariants, it returns a substitute.
func (s *Server) variant(ctx context.Context, src source, list ...choice) (answer, error) {
	c := list[0]
	if !c.possible() {
		return answer{}, picture.ErrUnsupported
	}
	a, err := s.storedVariant(ctx, src, c)
	if err == nil || !errors.Is(err, blob.ErrNotFound) {
		return a, err
	}
	if err = s.checkFailed(ctx, src); err != nil {
		return a, err
	}
	if err = s.checkCount(ctx, src, c, maxVariants-1); err == nil {
		a.Info, err = s.making.do(ctx, src.variantKey(c), func(ctx context.Context) (blob.Info, error) {
			return s.make(ctx, src, list)
		})
	}
	if errors.Is(err, errFull) {
		a, err = s.variant(ctx, src, c.substitute(src.File))
		a.caching = briefly
	}
	return a, err
}

// storedVariant finds a variant; blob.ErrNotFound if it was not made yet.
func (s *Server) storedVariant(ctx context.Context, src source, c choice) (answer, error) {
	info, err := s.Blobs.Stat(ctx, src.variantKey(c))
	return answer{Info: info}, err
}

// variantKey returns the key of a variant.
func (src source) variantKey(c choice) string {
	return variant.Prefix + src.id + "/" + c.variantName(versionOf(src.content))
}

// failedKey returns the key of the object that remembers that no variant of a content can be made.
func (src source) failedKey() string {
	return variant.Prefix + src.id + "/" + versionOf(src.content) + "-failed"
}

// checkFailed returns picture.ErrUnsupported if a variant of the file failed before.
func (s *Server) checkFailed(ctx context.Context, src source) error {
	_, err := s.Blobs.Stat(ctx, src.failedKey())
	if errors.Is(err, blob.ErrNotFound) {
		return nil
	}
	return cmp.Or(err, picture.ErrUnsupported)
}

// remember stores that no variant of a file can be made, so that it is not tried again.
func (s *Server) remember(ctx context.Context, src source) {
	ctx = context.WithoutCancel(ctx)
	err := s.Blobs.Put(ctx, src.failedKey(), strings.NewReader(""), blob.Meta{ContentType: "text/plain"})
	if err != nil {
		s.Log.WarnContext(ctx, "a failed variant is not remembered", "file", src.id, "error", err.Error())
	}
}

var errFull = errors.New("images: the file has too many variants")

// checkCount returns errFull if a file has more than limit variants of those that are counted.
func (s *Server) checkCount(ctx context.Context, src source, c choice, limit int) error {
	if c.free {
		return nil
	}
	n := 0
	for _, err := range s.Blobs.List(ctx, variant.Prefix+src.id+"/"+countedPrefix, "") {
		if err != nil {
			return err
		}
		if n++; n > limit {
			return errFull
		}
	}
	return nil
}

// versionOf returns a short name for the content of a file.
func versionOf(file blob.Info) string {
	sum := sha256.Sum256([]byte(file.Version))
	return hex.EncodeToString(sum[:6])
}

// make makes and stores variants of the same picture, and returns the first.
func (s *Server) make(ctx context.Context, src source, list []choice) (first blob.Info, err error) {
	content := blob.NewReader(ctx, s.Blobs, src.content)
	defer content.Close()
	files := make([]bytes.Buffer, len(list))
	err = s.Maker.Make(ctx, content, list[0].Plan, func(m *image.RGBA) error {
		for i, c := range list {
			if err := cmp.Or(ctx.Err(), s.encodeVariant(ctx, &files[i], m, c)); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, picture.ErrUnsupported) {
		s.remember(ctx, src)
	}
	for i, c := range list {
		if err != nil {
			return first, err
		}
		var info blob.Info
		if info, err = s.storeVariant(ctx, src, c, files[i].Bytes()); i == 0 {
			first = info
		} else if errors.Is(err, errFull) {
			err = nil // whoever asks for it gets a substitute
		}
	}
	return first, err
}

// encodeVariant writes a variant. A picture that the lossless encoder of WebP cannot write, such as noise,
// becomes lossy: this format failed, not the file.
func (s *Server) encodeVariant(ctx context.Context, w *bytes.Buffer, m *image.RGBA, c choice) error {
	if c.format != variant.FormatWebP || c.quality == 0 {
		err := picture.Encode(w, m, c.format, c.quality)
		if c.format != variant.FormatWebP || !errors.Is(err, picture.ErrUnsupported) {
			return err
		}
		w.Reset()
		c.quality = variant.MaxQuality
	}
	return s.Lossy(ctx, w, m, c.quality)
}

// storeVariant keeps a variant. If the file is deleted or replaced in the meantime, it removes the variant,
// since the deletion may have looked for variants earlier.
func (s *Server) storeVariant(ctx context.Context, src source, c choice, content []byte) (blob.Info, error) {
	key := src.variantKey(c)
	meta := blob.Meta{ContentType: picture.Types[c.format], CacheControl: src.content.CacheControl}
	if err := s.Blobs.Put(ctx, key, bytes.NewReader(content), meta); err != nil {
		return blob.Info{}, err
	}
	err := s.checkCount(ctx, src, c, maxVariants) // others may have made variants meanwhile
	if err == nil {
		var now blob.Info
		now, err = s.Blobs.Stat(ctx, src.content.Key)
		if err == nil && now.Version == src.content.Version {
			return s.Blobs.Stat(ctx, key)
		}
	}
	if err == nil {
		err = blob.ErrNotFound // the next request makes the variant of the new content
	}
	return blob.Info{}, errors.Join(err, s.Blobs.Delete(context.WithoutCancel(ctx), key))
}
