package demo

import (
	"embed"
	"encoding/json"
	"io/fs"
	"net/http"
)

// SitePath is where the example site is served.
const SitePath = "/site/"

// sitePreviews are the preview URLs of models on the example site, below the URL of the service.
var sitePreviews = map[string]string{
	"posts": SitePath + "?lang={locale}&post={slug}&preview={token}",
	"home":  SitePath + "?lang={locale}&page=home&preview={token}",
}

// sitePreviewAhead is the preview URL of the whole example site, below the URL of the service.
const sitePreviewAhead = SitePath + "?lang={locale}&ahead={token}"

// policy allows the site its own files. The admin area shows a preview in a frame.
const policy = "default-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'self'"

//go:embed site
var siteFiles embed.FS

// Site serves the example site below SitePath: static files that read the demo content in the
// browser, through the delivery API with a publishable key. The only configuration of the site is
// the URLs of the APIs.
func Site(publicKey string) http.Handler {
	root, err := fs.Sub(siteFiles, "site")
	if err != nil {
		panic(err) // cannot fail: the folder is embedded
	}
	apis, err := json.Marshal(object{"delivery": "/delivery/v1/" + publicKey, "api": "/api/v1"})
	if err != nil {
		panic(err) // cannot fail for strings
	}
	mux := http.NewServeMux()
	mux.Handle(SitePath, http.StripPrefix(SitePath, http.FileServerFS(root)))
	mux.HandleFunc("GET "+SitePath+"config.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(apis) // fails only if the client has disconnected
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Cache-Control", "no-cache")
		mux.ServeHTTP(w, r)
	})
}
