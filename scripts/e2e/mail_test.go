package e2e

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/s3"

	"headless/pkg/app/awsconf"
	"headless/pkg/app/awsconf/awss3"
	"headless/pkg/must"
	"headless/scripts/awslocal/mailbox"
)

// mail reads a mail that the service sent: from the mailbox of awslocal, or from the bucket; nil if it went
// to its recipients.
func mail(ctx context.Context, t *testing.T) func(*testing.T) [][]byte {
	t.Helper()
	if address := os.Getenv("AWS_ENDPOINT_URL_SESV2"); address != "" {
		return func(t *testing.T) [][]byte { return keptMail(t, address) }
	}
	if deployed && os.Getenv("E2E_MAIL") != "eml" {
		return nil
	}
	cfg, err := awsconf.Config(os.Getenv)
	must.Do(t, err)
	client, bucket := awss3.New(cfg, os.Getenv), os.Getenv("MEDIA_BUCKET")
	seen := map[string][]byte{}
	return func(t *testing.T) [][]byte { return bucketMail(ctx, t, client, bucket, seen) }
}

// keptMail reads the mails that the mailbox of awslocal has seen.
func keptMail(t *testing.T, address string) (all [][]byte) {
	t.Helper()
	resp, err := http.Get(address + mailbox.Path)
	must.Do(t, err)
	defer resp.Body.Close()
	must.Do(t, json.NewDecoder(resp.Body).Decode(&all))
	return all
}

func bucketMail(ctx context.Context, t *testing.T, client *s3.Client, bucket string,
	seen map[string][]byte) (all [][]byte) {
	t.Helper()
	prefix := "mail/"
	pages := s3.NewListObjectsV2Paginator(client, &s3.ListObjectsV2Input{Bucket: &bucket, Prefix: &prefix})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		must.Do(t, err)
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
	must.Do(t, err)
	defer out.Body.Close()
	content, err := io.ReadAll(out.Body)
	must.Do(t, err)
	return content
}
