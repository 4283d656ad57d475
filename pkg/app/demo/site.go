package demo

import (
	"embed"
	"encoding/json"
	"io/fs"
	"net/http"
)

// SitePath is where the example site is served.
const SitePath = "/site/"

// sitePreview is the preview address of a post on the example site, below the address of the
// service.
const sitePreview = SitePath + "?lang={locale}&post={slug}&preview={token}"

// policy allows the site its own files. The style is that of preview.js; the admin area shows a
// preview in a frame.
const policy = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; " +
	"base-uri 'none'; frame-ancestors 'self'"

//go:embed site
var siteFiles embed.FS

// Site serves the example site below SitePath: static files that read the demo content from the
// browser, through the delivery API with a publishable key. The addresses of the APIs are all that
// the site is told.
func Site(publicKey string) http.Handler {
	root, err := fs.Sub(siteFiles, "site")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	apis, err := json.Marshal(object{"delivery": "/delivery/v1/" + publicKey, "api": "/api/v1"})
	if err != nil {
		panic(err) // strings have a form in JSON
	}
	mux := http.NewServeMux()
	mux.Handle(SitePath, http.StripPrefix(SitePath, http.FileServerFS(root)))
	mux.HandleFunc("GET "+SitePath+"config.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(apis) // the client is gone: nobody to tell
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Cache-Control", "no-cache")
		mux.ServeHTTP(w, r)
	})
}
