// Package awscloudfront makes the CloudFront client of a function.
package awscloudfront

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudfront"

	"headless/pkg/app/awsconf"
)

// New returns a client for cfg. Its endpoint is that in the environment, by default AWS's own.
func New(cfg aws.Config, getenv func(string) string) *cloudfront.Client {
	return cloudfront.NewFromConfig(cfg, func(o *cloudfront.Options) {
		o.BaseEndpoint = awsconf.Endpoint(getenv, "CLOUDFRONT")
	})
}
