package awsdynamodb

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"headless/pkg/table"
	"headless/pkg/table/dynamo"
)

// TestStalledCallIsRepeated: calls once shared the 20 s that an upload to S3 may take, so a stalled
// connection held a request until the gateway gave up.
func TestStalledCallIsRepeated(t *testing.T) {
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			_, _ = io.Copy(io.Discard, r.Body) // the server notices only then that the client leaves
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		_, _ = w.Write([]byte(`{"Item":{"pk":{"S":"p"},"sk":{"B":"YQ=="}}}`))
	}))
	defer server.Close()
	cfg := aws.Config{Region: "us-east-1", HTTPClient: awshttp.NewBuildableClient(),
		Credentials: credentials.NewStaticCredentialsProvider("a", "b", "")}
	getenv := func(name string) string {
		return map[string]string{"DYNAMODB_ENDPOINT": server.URL, "AWS_ENDPOINT_URL_DYNAMODB": server.URL}[name]
	}
	items, err := dynamo.New(newClient(cfg, getenv, 50*time.Millisecond), "t").Get(t.Context(), table.Strong,
		table.Key{Partition: "p", Sort: "a"})
	if err != nil || items[0] == nil || calls.Load() != 2 {
		t.Errorf("got %v, %v after %d calls", items, err, calls.Load())
	}
}

func TestCallTime(t *testing.T) {
	client := New(aws.Config{HTTPClient: awshttp.NewBuildableClient().WithTimeout(time.Minute)},
		func(string) string { return "" })
	got := client.Options().HTTPClient.(*awshttp.BuildableClient).GetTimeout()
	if got != callTime || callTime*6 > 29*time.Second { // the port makes at most 6 attempts
		t.Errorf("a call may take %s", got)
	}
}
