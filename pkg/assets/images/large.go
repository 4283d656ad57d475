package images

import (
	"log/slog"
	"net/http"
	"net/url"

	"headless/pkg/blob"
	"headless/pkg/cms"
)

// RedirectLarge serves files of at most maxBytes with next. It redirects larger ones to their URL
// below base, since the size of a function's response is limited. A base without a host is right
// behind a CDN that serves the redirected URL itself; where it does not, the answer is 404.
func RedirectLarge(blobs blob.Store, prefix, base string, maxBytes int64, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.PathValue("id")
		if info, err := blobs.Stat(r.Context(), prefix+id); err != nil || info.Size <= maxBytes {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		to := base + "/" + url.PathEscape(id)
		if r.URL.RequestURI() == to {
			writeError(w, r, slog.Default(), cms.Errorf(cms.CodeFileNotFound, "The file is too large for this address. Use the "+
				"url of its media object."))
			return
		}
		http.Redirect(w, r, to, http.StatusFound)
	})
}
