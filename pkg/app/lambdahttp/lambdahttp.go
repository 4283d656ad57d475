// Package lambdahttp serves an http.Handler as a Lambda function.
//
// A function accepts the events of an HTTP API (payload 2.0), of a REST API (payload 1.0) and of a
// function URL. It distinguishes them by their content, so that the same binary runs behind each.
// Handlers see the same request in each case: the headers as the client sent them, one Cookie line,
// an encoded path, and an IP address with a port in RemoteAddr.
package lambdahttp

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"headless/pkg/cms"
)

// maxResponse is the maximum size in bytes of the JSON of a response in Lambda; a binary body
// counts in base64.
const maxResponse = 6 * 1024 * 1024

// Handler is a lambda.Handler that answers gateway events with an http.Handler.
type Handler struct{ http http.Handler }

// New returns a Handler for h.
func New(h http.Handler) Handler { return Handler{http: h} }

var errNotHTTP = errors.New("lambdahttp: the event is not from an HTTP API, a REST API or a function URL")

// answerTime is how long before the end of an invocation its request ends, so that the handler and
// not the gateway responds if the storage is slow.
const answerTime = time.Second

// Invoke answers one event. It returns an error for other kinds of event.
func (h Handler) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-answerTime))
		defer cancel()
	}
	var v2 events.APIGatewayV2HTTPRequest
	// A REST event decodes too (or fails on a field of another type), but has no
	// requestContext.http.
	if err := json.Unmarshal(payload, &v2); err == nil && v2.RequestContext.HTTP.Method != "" {
		return h.serveV2(ctx, v2)
	}
	var v1 events.APIGatewayProxyRequest
	if err := json.Unmarshal(payload, &v1); err != nil || v1.HTTPMethod == "" {
		return nil, errNotHTTP
	}
	return h.serveV1(ctx, v1)
}

// encodeAnswer writes a response as JSON, without HTML escapes, which would enlarge a page or a document.
// A response above Lambda's limit is replaced by an error for the client, since Lambda would
// respond with a 502 without details.
func encodeAnswer(answer any, tooLarge func(body string) any) ([]byte, error) {
	out, err := cms.Marshal(answer)
	if err != nil || len(out) <= maxResponse {
		return out, err
	}
	return cms.Marshal(tooLarge(`{"data":null,"error":{"code":"PAYLOAD_TOO_LARGE",` +
		`"message":"The answer is larger than 6 MB. Ask for fewer items with per_page, or for fewer keys with fields."}}`))
}

// errorHeaders converts the headers of a response to those of an error: headers that describe the body
// are replaced.
func errorHeaders[V any](headers map[string]V, value func(string) V) {
	maps.DeleteFunc(headers, func(name string, _ V) bool {
		return name == "Etag" || strings.HasPrefix(name, "Content-") && name != "Content-Security-Policy"
	})
	headers["Content-Type"], headers["Cache-Control"] = value("application/json; charset=utf-8"),
		value("no-store")
}

// malformedBody is the response to an invalid HTTP request, such as a query with a control
// character. A server refuses it before any handler; an error of the function would be a 500 for
// the client.
const malformedBody = `{"data":null,"error":{"code":"BAD_REQUEST","message":"The request is malformed."}}`

func oneHeader[V any](requestID string, value func(string) V) map[string]V {
	headers := map[string]V{"X-Request-Id": value(requestID)}
	errorHeaders(headers, value)
	return headers
}
