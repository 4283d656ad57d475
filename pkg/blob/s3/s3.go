// Package s3 stores objects in one S3 bucket. It needs s3:GetObject, s3:PutObject and
// s3:DeleteObject on the objects, and s3:ListBucket on the bucket (without which S3 returns 403
// instead of 404).
package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"headless/pkg/blob"
)

// Store implements blob.Store.
type Store struct {
	client *s3.Client
	bucket string
	now    func() time.Time
}

// New returns a store for an existing bucket. The caller configures the client's endpoint, path
// style and retries. Presigned URLs have the client's endpoint, so visitors must be able to reach
// it.
func New(client *s3.Client, bucket string) *Store {
	return &Store{client: client, bucket: bucket, now: time.Now}
}

// Put implements blob.Store.
func (s *Store) Put(ctx context.Context, key string, content io.ReadSeeker, meta blob.Meta) error {
	if err := blob.ValidKey(key); err != nil {
		return err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	input := s.putInput(key, meta)
	input.Body = content
	_, err := s.client.PutObject(ctx, input)
	return storeError(err)
}

func (s *Store) putInput(key string, meta blob.Meta) *s3.PutObjectInput {
	return &s3.PutObjectInput{
		Bucket:             &s.bucket,
		Key:                &key,
		ContentType:        optional(meta.ContentType),
		ContentDisposition: optional(meta.Disposition),
		CacheControl:       optional(meta.CacheControl),
		Metadata:           editionMetadata(meta.Edition),
	}
}

// editionKey names the edition in the metadata of an object. S3 sends it as a header that starts
// with x-amz-meta-, which MediaResponse in template.yaml reads.
const editionKey = "edition"

func editionMetadata(edition int) map[string]string {
	if edition == 0 {
		return nil
	}
	return map[string]string{editionKey: strconv.Itoa(edition)}
}

// editionOf returns the edition in metadata; 0 if there is none.
func editionOf(metadata map[string]string) int {
	edition, _ := strconv.Atoi(metadata[editionKey]) // written by this package
	return edition
}

func optional(value string) *string {
	if value == "" {
		return nil
	}
	return &value
}

// Get implements blob.Store.
func (s *Store) Get(ctx context.Context, key string, r blob.Range) (*blob.Object, error) {
	if err := blob.ValidKey(key); err != nil {
		return nil, err
	}
	output, err := s.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &s.bucket, Key: &key,
		Range: rangeHeader(r)}, quiet)
	if statusOf(err) == http.StatusRequestedRangeNotSatisfiable {
		info, err := s.Stat(ctx, key)
		if err != nil {
			return nil, err
		}
		return &blob.Object{Info: info, Body: http.NoBody}, nil
	}
	if err != nil {
		return nil, storeError(err)
	}
	return &blob.Object{
		Info: blob.Info{
			Key:      key,
			Size:     wholeSize(output),
			Modified: aws.ToTime(output.LastModified),
			Version:  aws.ToString(output.ETag),
			Meta: blob.Meta{
				ContentType:  aws.ToString(output.ContentType),
				Disposition:  aws.ToString(output.ContentDisposition),
				CacheControl: aws.ToString(output.CacheControl),
				Edition:      editionOf(output.Metadata),
			},
		},
		Body: body{output.Body},
	}, nil
}

// body is the content of an answer, of which the rest may not come.
type body struct{ io.ReadCloser }

func (b body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: %w", blob.ErrUnavailable, err)
	}
	return n, err
}

// quiet stops the client from logging a line for each range, which has no checksum.
func quiet(o *s3.Options) { o.DisableLogOutputChecksumValidationSkipped = true }

func rangeHeader(r blob.Range) *string {
	switch {
	case r.Length > 0:
		return aws.String(fmt.Sprintf("bytes=%d-%d", r.Offset, r.Offset+r.Length-1))
	case r.Offset > 0:
		return aws.String(fmt.Sprintf("bytes=%d-", r.Offset))
	}
	return nil
}

// wholeSize returns the size of the whole object from the response to a range request.
func wholeSize(output *s3.GetObjectOutput) int64 {
	_, total, _ := strings.Cut(aws.ToString(output.ContentRange), "/")
	if size, err := strconv.ParseInt(total, 10, 64); err == nil {
		return size
	}
	return aws.ToInt64(output.ContentLength)
}

// Stat implements blob.Store.
func (s *Store) Stat(ctx context.Context, key string) (blob.Info, error) {
	if err := blob.ValidKey(key); err != nil {
		return blob.Info{}, err
	}
	output, err := s.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &s.bucket, Key: &key})
	if err != nil {
		return blob.Info{}, storeError(err)
	}
	return blob.Info{
		Key:      key,
		Size:     aws.ToInt64(output.ContentLength),
		Modified: aws.ToTime(output.LastModified),
		Version:  aws.ToString(output.ETag),
		Meta: blob.Meta{
			ContentType:  aws.ToString(output.ContentType),
			Disposition:  aws.ToString(output.ContentDisposition),
			CacheControl: aws.ToString(output.CacheControl),
			Edition:      editionOf(output.Metadata),
		},
	}, nil
}

// Copy implements blob.Store.
func (s *Store) Copy(ctx context.Context, from blob.Info, key string) error {
	if err := errors.Join(blob.ValidKey(from.Key), blob.ValidKey(key)); err != nil {
		return err
	}
	_, err := s.client.CopyObject(ctx, &s3.CopyObjectInput{
		Bucket:            &s.bucket,
		Key:               &key,
		CopySource:        aws.String(s.bucket + "/" + from.Key), // keys need no escaping
		CopySourceIfMatch: &from.Version,
		TaggingDirective:  types.TaggingDirectiveReplace, // with no tags, which needs no permission to read tags

		MetadataDirective:  types.MetadataDirectiveReplace,
		ContentType:        optional(from.ContentType),
		ContentDisposition: optional(from.Disposition),
		CacheControl:       optional(from.CacheControl),
		Metadata:           editionMetadata(from.Edition),
	})
	if statusOf(err) == http.StatusPreconditionFailed {
		return fmt.Errorf("%w: %w", blob.ErrNotFound, err)
	}
	return storeError(err)
}

// Delete implements blob.Store.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := blob.ValidKey(key); err != nil {
		return err
	}
	_, err := s.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &s.bucket, Key: &key})
	if err := storeError(err); !errors.Is(err, blob.ErrNotFound) {
		return err
	}
	return nil
}

// List implements blob.Store.
func (s *Store) List(ctx context.Context, prefix, after string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		pages := s3.NewListObjectsV2Paginator(s.client, &s3.ListObjectsV2Input{
			Bucket: &s.bucket, Prefix: optional(prefix), StartAfter: optional(after),
		})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(blob.Info{}, storeError(err))
				return
			}
			for _, object := range page.Contents {
				if !yield(info(object), nil) {
					return
				}
			}
		}
	}
}

func info(object types.Object) blob.Info {
	return blob.Info{Key: aws.ToString(object.Key), Size: aws.ToInt64(object.Size),
		Modified: aws.ToTime(object.LastModified)}
}

// PresignUpload implements blob.Store with a presigned PUT. Size, type, the other headers and "only
// if absent" are signed headers, so S3 refuses a request that differs. A POST policy could not
// prevent replacing an object.
func (s *Store) PresignUpload(ctx context.Context, key string, u blob.Upload) (blob.Presigned, error) {
	if err := blob.ValidKey(key); err != nil {
		return blob.Presigned{}, err
	}
	input := s.putInput(key, u.Meta)
	input.ContentLength = &u.Size
	input.IfNoneMatch = aws.String("*")
	presigner := s3.NewPresignClient(s.client, s3.WithPresignClientFromClientOptions(func(o *s3.Options) {
		// A checksum would have to be known before the content is.
		o.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
	}), s3.WithPresignExpires(max(u.Expires.Sub(s.now()), time.Second)))
	request, err := presigner.PresignPutObject(ctx, input)
	if err != nil {
		return blob.Presigned{}, err
	}
	if err := allSigned(request, u); err != nil {
		return blob.Presigned{}, err
	}
	headers := u.SignedHeaders()
	for name, value := range input.Metadata {
		headers["x-amz-meta-"+name] = value
	}
	return blob.Presigned{URL: request.URL, Method: request.Method, Headers: headers}, nil
}

// PresignDownload implements blob.Downloads.
func (s *Store) PresignDownload(ctx context.Context, key string, expires time.Time) (string, error) {
	if err := blob.ValidKey(key); err != nil {
		return "", err
	}
	presigner := s3.NewPresignClient(s.client, s3.WithPresignExpires(max(expires.Sub(s.now()), time.Second)))
	request, err := presigner.PresignGetObject(ctx, &s3.GetObjectInput{Bucket: &s.bucket, Key: &key})
	if err != nil {
		return "", err
	}
	return request.URL, nil
}

// allSigned checks that the SDK signed all headers of the upload as headers, and did not move them
// to the query or omit them.
func allSigned(request *v4.PresignedHTTPRequest, u blob.Upload) error {
	for name := range u.SignedHeaders() {
		if request.SignedHeader.Get(name) == "" {
			return fmt.Errorf("s3: %s is not signed", name)
		}
	}
	if request.SignedHeader.Get("Content-Length") == "" {
		return errors.New("s3: Content-Length is not signed")
	}
	return nil
}
