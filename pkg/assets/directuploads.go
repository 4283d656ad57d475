package assets

import (
	"context"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// PendingUpload is an upload straight to the blob store that is not complete.
type PendingUpload struct {
	ID        string   `json:"id"` // of the media file that it becomes
	Name      string   `json:"name"`
	Mime      string   `json:"mime"`
	Size      int64    `json:"size"`
	Alt       string   `json:"alt"`
	Caption   string   `json:"caption"`
	FolderID  string   `json:"folder_id"`
	CreatedAt cms.Time `json:"created_at,omitzero"` // of the file, for imports; zero for when it is complete
	ExpiresAt cms.Time `json:"expires_at"`
}

// transferGrace is how long a transfer may run on that began before the upload expired.
const transferGrace = time.Hour

// check looks after the object of the upload once no transfer can be running any more.
func (u *PendingUpload) check() ObjectCheck {
	return ObjectCheck{ID: u.ID, due: u.ExpiresAt.Add(transferGrace)}
}

// CreateDirectUpload begins a direct upload.
func CreateDirectUpload(t *db.Tx, u PendingUpload) {
	t.Create(table.Item{Key: directUploadKey(u.ID), Version: 1,
		Body: db.PackBytes(db.MustMarshal(u))}, db.ErrOvertaken)
	t.Put(table.Item{Key: u.check().key(), Version: checkOpen})
}

// CompleteDirectUpload ends a direct upload in the transaction that creates its record; ended is
// returned by the commit when it was ended before. Its check goes on to look after what is sent to
// the upload's address.
func CompleteDirectUpload(t *db.Tx, u *PendingUpload, ended error) {
	t.Do(table.Op{Kind: table.Delete, Item: table.Item{Key: directUploadKey(u.ID)}, If: table.Present}, ended)
	c := table.Item{Key: u.check().key(), Version: checkIncoming}
	t.Do(table.Op{Kind: table.Put, Item: c, If: table.VersionIs, Version: checkOpen}, errObjectSwept)
}

// DirectUpload reads a direct upload and the media file that it became; either is nil where there
// is none.
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
