// Package awsdynamodb makes the DynamoDB client of a function.
package awsdynamodb

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"headless/pkg/app/awsconf"
)

// callTime is the longest time for one call. DynamoDB answers within milliseconds, so a call without
// an answer has a broken connection. The port repeats it, often enough within the 29 s of a request.
const callTime = 3 * time.Second

// New returns a client for cfg. Its endpoint is that in the environment, by default AWS's own.
func New(cfg aws.Config, getenv func(string) string) *dynamodb.Client {
	return newClient(cfg, getenv, callTime)
}

func newClient(cfg aws.Config, getenv func(string) string, timeout time.Duration) *dynamodb.Client {
	return dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
		o.BaseEndpoint = awsconf.Endpoint(getenv, "DYNAMODB")
		// DynamoDB Local sends wrong checksums with its errors.
		o.DisableValidateResponseChecksum = o.BaseEndpoint != nil
		if client, ok := o.HTTPClient.(*awshttp.BuildableClient); ok {
			o.HTTPClient = client.WithTimeout(timeout)
		}
	})
}
