package sqs_test

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/uuid"

	"headless/pkg/must"
	"headless/pkg/queue"
	"headless/pkg/queue/queuetest"
	"headless/pkg/queue/sqs"
)

func client(endpoint string, attempts int) *awssqs.Client {
	return awssqs.New(awssqs.Options{
		Region:           "us-east-1",
		BaseEndpoint:     aws.String(endpoint),
		RetryMaxAttempts: attempts,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}, nil
		}),
	})
}

// TestConformance runs on the SQS or emulator at SQS_ENDPOINT.
func TestConformance(t *testing.T) {
	endpoint := os.Getenv("SQS_ENDPOINT")
	if endpoint == "" {
		t.Skip("SQS_ENDPOINT names no SQS; the answers of one are played by the other tests")
	}
	queuetest.Run(t, func(t *testing.T) queuetest.Harness {
		c := client(endpoint, 3)
		created, err := c.CreateQueue(t.Context(), &awssqs.CreateQueueInput{
			QueueName:  aws.String("conformance-" + uuid.NewString()),
			Attributes: map[string]string{"VisibilityTimeout": "1"},
		})
		must.Do(t, err)
		t.Cleanup(func() {
			if _, err := c.DeleteQueue(context.Background(), &awssqs.DeleteQueueInput{QueueUrl: created.QueueUrl}); err != nil {
				t.Errorf("DeleteQueue: %v", err)
			}
		})
		return queuetest.Harness{
			Queue: sqs.New(c, *created.QueueUrl),
			Consume: func(ctx context.Context, h func(context.Context, queue.Message) error) {
				consume(ctx, t, c, *created.QueueUrl, h)
			},
			Now:     time.Now,
			Advance: func(time.Duration) {},
		}
	})
}

// TestLenOnSQS counts on the SQS or emulator at SQS_ENDPOINT.
func TestLenOnSQS(t *testing.T) {
	endpoint := os.Getenv("SQS_ENDPOINT")
	if endpoint == "" {
		t.Skip("SQS_ENDPOINT names no SQS; TestLen plays its answers")
	}
	c := client(endpoint, 3)
	created, err := c.CreateQueue(t.Context(),
		&awssqs.CreateQueueInput{QueueName: aws.String("length-" + uuid.NewString())})
	must.Do(t, err)
	t.Cleanup(func() {
		if _, err := c.DeleteQueue(context.Background(), &awssqs.DeleteQueueInput{QueueUrl: created.QueueUrl}); err != nil {
			t.Errorf("DeleteQueue: %v", err)
		}
	})
	q := sqs.New(c, *created.QueueUrl)
	for _, want := range []int{0, 12} {
		must.Do(t, q.Send(t.Context(), messages(want)...))
		if n, err := q.Len(t.Context()); n != want || err != nil {
			t.Errorf("%d messages, %v; want %d", n, err, want)
		}
	}
}

func TestLen(t *testing.T) {
	for answer, want := range map[string]struct {
		n  int
		ok bool
	}{
		`{"Attributes": {"ApproximateNumberOfMessages": "12"}}`: {12, true},
		`{"Attributes": {"ApproximateNumberOfMessages": "0"}}`:  {0, true},
		`{}`: {0, false},
		`{"__type": "com.amazonaws.sqs#QueueDoesNotExist"}`: {0, false},
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var in struct {
				QueueURL       string `json:"QueueUrl"`
				AttributeNames []string
			}
			if err := json.NewDecoder(r.Body).Decode(&in); err != nil ||
				len(in.AttributeNames) != 1 || !strings.HasSuffix(in.QueueURL, "/q") {
				t.Errorf("%+v, %v", in, err)
			}
			w.Header().Set("Content-Type", "application/x-amz-json-1.0")
			if strings.Contains(answer, "__type") {
				w.WriteHeader(http.StatusBadRequest)
			}
			fmt.Fprint(w, answer)
		}))
		if n, err := sqs.New(client(srv.URL, 1), srv.URL+"/q").Len(t.Context()); n != want.n ||
			(err == nil) != want.ok {
			t.Errorf("%s: %d, %v", answer, n, err)
		}
		srv.Close()
	}
}

// consume does what SQS and Lambda do together: it deletes the messages that h has handled.
func consume(ctx context.Context, t *testing.T, c *awssqs.Client, url string,
	h func(context.Context, queue.Message) error) {
	for ctx.Err() == nil {
		got, err := c.ReceiveMessage(ctx, &awssqs.ReceiveMessageInput{
			QueueUrl: &url, MaxNumberOfMessages: 10, WaitTimeSeconds: 1,
			MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameMessageGroupId},
		})
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			t.Errorf("ReceiveMessage: %v", err)
			return
		}
		for _, m := range got.Messages {
			msg := queue.Message{Body: []byte(*m.Body), Group: m.Attributes["MessageGroupId"]}
			if h(ctx, msg) != nil {
				continue // visible again after the timeout
			}
			if _, err := c.DeleteMessage(ctx,
				&awssqs.DeleteMessageInput{QueueUrl: &url, ReceiptHandle: m.ReceiptHandle}); err != nil &&
				ctx.Err() == nil {
				t.Errorf("DeleteMessage: %v", err)
			}
		}
	}
}

// batch is the request of a SendMessageBatch.
type batch struct {
	Entries []struct {
		ID             string `json:"Id"`
		MessageBody    string
		DelaySeconds   int
		MessageGroupID string `json:"MessageGroupId"`
	}
}

// standIn answers batches: refuse gives the error code and whose fault it is, code "" accepts, code
// "down" fails the request.
func standIn(t *testing.T, refuse func(call int, body string) (code string,
	sender bool)) (*sqs.Queue, *[]batch) {
	var calls []batch
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if target := r.Header.Get("X-Amz-Target"); !strings.HasSuffix(target, ".SendMessageBatch") {
			t.Errorf("unexpected call %q", target)
		}
		var in batch
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		calls = append(calls, in)
		out := map[string][]map[string]any{"Successful": {}, "Failed": {}}
		for _, e := range in.Entries {
			switch code, sender := refuse(len(calls), e.MessageBody); code {
			case "down":
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			case "":
				sum := md5.Sum([]byte(e.MessageBody))
				out["Successful"] = append(out["Successful"],
					map[string]any{"Id": e.ID, "MessageId": "m",
						"MD5OfMessageBody": hex.EncodeToString(sum[:])})
			default:
				out["Failed"] = append(out["Failed"],
					map[string]any{"Id": e.ID, "Code": code, "SenderFault": sender})
			}
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		if err := json.NewEncoder(w).Encode(out); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(srv.Close)
	return sqs.New(client(srv.URL, 1), srv.URL+"/q"), &calls
}

func messages(n int) []queue.Message {
	out := make([]queue.Message, n)
	for i := range out {
		out[i].Body = fmt.Append(nil, i)
	}
	return out
}

func TestFailures(t *testing.T) {
	accept := func(int, string) (string, bool) { return "", false }
	tests := map[string]struct {
		refuse func(call int, body string) (string, bool)
		sizes  string // of the batches sent
		failed string // positions
	}{
		"none": {accept, "[10 10 5]", "[]"},
		"two refused for the moment": {func(call int, body string) (string, bool) {
			if call == 1 && (body == "3" || body == "7") {
				return "ServiceUnavailable", false
			}
			return "", false
		}, "[10 2 10 5]", "[]"},
		"one refused for good": {func(_ int, body string) (string, bool) {
			if body == "12" {
				return "InvalidMessageContents", true
			}
			return "", false
		}, "[10 10 5]", "[12]"},
		"one refused every time": {func(_ int, body string) (string, bool) {
			if body == "24" {
				return "InternalError", false
			}
			return "", false
		}, "[10 10 5 1 1 1]", "[24]"},
		"down from the second batch on": {func(call int, _ string) (string, bool) {
			if call >= 2 {
				return "down", false
			}
			return "", false
		}, "[10 10]", "[10 11 12 13 14 15 16 17 18 19 20 21 22 23 24]"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q, calls := standIn(t, tc.refuse)
			err := q.Send(t.Context(), messages(25)...)
			var failed queue.SendError
			if p, ok := errors.AsType[*queue.SendError](err); ok {
				failed = *p
			} else if err != nil {
				t.Fatalf("Send: %v", err)
			}
			if got := fmt.Sprint(failed.Failed); got != tc.failed {
				t.Errorf("failed %s (%v), want %s", got, failed.Err, tc.failed)
			}
			var sizes []int
			for _, c := range *calls {
				sizes = append(sizes, len(c.Entries))
			}
			if got := fmt.Sprint(sizes); got != tc.sizes {
				t.Errorf("batches %s, want %s", got, tc.sizes)
			}
		})
	}
}

func TestRequest(t *testing.T) {
	q, calls := standIn(t, func(int, string) (string, bool) { return "", false })
	big := []byte(strings.Repeat("x", queue.MaxBody))
	err := q.Send(t.Context(),
		queue.Message{Body: []byte("a"), Group: "sub-1", Delay: 4300 * time.Millisecond},
		queue.Message{Body: []byte("b"), Delay: 24 * time.Hour},
		queue.Message{Body: big}, queue.Message{Body: big}, queue.Message{Body: big},
		queue.Message{Body: big})
	must.Do(t, err)
	if len(*calls) != 2 || len((*calls)[0].Entries) != 5 {
		t.Fatalf("%d batches, want 5 and 1 messages, for their size", len(*calls))
	}
	a, b := (*calls)[0].Entries[0], (*calls)[0].Entries[1]
	if a.DelaySeconds != 5 || a.MessageGroupID != "sub-1" {
		t.Errorf("entry %+v: want 5 s, rounded up, and the group", a)
	}
	if b.DelaySeconds != 900 || b.MessageGroupID != "" {
		t.Errorf("entry %+v: want 900 s and no group", b)
	}
}
