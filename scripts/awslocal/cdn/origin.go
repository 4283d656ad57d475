package cdn

import (
	"net"
	"net/http"
	"strings"
)

// Origin is the API as the origin of a distribution in front of everything. Its requests come from
// an address of CloudFront, with the host name of the origin and a secret. Uncached requests also
// have the address of the visitor: see DomainViewer and the behaviors of the template.
type Origin struct {
	API          http.Handler
	Host, Secret string
}

// addressOfCloudFront is an example address of a CloudFront server.
const addressOfCloudFront = "130.176.0.1:443"

// ServeHTTP forwards a request of a visitor to the API.
func (o Origin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	visitor, _, _ := net.SplitHostPort(r.RemoteAddr)
	r = r.Clone(r.Context())
	r.Host, r.RemoteAddr = o.Host, addressOfCloudFront
	r.Header.Set("X-Origin-Verify", o.Secret)
	r.Header.Set("X-Viewer-Address", visitor)
	if strings.HasPrefix(r.URL.Path, "/media/") {
		r.Header.Del("X-Viewer-Address") // a file is the same for all visitors
	}
	o.API.ServeHTTP(w, r)
}
