package cdn

import (
	"net"
	"net/http"
	"strings"
)

// Origin is the API as the origin of a distribution that stands before everything. It gets requests
// from CloudFront's address, under its own name, with a secret, and with the visitor where nothing
// is kept: see DomainViewer and the behaviors of the template.
type Origin struct {
	API          http.Handler
	Host, Secret string
}

// addressOfCloudFront stands for the servers that ask the origin.
const addressOfCloudFront = "130.176.0.1:443"

// ServeHTTP hands a request of a visitor to the API.
func (o Origin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	visitor, _, _ := net.SplitHostPort(r.RemoteAddr)
	r = r.Clone(r.Context())
	r.Host, r.RemoteAddr = o.Host, addressOfCloudFront
	r.Header.Set("X-Origin-Verify", o.Secret)
	r.Header.Set("X-Viewer-Address", visitor)
	if strings.HasPrefix(r.URL.Path, "/delivery/") || strings.HasPrefix(r.URL.Path, "/media/") {
		r.Header.Del("X-Viewer-Address") // what is kept is the same for all
	}
	o.API.ServeHTTP(w, r)
}
