// Package awsconf makes the AWS configuration of a function from its environment.
//
// It reads only what Lambda sets: no shared files, no metadata service, no profile. The SDK's
// general loader takes longer in a cold function than the rest of its start. Programs on a
// developer's machine use that loader instead. Each subpackage makes the client of one service,
// since linking a client costs start-up time even if it is never used.
package awsconf

import (
	"cmp"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
)

// maxAttempts is the maximum number of attempts of one call, including the first.
const maxAttempts = 4

// Config returns the configuration for the region and credentials in the environment that getenv
// reads (AWS_REGION, AWS_DEFAULT_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
// AWS_SESSION_TOKEN). It makes no request.
func Config(getenv func(string) string) (aws.Config, error) {
	region := cmp.Or(getenv("AWS_REGION"), getenv("AWS_DEFAULT_REGION"))
	id, secret := getenv("AWS_ACCESS_KEY_ID"), getenv("AWS_SECRET_ACCESS_KEY")
	switch {
	case region == "":
		return aws.Config{}, errors.New("awsconf: AWS_REGION is not set")
	case id == "" || secret == "":
		return aws.Config{}, errors.New("awsconf: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set")
	}
	return aws.Config{
		Region:           region,
		Credentials:      credentials.NewStaticCredentialsProvider(id, secret, getenv("AWS_SESSION_TOKEN")),
		HTTPClient:       httpClient(),
		RetryMode:        aws.RetryModeStandard,
		RetryMaxAttempts: maxAttempts,
	}, nil
}

// Endpoint returns the URL that overrides the endpoint of a service ("DYNAMODB", "S3", "SQS",
// "SESV2"), nil for AWS's own. AWS_ENDPOINT_URL_<service> has precedence over AWS_ENDPOINT_URL, as
// in the SDK.
func Endpoint(getenv func(string) string, service string) *string {
	for _, name := range []string{"AWS_ENDPOINT_URL_" + service, "AWS_ENDPOINT_URL"} {
		if address := getenv(name); address != "" {
			return &address
		}
	}
	return nil
}
