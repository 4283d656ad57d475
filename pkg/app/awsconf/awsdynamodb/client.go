// Package awsdynamodb makes the DynamoDB client of a function.
package awsdynamodb

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"headless/pkg/app/awsconf"
)

// New returns a client for cfg. Its endpoint is that in the environment, by default AWS's own.
func New(cfg aws.Config, getenv func(string) string) *dynamodb.Client {
	return dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
		o.BaseEndpoint = awsconf.Endpoint(getenv, "DYNAMODB")
		// DynamoDB Local sends wrong checksums with its errors.
		o.DisableValidateResponseChecksum = o.BaseEndpoint != nil
	})
}
