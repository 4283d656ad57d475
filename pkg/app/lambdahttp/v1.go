package lambdahttp

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"github.com/aws/aws-lambda-go/events"
	"github.com/awslabs/aws-lambda-go-api-proxy/core"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"

	"headless/pkg/cms"
)

// serveV1 answers an event of a REST API. The response has only keys that API Gateway accepts; any
// other key would cause a 502.
func (h Handler) serveV1(ctx context.Context, event events.APIGatewayProxyRequest) ([]byte, error) {
	event.Path = escapePath(event.Path)
	if !isMethod(event.HTTPMethod) {
		return refuseV1(event)
	}
	req, err := httpadapter.New(nil).EventToRequestWithContext(withRequestID(ctx, event.RequestContext.RequestID,
		event.RequestContext.APIID), event)
	if err != nil {
		return refuseV1(event)
	}
	host := cmp.Or(req.Header.Get("Host"), event.RequestContext.DomainName)
	req.URL.RawQuery = req.URL.Query().Encode() // the event has no order, so sort by name
	finishRequest(req, event.HTTPMethod, host, event.RequestContext.Identity.SourceIP)
	w := serve(h, core.NewProxyResponseWriter, req)
	answer, err := w.GetProxyResponse()
	if err != nil {
		return nil, fmt.Errorf("lambdahttp: %w", err)
	}
	return encodeAnswer(restAnswer{answer.StatusCode, answer.MultiValueHeaders, answer.Body,
		answer.IsBase64Encoded}, func(body string) any {
		errorHeaders(answer.MultiValueHeaders, func(v string) []string { return []string{v} })
		return restAnswer{StatusCode: http.StatusRequestEntityTooLarge, Headers: answer.MultiValueHeaders, Body: body}
	})
}

func refuseV1(event events.APIGatewayProxyRequest) ([]byte, error) {
	headers := oneHeader(event.RequestContext.RequestID, func(v string) []string { return []string{v} })
	return cms.Marshal(restAnswer{StatusCode: http.StatusBadRequest, Headers: headers, Body: malformedBody})
}

// restAnswer omits the single-valued headers, which the library's type writes as null.
type restAnswer struct {
	StatusCode int                 `json:"statusCode"`
	Headers    map[string][]string `json:"multiValueHeaders"`
	Body       string              `json:"body"`
	Base64     bool                `json:"isBase64Encoded"`
}
