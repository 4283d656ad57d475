package cloud

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"headless/scripts/internal/local"
)

// Media serves the bucket's objects below /media as the CDN of the template does: GET and HEAD,
// ranges, conditions, and the headers of its policy.
func (c *Cloud) Media(bucket string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
			return
		}
		in := &s3.GetObjectInput{Bucket: &bucket, Key: aws.String(strings.TrimPrefix(r.URL.Path, "/"))}
		if v := r.Header.Get("Range"); v != "" {
			in.Range = &v
		}
		if v := r.Header.Get("If-None-Match"); v != "" {
			in.IfNoneMatch = &v
		}
		out, err := c.Buckets.GetObject(r.Context(), in)
		var failed *awshttp.ResponseError
		switch {
		case errors.As(err, &failed):
			w.WriteHeader(failed.HTTPStatusCode())
			return
		case err != nil:
			http.Error(w, "the bucket does not respond", http.StatusBadGateway)
			return
		}
		defer out.Body.Close()
		h := w.Header()
		local.MediaHeaders(h)
		for name, value := range map[string]*string{
			"Content-Type": out.ContentType, "Content-Disposition": out.ContentDisposition,
			"Cache-Control": out.CacheControl,
			"ETag":          out.ETag, "Content-Range": out.ContentRange,
			"Accept-Ranges":               aws.String("bytes"),
			"Access-Control-Allow-Origin": aws.String("*"),
		} {
			if aws.ToString(value) != "" {
				h.Set(name, *value)
			}
		}
		if out.ContentLength != nil {
			h.Set("Content-Length", strconv.FormatInt(*out.ContentLength, 10))
		}
		if out.ContentRange != nil {
			w.WriteHeader(http.StatusPartialContent)
		}
		if r.Method == http.MethodGet {
			io.Copy(w, out.Body)
		}
	})
}

// PutFile stores an object in a bucket.
func (c *Cloud) PutFile(ctx context.Context, bucket, key string, file []byte) error {
	_, err := c.Buckets.PutObject(ctx, &s3.PutObjectInput{Bucket: &bucket, Key: &key, Body: bytes.NewReader(file)})
	return err
}
