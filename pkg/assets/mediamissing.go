package assets

import (
	"context"
	"errors"

	"headless/pkg/blob"
	"headless/pkg/index"
)

// missingPage is how many records Missing reads at a time.
const missingPage = 100

// Missing reads all records and returns the ids of files whose object is missing or has another
// size, and the number of records. It checks a restored table and bucket.
func (s *Media) Missing(ctx context.Context) (ids []string, records int, err error) {
	var q index.ListQuery
	q.Page, q.PerPage = 1, missingPage
	for {
		page, err := s.Store.MediaFiles(ctx, q)
		if err != nil {
			return nil, records, err
		}
		for _, m := range page.Items {
			records++
			info, err := s.Blobs.Stat(ctx, objectKey(m.ID))
			if err != nil && !errors.Is(err, blob.ErrNotFound) {
				return nil, records, err
			}
			if err != nil || info.Size != m.Size {
				ids = append(ids, m.ID)
			}
		}
		if q.Cursor = page.Next; page.Next == "" {
			return ids, records, nil
		}
	}
}
