package lambdahttp

import (
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"strconv"
	"strings"

	"headless/pkg/web"
)

// serve runs the handler on a new writer, which it returns. A handler that writes nothing means 200, as in net/http;
// the adapter's writer treats it as an error. Where a handler writes less than the Content-Length that it set, since
// what it reads has failed, net/http breaks the connection. Here the answer is 503 instead, which no cache keeps.
func serve[W http.ResponseWriter](h Handler, newWriter func() W, req *http.Request) W {
	w := newWriter()
	tracked := &statusWriter{ResponseWriter: w}
	h.http.ServeHTTP(tracked, req)
	if !tracked.written {
		w.WriteHeader(http.StatusOK)
	}
	length, err := strconv.Atoi(w.Header().Get("Content-Length"))
	if err != nil || tracked.bytes >= length || req.Method == http.MethodHead {
		return w
	}
	refused := newWriter()
	maps.Copy(refused.Header(), w.Header())
	errorHeaders(refused.Header(), func(v string) []string { return []string{v} })
	refused.Header().Set("Retry-After", "1")
	refused.WriteHeader(http.StatusServiceUnavailable)
	_, _ = io.WriteString(refused, incompleteBody)
	return refused
}

const incompleteBody = `{"data":null,"error":{"code":"SERVICE_UNAVAILABLE",` +
	`"message":"Storage is temporarily unavailable. Try again in a moment."}}`

type apiKey struct{}

// APIID returns the id of the API whose gateway sent a request, "" if there is none.
func APIID(ctx context.Context) string {
	id, _ := ctx.Value(apiKey{}).(string)
	return id
}

// withRequestID stores the gateway's request id and the id of its API.
func withRequestID(ctx context.Context, requestID, apiID string) context.Context {
	return context.WithValue(web.WithRequestID(ctx, requestID), apiKey{}, apiID)
}

// statusWriter keeps the first status, as net/http does, and records whether there was one and how much was written.
type statusWriter struct {
	http.ResponseWriter
	written bool
	bytes   int // of the body
}

func (w *statusWriter) WriteHeader(status int) {
	if w.written || status < 200 {
		return
	}
	w.written = true
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if !w.written {
		w.WriteHeader(http.StatusOK)
	}
	w.bytes += len(p)
	return w.ResponseWriter.Write(p)
}

// finishRequest completes the request as a server would: the method as it was sent, the host, and an address that
// net.SplitHostPort accepts.
func finishRequest(req *http.Request, method, host, sourceIP string) {
	req.Method = method
	if host != "" {
		req.Host, req.URL.Host = host, host
	}
	req.RemoteAddr = net.JoinHostPort(strings.Trim(sourceIP, "[]"), "0")
	req.Header.Del("Host") // a server removes it from the headers as well
}

// escapePath escapes characters that a URL path may not have. A REST API and a function URL send an encoded path, so a
// valid escape is kept. In the path of an HTTP API, which is decoded, each % is escaped before.
func escapePath(path string) string {
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		if c == '%' && i+2 < len(path) && isHex(path[i+1]) && isHex(path[i+2]) || isPathByte(c) {
			b.WriteByte(c)
			continue
		}
		const digits = "0123456789ABCDEF"
		b.WriteByte('%')
		b.WriteByte(digits[c>>4])
		b.WriteByte(digits[c&15])
	}
	return b.String()
}

// isMethod reports whether s may be the method of a request: letters only, like all methods of the
// service.
func isMethod(s string) bool {
	return s != "" &&
		!strings.ContainsFunc(s, func(c rune) bool { return (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') })
}

func isControl(c rune) bool { return c < ' ' || c == 0x7f }

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// isPathByte reports whether c may be unescaped in a path (RFC 3986: pchar and the slash).
func isPathByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.IndexByte("-._~!$&'()*+,;=:@/", c) >= 0
}
