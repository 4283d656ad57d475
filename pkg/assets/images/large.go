package images

import (
	"net/http"
	"net/url"

	"headless/pkg/blob"
)

// RedirectLarge serves files of at most maxBytes with next. It redirects larger ones to their URL
// below base, since the size of a function's response is limited.
func RedirectLarge(blobs blob.Store, prefix, base string, maxBytes int64, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.PathValue("id")
		if info, err := blobs.Stat(r.Context(), prefix+id); err != nil || info.Size <= maxBytes {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		http.Redirect(w, r, base+"/"+url.PathEscape(id), http.StatusFound)
	})
}
