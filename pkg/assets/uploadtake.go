package assets

import (
	"context"
	"errors"

	"headless/pkg/blob"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// TakenUpload is the content of a direct upload that becomes no file of its own.
type TakenUpload struct {
	*blob.Reader
	info blob.Info
	// End ends the upload in the transaction that uses the content. The sweeper removes the content.
	End func(*db.Tx)
}

// Take opens the content of a direct upload for something else than a new file, such as an import (extensions
// §16). Errors: VALIDATION_FAILED on upload if there is none, or if its content was not sent.
func (s *Media) Take(ctx context.Context, id string) (TakenUpload, error) {
	id, ok := input.CanonicalID(id)
	if !ok {
		return TakenUpload{}, cms.Problems{"upload": {"must be the id of a direct upload"}}.Err()
	}
	if err := input.Permit(ctx, cms.ActionWrite, cms.AreaMedia, "file"); err != nil {
		return TakenUpload{}, err
	}
	u, _, err := s.Store.DirectUpload(ctx, id)
	if err != nil {
		return TakenUpload{}, err
	}
	if u == nil || !s.Store.Now().Before(u.ExpiresAt.Time) {
		return TakenUpload{}, cms.Problems{"upload": {"is not an open direct upload"}}.Err()
	}
	info, err := s.Blobs.Stat(ctx, incomingKey(id))
	if errors.Is(err, blob.ErrNotFound) {
		return TakenUpload{}, cms.Problems{"upload": {"was not sent yet"}}.Err()
	}
	if err != nil {
		return TakenUpload{}, err
	}
	return TakenUpload{blob.NewReader(ctx, s.Blobs, info), info, func(tx *db.Tx) {
		completeDirectUpload(tx, u, cms.Errorf(cms.CodeConflict, "Another request has used this upload."))
	}}, nil
}
