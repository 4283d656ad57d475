package main

import (
	"context"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"

	"headless/scripts/internal/local"
)

// proxy serves the stack at a root URL. Paths below /media are served from the bucket, as the CDN
// would, all others by the API's stage.
func (s stack) proxy() http.Handler {
	target, err := url.Parse(s.endpoint)
	if err != nil {
		return errorHandler(err)
	}
	// Read only once: a new version of the stack keeps its API and its bucket.
	outputs := sync.OnceValues(func() (map[string]string, error) { return s.outputs(context.Background()) })
	forward := func(prefix string) http.Handler {
		return &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = target.Scheme, target.Host
			r.Out.URL.Path = prefix + r.In.URL.Path
			r.Out.URL.RawPath = prefix + r.In.URL.EscapedPath()
			// LocalStack finds the API by the path; the functions see the host that the client
			// asked for.
			r.Out.Host = r.In.Host
			// Like API Gateway, it adds the client's IP address to the header that the client sent.
			r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"]
			r.SetXForwarded()
		}, ModifyResponse: func(r *http.Response) error {
			// A REST API sets a Content-Type on every response, an HTTP API only on those with a
			// body.
			if r.StatusCode == http.StatusNoContent || r.StatusCode == http.StatusNotModified {
				r.Header.Del("Content-Type")
			}
			return nil
		}}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o, err := outputs()
		switch {
		case err != nil:
			errorHandler(err).ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, "/media/") && r.URL.RawQuery == "": // variants come from the function
			local.MediaHeaders(w.Header())
			forward("/"+o["MediaBucketName"]).ServeHTTP(w, r)
		default:
			forward("/restapis/"+o["ApiId"]+"/"+stage+"/_user_request_").ServeHTTP(w, r)
		}
	})
}

func errorHandler(err error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, err.Error(), http.StatusBadGateway)
	})
}
