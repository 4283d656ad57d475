// Package files wires the media files for the functions that store them.
package files

import (
	"headless/pkg/app/awsconf/awss3"
	"headless/pkg/app/function"
	"headless/pkg/app/function/entries"
	"headless/pkg/app/uploads"
	"headless/pkg/assets"
	"headless/pkg/blob/s3"
)

// New returns the use cases of media files with the bucket that MEDIA_BUCKET names.
func New(b *function.Base) (*assets.Media, error) {
	bucket, err := b.Need("MEDIA_BUCKET")
	if err != nil {
		return nil, err
	}
	return uploads.New(b.Config, entries.Store(b), s3.New(awss3.New(b.AWS, b.Getenv), bucket), b.Log), nil
}
