package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"syscall"
)

const refusedText = "leads to an address that is not allowed"

var errRefused = errors.New("webhook: refused address")

// mayConnect reports whether a connection to an IP address and port is allowed, after DNS.
func (p Policy) mayConnect(to netip.AddrPort) bool {
	allowed := p.allowedPort(to.Port()) && p.AllowedIP(to.Addr()) || p.excepts(to)
	return allowed && !p.ownAddr(to.Addr(), to.Port())
}

// dialGuard checks the IP addresses that one dial tries. It is safe for concurrent use.
type dialGuard struct {
	policy Policy

	mu               sync.Mutex
	allowed, refused int
}

// control is called with each IP address and port before the connection is made.
func (g *dialGuard) control(_ context.Context, network, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	ok := err == nil && (network == "tcp4" || network == "tcp6") && g.policy.mayConnect(to)
	g.mu.Lock()
	defer g.mu.Unlock()
	if !ok {
		g.refused++
		return errRefused
	}
	g.allowed++
	return nil
}

func (g *dialGuard) onlyRefusals() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.refused > 0 && g.allowed == 0
}

// failure returns the result of a failed attempt. Its text reveals nothing about our network, such
// as IP addresses or resolvers.
func failure(ctx context.Context, err error) Result {
	if errors.Is(err, errRefused) {
		return Result{Terminal: true, Err: "The URL " + refusedText + "."}
	}
	switch ctxErr := ctx.Err(); {
	case errors.Is(ctxErr, context.DeadlineExceeded):
		return Result{Timeout: true, Err: "The receiver did not answer in time."}
	case ctxErr != nil:
		return Result{Err: "The attempt was interrupted."}
	}
	if text := lookupFailure(err); text != "" {
		return Result{Err: text}
	}
	if netErr, ok := errors.AsType[net.Error](err); ok && netErr.Timeout() {
		return Result{Timeout: true, Err: "The receiver did not answer in time."}
	}
	if text := tlsFailure(err); text != "" {
		return Result{Err: text}
	}
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return Result{Err: "The connection was refused."}
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return Result{Err: "The receiver cannot be reached."}
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.EOF),
		errors.Is(err, io.ErrUnexpectedEOF):
		return Result{Err: "The receiver closed the connection before its answer was complete."}
	}
	return Result{Err: "The receiver's answer is not valid HTTP, or its header is too large."}
}

func lookupFailure(err error) string {
	var dns *net.DNSError
	switch {
	case !errors.As(err, &dns):
		return ""
	case dns.IsNotFound:
		return "The host name does not exist."
	}
	return "The host name could not be looked up."
}

func tlsFailure(err error) string {
	var (
		unknown     x509.UnknownAuthorityError
		invalid     x509.CertificateInvalidError
		wrongName   x509.HostnameError
		certificate *tls.CertificateVerificationError
		plain       tls.RecordHeaderError
		alert       tls.AlertError
	)
	switch {
	case errors.As(err, &wrongName):
		return "The certificate is for another host name."
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "The certificate has expired or is not yet valid."
	case errors.As(err, &unknown):
		return "The certificate is not signed by a known authority."
	case errors.As(err, &certificate), errors.As(err, &invalid):
		return "The certificate is not valid."
	case errors.As(err, &plain), errors.As(err, &alert):
		return "The TLS handshake with the receiver failed."
	}
	return ""
}
