package s3_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	sdk "github.com/aws/aws-sdk-go-v2/service/s3"

	"headless/pkg/blob"
	"headless/pkg/blob/blobtest"
	"headless/pkg/blob/s3"
	"headless/pkg/must"
)

// client talks to an emulator, with the keys that scripts/tools/versitygw.sh gives it.
func client(endpoint string) *sdk.Client {
	return sdk.New(sdk.Options{
		BaseEndpoint: &endpoint,
		Region:       "us-east-1",
		UsePathStyle: true,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "testtest"}, nil
		}),
		Retryer: aws.NopRetryer{}, // the tests of errors need not wait
	})
}

// TestConformance runs where an emulator is given, as `make test-aws` does.
func TestConformance(t *testing.T) {
	endpoint := os.Getenv("S3_ENDPOINT")
	if endpoint == "" {
		return
	}
	buckets := client(endpoint)
	blobtest.Run(t, func(t *testing.T) blob.Store {
		name := bucketName(t)
		if _, err := buckets.CreateBucket(t.Context(), &sdk.CreateBucketInput{Bucket: &name}); err != nil {
			t.Fatal(err)
		}
		return s3.New(buckets, name)
	})
}

func bucketName(t *testing.T) string {
	_, name, _ := strings.Cut(t.Name(), "/")
	return "test-" + strings.ToLower(name) + "-" + time.Now().Format("150405-000000000")
}

func TestErrors(t *testing.T) {
	tests := []struct {
		status int
		want   error
	}{
		{http.StatusNotFound, blob.ErrNotFound},
		{http.StatusServiceUnavailable, blob.ErrUnavailable},
		{http.StatusInternalServerError, blob.ErrUnavailable},
		{http.StatusTooManyRequests, blob.ErrUnavailable},
	}
	for _, test := range tests {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
			_ *http.Request) {
			w.WriteHeader(test.status)
		}))
		store := s3.New(client(server.URL), "bucket")
		if _, err := store.Stat(t.Context(), "media/a"); !errors.Is(err, test.want) {
			t.Errorf("status %d: %v", test.status, err)
		}
		server.Close()
		if _, err := store.Stat(t.Context(), "media/a"); !errors.Is(err, blob.ErrUnavailable) {
			t.Errorf("no server: %v", err)
		}
	}
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s3.New(client("http://127.0.0.1:1"), "bucket").Stat(ctx, "media/a"); !errors.Is(err,
		context.Canceled) {
		t.Errorf("Stat = %v", err)
	}
}

// TestPresign checks the signed parts of a request, without any server.
func TestPresign(t *testing.T) {
	store := s3.New(client("http://127.0.0.1:1"), "bucket")
	signed, err := store.PresignUpload(t.Context(), "media/a", blob.Upload{
		Size: 10, Meta: blob.Meta{ContentType: "image/png", Disposition: "inline",
			CacheControl: "private"}, Expires: time.Now().Add(time.Minute),
	})
	must.Do(t, err)
	const want = "X-Amz-SignedHeaders=cache-control%3Bcontent-disposition" +
		"%3Bcontent-length%3Bcontent-type%3Bhost%3Bif-none-match"
	if signed.Method != http.MethodPut || !strings.Contains(signed.URL, want) ||
		!strings.HasPrefix(signed.URL, "http://127.0.0.1:1/bucket/media/a?") {
		t.Errorf("%+v", signed)
	}
	if len(signed.Headers) != 4 || signed.Headers["If-None-Match"] != "*" ||
		signed.Headers["Content-Type"] != "image/png" {
		t.Errorf("headers %v", signed.Headers)
	}
}

// TestAnswerBreaksOff: the error is that of the port also where the content ends too early.
func TestAnswerBreaksOff(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10")
		_, _ = io.WriteString(w, "0123")
	}))
	defer server.Close()
	object, err := s3.New(client(server.URL), "bucket").Get(t.Context(), "media/a", blob.Range{})
	must.Do(t, err)
	defer object.Body.Close()
	if part, err := io.ReadAll(object.Body); !errors.Is(err, blob.ErrUnavailable) {
		t.Errorf("%q, %v", part, err)
	}
}
