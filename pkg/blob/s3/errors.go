package s3

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"headless/pkg/blob"
)

// storeError converts errors to those of the port, and returns others unchanged.
func storeError(err error) error {
	var unsent *smithyhttp.RequestSendError
	var quota ratelimit.QuotaExceededError
	switch status := statusOf(err); {
	case err == nil:
		return nil
	case status == http.StatusNotFound:
		return fmt.Errorf("%w: %w", blob.ErrNotFound, err)
	case status >= 500, status == http.StatusTooManyRequests, errors.As(err, &unsent), errors.As(err, &quota):
		return fmt.Errorf("%w: %w", blob.ErrUnavailable, err)
	}
	return err
}

// statusOf returns the HTTP status of an error, 0 without a response.
func statusOf(err error) int {
	if response, ok := errors.AsType[*awshttp.ResponseError](err); ok {
		return response.HTTPStatusCode()
	}
	return 0
}
