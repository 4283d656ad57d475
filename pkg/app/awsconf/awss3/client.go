// Package awss3 makes the S3 client of a function.
package awss3

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"headless/pkg/app/awsconf"
)

// New returns a client for cfg. Its endpoint is that in the environment, by default AWS's own.
func New(cfg aws.Config, getenv func(string) string) *s3.Client {
	return s3.NewFromConfig(cfg, func(o *s3.Options) {
		o.BaseEndpoint = awsconf.Endpoint(getenv, "S3")
		o.UsePathStyle = o.BaseEndpoint != nil // emulators do not support a bucket as host name
		o.DisableLogOutputChecksumValidationSkipped = true
	})
}
