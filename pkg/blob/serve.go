package blob

import (
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
)

// The Content-Security-Policy headers of served files: nothing in them may run, load or navigate.
// Browsers show no PDF in a sandbox (the viewer is their own script), so a PDF gets no sandbox
// directive.
const (
	filePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; " +
		"media-src 'self'; form-action 'none'; base-uri 'none'; sandbox"
	pdfPolicy = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; form-action 'none'; base-uri 'none'"
)

// FileHandler serves objects without a key, to any origin: GET and HEAD, ranges, conditional
// requests. The key of the object is prefix followed by the path value "id". Route it as
// "/media/{id}/{name}", where the name is for people only.
func FileHandler(store Store, prefix string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		openToAll(w.Header())
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "Method not allowed.", http.StatusMethodNotAllowed)
			return
		}
		info, err := store.Stat(r.Context(), prefix+r.PathValue("id"))
		if err != nil {
			serveError(w, r, err)
			return
		}
		Serve(w, r, store, info, Caching(info, r))
	})
}

// The Cache-Control headers of files. CacheBriefly is for an address whose content may change: the
// CDN keeps it until it is purged, browsers ask again.
const (
	CacheForever = "public, max-age=31536000, immutable"
	CacheBriefly = "public, max-age=300, s-maxage=31536000, stale-while-revalidate=86400"
)

// Caching returns the Cache-Control header for a file or its variant. The content at a URL with the
// present edition never changes, nor does that of a file that was never replaced.
func Caching(info Info, r *http.Request) string {
	edition := max(1, info.Edition)
	v, given := r.URL.Query()["v"]
	if given && v[0] == strconv.Itoa(edition) || !given && edition == 1 {
		return CacheForever
	}
	return CacheBriefly
}

// openToAll lets pages of every origin read a response, and prevents sniffing of its type.
func openToAll(header http.Header) {
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("X-Content-Type-Options", "nosniff")
}

// Serve responds with the object that info, from Stat, describes, in the same way as FileHandler.
// caching is the Cache-Control header.
func Serve(w http.ResponseWriter, r *http.Request, store Store, info Info, caching string) {
	header := w.Header()
	openToAll(header)
	header.Set("Content-Type", info.ContentType)
	header.Set("Content-Security-Policy", filePolicy)
	if info.ContentType == "application/pdf" {
		header.Set("Content-Security-Policy", pdfPolicy)
	}
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Set("Access-Control-Expose-Headers", "Accept-Ranges, Content-Length, Content-Range, ETag")
	header.Set("Cache-Control", caching)
	header.Set("ETag", `"`+strconv.FormatInt(info.Modified.UnixNano(), 36)+"-"+strconv.FormatInt(info.Size, 36)+`"`)
	if info.Disposition != "" {
		header.Set("Content-Disposition", info.Disposition)
	}
	if !strings.HasPrefix(r.Header.Get("Range"), "bytes=") {
		r.Header.Del("Range") // ServeContent would refuse another unit; RFC 9110 §14.2 has it ignored
	}
	content := NewReader(r.Context(), store, info)
	defer content.Close()
	http.ServeContent(w, r, "", info.Modified, content)
}

func serveError(w http.ResponseWriter, r *http.Request, err error) {
	w.Header().Set("Cache-Control", "no-store")
	switch {
	case errors.Is(err, ErrNotFound), errors.Is(err, ErrKey):
		http.Error(w, "No such file.", http.StatusNotFound)
	case errors.Is(err, ErrUnavailable):
		w.Header().Set("Retry-After", "1")
		http.Error(w, "The file cannot be read right now. Try again in a moment.", http.StatusServiceUnavailable)
	default:
		slog.ErrorContext(r.Context(), "serve file", "error", err)
		http.Error(w, "The file cannot be read.", http.StatusInternalServerError)
	}
}
