package e2e

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"

	"headless/pkg/app/awsconf"
	"headless/pkg/app/awsconf/awss3"
)

// mail reads a mail that the service sent: from moto's record, or from the bucket; nil if it went
// to its recipients.
func mail(ctx context.Context, t *testing.T) func(*testing.T) [][]byte {
	t.Helper()
	if moto := os.Getenv("AWS_ENDPOINT_URL_SESV2"); moto != "" {
		return func(t *testing.T) [][]byte { return motoMail(t, moto) }
	}
	if deployed && os.Getenv("E2E_MAIL") != "eml" {
		return nil
	}
	cfg, err := awsconf.Config(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	client, bucket := awss3.New(cfg, os.Getenv), os.Getenv("MEDIA_BUCKET")
	seen := map[string][]byte{}
	return func(t *testing.T) [][]byte { return bucketMail(ctx, t, client, bucket, seen) }
}

func motoMail(t *testing.T, address string) (all [][]byte) {
	t.Helper()
	text := motoData(t, address)
	var data struct {
		SES struct {
			RawMessage []struct {
				Raw string `json:"raw_data"`
			}
		} `json:"ses"`
	}
	if err := json.Unmarshal(text, &data); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	for _, m := range data.SES.RawMessage {
		all = append(all, []byte(m.Raw))
	}
	return all
}

// motoData reads all that moto holds. Moto answers with 500 while another request changes some of it.
func motoData(t *testing.T, address string) []byte {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		resp, err := http.Get(address + "/moto-api/data.json")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode == http.StatusOK {
			return text
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s %.300s", resp.Status, text)
		}
	}
}

func bucketMail(ctx context.Context, t *testing.T, client *s3.Client, bucket string,
	seen map[string][]byte) (all [][]byte) {
	t.Helper()
	prefix := "mail/"
	pages := s3.NewListObjectsV2Paginator(client, &s3.ListObjectsV2Input{Bucket: &bucket, Prefix: &prefix})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range page.Contents {
			if seen[*o.Key] == nil {
				seen[*o.Key] = object(ctx, t, client, bucket, *o.Key)
			}
			all = append(all, seen[*o.Key])
		}
	}
	return all
}

func object(ctx context.Context, t *testing.T, client *s3.Client, bucket, key string) []byte {
	t.Helper()
	out, err := client.GetObject(ctx, &s3.GetObjectInput{Bucket: &bucket, Key: &key})
	if err != nil {
		t.Fatal(err)
	}
	defer out.Body.Close()
	content, err := io.ReadAll(out.Body)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
