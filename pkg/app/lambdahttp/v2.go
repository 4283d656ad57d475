package lambdahttp

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/awslabs/aws-lambda-go-api-proxy/core"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"

	"headless/pkg/cms"
)

// serveV2 answers an event of an HTTP API or of a function URL.
func (h Handler) serveV2(ctx context.Context, event events.APIGatewayV2HTTPRequest) ([]byte, error) {
	req, err := requestV2(ctx, event)
	if err != nil {
		headers := oneHeader(event.RequestContext.RequestID, func(v string) string { return v })
		return cms.Marshal(events.APIGatewayV2HTTPResponse{StatusCode: http.StatusBadRequest,
			Headers: headers, Body: malformedBody})
	}
	w := serve(h, core.NewProxyResponseWriterV2, req)
	answer, err := w.GetProxyResponse()
	if err != nil {
		return nil, fmt.Errorf("lambdahttp: %w", err)
	}
	// Behind a function URL, some emulators drop the list of cookies. A single cookie can be sent
	// as a header everywhere.
	if fromFunctionURL(event) && len(answer.Cookies) == 1 {
		answer.Headers["Set-Cookie"], answer.Cookies = answer.Cookies[0], nil
	}
	return encodeAnswer(answer, func(body string) any {
		answer.StatusCode, answer.Body, answer.IsBase64Encoded = http.StatusRequestEntityTooLarge, body, false
		errorHeaders(answer.Headers, func(v string) string { return v })
		return answer
	})
}

// requestV2 uses the adapter to make the request and then corrects it: the adapter splits every
// header at its commas, writes each cookie as a separate line, takes the path as encoded
// although an HTTP API has decoded it, and takes "get" as GET.
func requestV2(ctx context.Context, event events.APIGatewayV2HTTPRequest) (*http.Request, error) {
	if !isMethod(event.RequestContext.HTTP.Method) || strings.ContainsFunc(event.RawQueryString, isControl) {
		return nil, errNotHTTP // the adapter would log the whole event
	}
	headers, cookies := event.Headers, event.Cookies
	event.Headers, event.Cookies = nil, nil
	if !fromFunctionURL(event) {
		event.RawPath = strings.ReplaceAll(event.RawPath, "%", "%25")
	}
	event.RawPath = escapePath(event.RawPath)
	req, err := httpadapter.NewV2(nil).EventToRequestWithContext(withRequestID(ctx, event.RequestContext.RequestID,
		event.RequestContext.APIID), event)
	if err != nil {
		return nil, err
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	if len(cookies) > 0 {
		req.Header.Set("Cookie", strings.Join(cookies, "; "))
	}
	by := event.RequestContext.HTTP
	finishRequest(req, by.Method, event.RequestContext.DomainName, by.SourceIP)
	return req, nil
}

// fromFunctionURL reports whether an event is from a function URL. Events of an HTTP API have the
// same form, but another host name.
func fromFunctionURL(event events.APIGatewayV2HTTPRequest) bool {
	return strings.Contains(event.RequestContext.DomainName, ".lambda-url.")
}
