// Package awssqs makes the SQS client of a function.
package awssqs

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"headless/pkg/app/awsconf"
)

// New returns a client for cfg. Its endpoint is that in the environment, by default AWS's own.
func New(cfg aws.Config, getenv func(string) string) *sqs.Client {
	return sqs.NewFromConfig(cfg, func(o *sqs.Options) {
		o.BaseEndpoint = awsconf.Endpoint(getenv, "SQS")
	})
}
