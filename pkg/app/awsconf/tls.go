package awsconf

import (
	"crypto/tls"
	"crypto/x509"
	_ "embed"
	"errors"
	"net/http"
	"sync"
	"time"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
)

// amazonRoots are the certificates of Amazon Trust Services, which sign the endpoints of all AWS
// services (https://www.amazontrust.com/repository/).
//
//go:embed amazon_roots.pem
var amazonRoots []byte

// httpClient is the SDK's own client with other root certificates: parsing the system's bundle
// takes five to ten times as long as the rest of the first connection.
func httpClient() *awshttp.BuildableClient {
	return awshttp.NewBuildableClient().
		WithTimeout(20 * time.Second).
		WithTransportOptions(func(t *http.Transport) {
			t.TLSClientConfig = tlsConfig(amazonRoots)
		})
}

// sessions is how many servers' TLS sessions are cached: a function calls only a few services.
const sessions = 8

// tlsConfig trusts the given roots before those of the system. A second connection to a server
// resumes the TLS session of the first, which saves most of the handshake: parallel reads of a
// request need a connection each.
func tlsConfig(roots []byte) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		// VerifyConnection verifies instead, also resumed sessions: it uses two pools, which the
		// standard check cannot do.
		InsecureSkipVerify: true,
		VerifyConnection:   verifyWith(roots),
		ClientSessionCache: tls.NewLRUClientSessionCache(sessions),
	}
}

// verifyWith returns a check of the server's certificate and name. It tries the given roots first,
// and then those of the system (for a proxy, a private gateway, a future root).
func verifyWith(roots []byte) func(tls.ConnectionState) error {
	pool := sync.OnceValue(func() *x509.CertPool { // only when there is a connection to check
		p := x509.NewCertPool()
		p.AppendCertsFromPEM(roots)
		return p
	})
	return func(c tls.ConnectionState) error {
		if len(c.PeerCertificates) == 0 {
			return errors.New("awsconf: the server sent no certificate")
		}
		options := x509.VerifyOptions{DNSName: c.ServerName, Roots: pool(), Intermediates: x509.NewCertPool()}
		for _, certificate := range c.PeerCertificates[1:] {
			options.Intermediates.AddCert(certificate)
		}
		leaf := c.PeerCertificates[0]
		_, err := leaf.Verify(options)
		if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
			options.Roots = nil // the system's
			_, err = leaf.Verify(options)
		}
		return err
	}
}
