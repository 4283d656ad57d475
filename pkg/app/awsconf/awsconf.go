// Package awsconf makes the AWS configuration of a function from its environment.
//
// It reads what Lambda sets and nothing else: no shared files, no metadata service, no profile. The
// general loader of the SDK costs a cold function more than the rest of its start. Programs that
// people run at their desk use that loader instead. The sub-packages make the clients, one package
// a service, since linking a client costs start-up even when it is never called.
package awsconf

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
)

// maxAttempts bounds the tries of one call, the first included.
const maxAttempts = 4

// Config returns the configuration for the region and credentials in the environment that getenv
// reads (AWS_REGION, AWS_DEFAULT_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
// AWS_SESSION_TOKEN). It makes no request.
func Config(getenv func(string) string) (aws.Config, error) {
	region := getenv("AWS_REGION")
	if region == "" {
		region = getenv("AWS_DEFAULT_REGION")
	}
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

// Endpoint returns the address that overrides the one of a service ("DYNAMODB", "S3", "SQS",
// "SESV2"), nil where AWS itself is meant. AWS_ENDPOINT_URL_<service> goes before AWS_ENDPOINT_URL,
// as in the SDK.
func Endpoint(getenv func(string) string, service string) *string {
	for _, name := range []string{"AWS_ENDPOINT_URL_" + service, "AWS_ENDPOINT_URL"} {
		if address := getenv(name); address != "" {
			return &address
		}
	}
	return nil
}
