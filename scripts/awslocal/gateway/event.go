package gateway

import (
	"encoding/base64"
	"mime"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
)

// event converts a request to the event of an HTTP API: the path decoded, the query string
// unchanged, header names in lower case with repeated headers joined by commas, cookies separate
// from the headers, and a body in base64 unless its type is textual.
func event(r *http.Request, body []byte, route Route, variables map[string]string, id string,
	now time.Time) events.APIGatewayV2HTTPRequest {
	host := r.Host
	address, _, _ := net.SplitHostPort(r.RemoteAddr)
	e := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: route.Key(), RawPath: r.URL.Path, RawQueryString: r.URL.RawQuery,
		Headers: headers(r, address), PathParameters: variables,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			RouteKey: route.Key(), AccountID: "000000000000", APIID: "local", Stage: "$default",
			RequestID:  id,
			DomainName: host, DomainPrefix: strings.SplitN(host, ".", 2)[0],
			Time: now.UTC().Format("02/Jan/2006:15:04:05 -0700"), TimeEpoch: now.UnixMilli(),
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method: r.Method, Path: r.URL.Path, Protocol: "HTTP/1.1", SourceIP: address,
				UserAgent: r.UserAgent(),
			},
		},
	}
	for _, line := range r.Header.Values("Cookie") {
		for _, cookie := range strings.Split(line, ";") {
			e.Cookies = append(e.Cookies, strings.TrimSpace(cookie))
		}
	}
	if query := r.URL.Query(); len(query) > 0 {
		e.QueryStringParameters = map[string]string{}
		for name, values := range query {
			e.QueryStringParameters[name] = strings.Join(values, ",")
		}
	}
	if len(body) > 0 {
		if e.IsBase64Encoded = !textual(r.Header) || !utf8.Valid(body); e.IsBase64Encoded {
			e.Body = base64.StdEncoding.EncodeToString(body)
		} else {
			e.Body = string(body)
		}
	}
	return e
}

func headers(r *http.Request, address string) map[string]string {
	out := map[string]string{"host": r.Host}
	for name, values := range r.Header {
		if name != "Cookie" {
			out[strings.ToLower(name)] = strings.Join(values, ",")
		}
	}
	if r.ContentLength > 0 || r.Method == http.MethodPost || r.Method == http.MethodPut ||
		r.Method == http.MethodPatch {
		out["content-length"] = strconv.FormatInt(max(0, r.ContentLength), 10)
	}
	_, port, _ := net.SplitHostPort(r.Host)
	out["x-forwarded-port"], out["x-forwarded-proto"] = port, "http"
	if before := out["x-forwarded-for"]; before != "" {
		address = before + ", " + address
	}
	out["x-forwarded-for"] = address
	return out
}

// textual reports whether API Gateway passes a body as text. Forms are not among these types.
func textual(h http.Header) bool {
	if h.Get("Content-Encoding") != "" {
		return false
	}
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		return false
	}
	switch kind {
	case "application/json", "application/javascript", "application/xml", "application/vnd.api+json":
		return true
	}
	return strings.HasPrefix(kind, "text/")
}
