// Package cloud creates the resources of the template on emulators: table, bucket and queues.
package cloud

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	sestypes "github.com/aws/aws-sdk-go-v2/service/sesv2/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"headless/pkg/app/awsconf"
	"headless/pkg/app/awsconf/awsdynamodb"
	"headless/pkg/app/awsconf/awss3"
	"headless/pkg/app/awsconf/awssesv2"
	"headless/pkg/app/awsconf/awssqs"
	"headless/scripts/internal/template"
)

// Cloud has the clients of the emulators and creates resources whose names start with Prefix.
type Cloud struct {
	Prefix  string
	Tables  *dynamodb.Client
	Streams *dynamodbstreams.Client
	Buckets *s3.Client
	Queues  *sqs.Client
	Mail    *sesv2.Client
}

// New returns a Cloud with the endpoints in the environment, like those of a function.
func New(prefix string, getenv func(string) string) (*Cloud, error) {
	cfg, err := awsconf.Config(getenv)
	if err != nil {
		return nil, err
	}
	return &Cloud{
		Prefix: prefix, Tables: awsdynamodb.New(cfg, getenv), Buckets: awss3.New(cfg, getenv),
		Queues: awssqs.New(cfg, getenv), Mail: awssesv2.New(cfg, getenv),
		Streams: dynamodbstreams.NewFromConfig(cfg, func(o *dynamodbstreams.Options) {
			o.BaseEndpoint = awsconf.Endpoint(getenv, "DYNAMODB") // DynamoDB Local serves both
		}),
	}, nil
}

// Make creates all missing tables, buckets and queues of the template. It returns the values of the
// template's names.
func (c *Cloud) Make(ctx context.Context, t *template.Template,
	parameters map[string]string) (template.Scope, error) {
	s := template.Scope{Parameters: parameters, Refs: map[string]string{}, Attributes: map[string]string{}}
	makers := []struct {
		kind string
		make func(context.Context, *template.Template, template.Resource, template.Scope) error
	}{{"AWS::DynamoDB::Table", c.table}, {"AWS::S3::Bucket", c.bucket}, {"AWS::SQS::Queue", c.queue}}
	for _, m := range makers {
		for _, r := range redriveLast(t.Resources(m.kind)) {
			if err := m.make(ctx, t, r, s); err != nil {
				return s, fmt.Errorf("%s: %w", r.ID, err)
			}
		}
	}
	return s, c.sender(ctx, t, s)
}

// sender verifies the sender address of mails, which its owner must do once on AWS.
func (c *Cloud) sender(ctx context.Context, t *template.Template, s template.Scope) error {
	from, err := t.Eval(map[string]any{"Ref": "MailFrom"}, s)
	if err != nil {
		return err
	}
	address := fmt.Sprint(from)
	_, err = c.Mail.CreateEmailIdentity(ctx, &sesv2.CreateEmailIdentityInput{EmailIdentity: &address})
	if _, ok := errors.AsType[*sestypes.AlreadyExistsException](err); ok {
		return nil
	}
	return err
}

// name returns the name of a resource on the emulators.
func (c *Cloud) name(r template.Resource) string { return strings.ToLower(c.Prefix + "-" + r.ID) }

func (c *Cloud) table(ctx context.Context, t *template.Template, r template.Resource,
	s template.Scope) error {
	name := c.name(r)
	var keys []types.KeySchemaElement
	for _, k := range list(r.Properties()["KeySchema"]) {
		keys = append(keys, types.KeySchemaElement{AttributeName: text(k, "AttributeName"),
			KeyType: types.KeyType(*text(k, "KeyType"))})
	}
	var attributes []types.AttributeDefinition
	for _, a := range list(r.Properties()["AttributeDefinitions"]) {
		attributes = append(attributes,
			types.AttributeDefinition{AttributeName: text(a, "AttributeName"),
				AttributeType: types.ScalarAttributeType(*text(a, "AttributeType"))})
	}
	_, err := c.Tables.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: &name, KeySchema: keys, AttributeDefinitions: attributes,
		BillingMode: types.BillingModePayPerRequest,
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: types.StreamViewTypeKeysOnly},
	})
	var exists *types.ResourceInUseException
	if err != nil && !errors.As(err, &exists) {
		return err
	}
	table := &dynamodb.DescribeTableInput{TableName: &name}
	if err := dynamodb.NewTableExistsWaiter(c.Tables).Wait(ctx, table, 30*time.Second); err != nil {
		return err
	}
	out, err := c.Tables.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		return err
	}
	if ttl, _ := r.Properties()["TimeToLiveSpecification"].(map[string]any); ttl != nil && exists == nil {
		_, err = c.Tables.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
			TableName: &name,
			TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: text(ttl,
				"AttributeName"), Enabled: aws.Bool(true)},
		})
	}
	s.Refs[r.ID] = name
	s.Attributes[r.ID+".Arn"] = aws.ToString(out.Table.TableArn)
	s.Attributes[r.ID+".StreamArn"] = aws.ToString(out.Table.LatestStreamArn)
	return err
}

func (c *Cloud) bucket(ctx context.Context, t *template.Template, r template.Resource,
	s template.Scope) error {
	name := c.name(r)
	_, err := c.Buckets.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: &name})
	var exists *s3types.BucketAlreadyOwnedByYou
	if err != nil && !errors.As(err, &exists) {
		return err
	}
	s.Refs[r.ID] = name
	s.Attributes[r.ID+".Arn"] = "arn:aws:s3:::" + name
	s.Attributes[r.ID+".RegionalDomainName"] = name + ".s3.us-east-1.amazonaws.com"
	return nil
}

func (c *Cloud) queue(ctx context.Context, t *template.Template, r template.Resource,
	s template.Scope) error {
	name := c.Prefix + "-" + r.ID // as the template names those that alarms look at
	attributes := map[string]string{}
	for _, a := range []string{"VisibilityTimeout", "MessageRetentionPeriod"} {
		if v, ok := r.Properties()[a]; ok {
			attributes[a] = fmt.Sprint(v)
		}
	}
	if redrive, ok := r.Properties()["RedrivePolicy"]; ok {
		v, err := t.Eval(redrive, s)
		if err != nil {
			return err
		}
		policy, _ := v.(map[string]any)
		attributes["RedrivePolicy"] = fmt.Sprintf(`{"deadLetterTargetArn":"%v","maxReceiveCount":"%v"}`,
			policy["deadLetterTargetArn"], policy["maxReceiveCount"])
	}
	made, err := c.Queues.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: &name, Attributes: attributes})
	if err != nil {
		return err
	}
	out, err := c.Queues.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{
		QueueUrl:       made.QueueUrl,
		AttributeNames: []sqstypes.QueueAttributeName{sqstypes.QueueAttributeNameQueueArn},
	})
	if err != nil {
		return err
	}
	s.Refs[r.ID] = *made.QueueUrl
	s.Attributes[r.ID+".Arn"] = out.Attributes["QueueArn"]
	s.Attributes[r.ID+".QueueName"] = name
	return nil
}

// redriveLast sorts queues with a dead-letter queue after their dead-letter queues.
func redriveLast(rs []template.Resource) []template.Resource {
	var first, last []template.Resource
	for _, r := range rs {
		if _, ok := r.Properties()["RedrivePolicy"]; ok {
			last = append(last, r)
		} else {
			first = append(first, r)
		}
	}
	return append(first, last...)
}

// list and text read the template's loosely typed values.
func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func text(v any, key string) *string {
	m, _ := v.(map[string]any)
	return aws.String(fmt.Sprint(m[key]))
}
