package assets

import (
	"context"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// PendingUpload is a direct upload that is not complete.
type PendingUpload struct {
	ID        string   `json:"id"` // of the future media file
	Name      string   `json:"name"`
	Mime      string   `json:"mime"`
	Size      int64    `json:"size"`
	Alt       string   `json:"alt"`
	Caption   string   `json:"caption"`
	FolderID  string   `json:"folder_id"`
	CreatedAt cms.Time `json:"created_at,omitzero"` // of the file, for imports; zero: the time of completion
	ExpiresAt cms.Time `json:"expires_at"`

	Alts map[string]string `json:"alts,omitempty"`
}

// transferGrace is how long a transfer that started before the upload expired may still run.
const transferGrace = time.Hour

// removalCheck returns the check that removes the temporary object after all transfers have ended.
func (u *PendingUpload) removalCheck() ObjectCheck {
	return ObjectCheck{ID: u.ID, due: u.ExpiresAt.Add(transferGrace)}
}

// createDirectUpload stores a new direct upload.
func createDirectUpload(t *db.Tx, u PendingUpload) {
	t.Create(table.Item{Key: directUploadKey(u.ID), Version: 1,
		Body: db.PackBytes(db.MustMarshal(u))}, db.ErrOvertaken)
	t.Put(table.Item{Key: u.removalCheck().key(), Version: checkOpen})
}

// completeDirectUpload ends a direct upload in the transaction that creates its record. The commit
// fails with ended if the upload was already ended. Its check stays and later removes the temporary
// object.
func completeDirectUpload(t *db.Tx, u *PendingUpload, ended error) {
	t.Take(directUploadKey(u.ID), ended)
	c := table.Item{Key: u.removalCheck().key(), Version: checkIncoming}
	t.Do(table.Op{Kind: table.Put, Item: c, If: table.VersionIs, Version: checkOpen}, errObjectSwept)
}

// DirectUpload reads a direct upload and the media file created from it. Each is nil if it does not
// exist.
func (s *Store) DirectUpload(ctx context.Context, id string) (*PendingUpload, *Asset, error) {
	items, err := s.Table.Get(ctx, table.Strong, directUploadKey(id), mediaKey(id))
	if err != nil {
		return nil, nil, err
	}
	if items[1] != nil {
		m, err := decodeMedia(items[1])
		return nil, m, err
	}
	if items[0] == nil {
		return nil, nil, nil
	}
	u := &PendingUpload{}
	return u, nil, db.Unmarshal(items[0].Body, u)
}
