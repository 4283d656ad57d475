package dynamo_test

import (
	"context"
	"crypto/rand"
	"os"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/dynamo"
	"headless/pkg/table/tabletest"
)

// client talks to an emulator, which keeps the data of each access key apart.
func client(endpoint, accessKey string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: &endpoint,
		Region:       "us-east-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: accessKey, SecretAccessKey: "test"}, nil
		}),
		DisableValidateResponseChecksum: true, // DynamoDB Local sends wrong ones
	})
}

// created makes a table that no other test sees.
func created(t *testing.T, endpoint string) *dynamodb.Client {
	t.Helper()
	c := client(endpoint, rand.Text())
	must.Do(t, dynamo.Create(t.Context(), c, "content", false))
	return c
}

// TestConformance runs against the emulator at DYNAMODB_ENDPOINT, if set (make test-aws
// starts it), and in any case checks requests and the handling of errors against a scripted
// endpoint.
func TestConformance(t *testing.T) {
	suites := map[string]func(*testing.T){"scripted": testScripted}
	if endpoint := os.Getenv("DYNAMODB_ENDPOINT"); endpoint != "" {
		suites["emulator"] = func(t *testing.T) {
			tabletest.Run(t, func(t *testing.T) table.Table {
				return dynamo.New(created(t, endpoint), "content", dynamo.WithRetryDelay(5*time.Millisecond))
			})
		}
		suites["create"] = func(t *testing.T) { testCreate(t, endpoint) }
		suites["capacity"] = func(t *testing.T) { testCapacity(t, endpoint) }
	}
	for name, suite := range suites {
		t.Run(name, suite)
	}
}

// testCreate makes the table with a stream, and finds it made the second time.
func testCreate(t *testing.T, endpoint string) {
	c := client(endpoint, rand.Text())
	for range 2 {
		must.Do(t, dynamo.Create(t.Context(), c, "content", true))
	}
	out, err := c.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("content")})
	if err != nil || !*out.Table.StreamSpecification.StreamEnabled {
		t.Errorf("no stream: %v", err)
	}
	ttl, err := c.DescribeTimeToLive(t.Context(),
		&dynamodb.DescribeTimeToLiveInput{TableName: aws.String("content")})
	if err != nil || *ttl.TimeToLiveDescription.AttributeName != table.AttrExpires {
		t.Errorf("no expiry: %v", err)
	}
}
