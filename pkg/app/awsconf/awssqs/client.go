// Package awssqs makes the SQS client of a function.
package awssqs

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"headless/pkg/app/awsconf"
)

// New returns a client for cfg at the endpoint that the environment names, AWS's own by default.
func New(cfg aws.Config, getenv func(string) string) *sqs.Client {
	return sqs.NewFromConfig(cfg, func(o *sqs.Options) {
		o.BaseEndpoint = awsconf.Endpoint(getenv, "SQS")
	})
}
