// Package awssesv2 makes the client of the mail service (SES, API version 2) of a function.
package awssesv2

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"headless/pkg/app/awsconf"
)

// New returns a client for cfg. Its endpoint is that in the environment, by default AWS's own.
func New(cfg aws.Config, getenv func(string) string) *sesv2.Client {
	return sesv2.NewFromConfig(cfg, func(o *sesv2.Options) {
		o.BaseEndpoint = awsconf.Endpoint(getenv, "SESV2")
	})
}
