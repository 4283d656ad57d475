package assets

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"headless/pkg/assets/upload"
	"headless/pkg/blob"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// directTime is how long a direct upload may take.
const directTime = 24 * time.Hour

type directInput struct {
	Name     *string `json:"name"`
	Mime     *string `json:"mime"`
	Size     *int64  `json:"size"`
	Alt      string  `json:"alt"`
	Caption  string  `json:"caption"`
	FolderID string  `json:"folder_id"`

	Alts *map[string]string `json:"alts"`
}

// Direct starts a direct upload: the client sends the content to a temporary key, from where
// Complete copies it. Errors: VALIDATION_FAILED with every problem, FILE_TOO_LARGE,
// UNSUPPORTED_MEDIA_TYPE.
func (s *Media) Direct(ctx context.Context, body map[string]any) (begun upload.Direct, err error) {
	if err := input.Permit(ctx, cms.ActionWrite, cms.AreaMedia, "file"); err != nil {
		return begun, err
	}
	u, err := s.directUpload(ctx, body)
	if err != nil {
		return begun, err
	}
	err = s.Store.Retry(ctx, func() error {
		u.ID = uuid.Must(uuid.NewV7()).String()
		begun, err = s.beginUpload(ctx, u)
		return err
	})
	return begun, err
}

// beginUpload stores a direct upload and returns its target.
func (s *Media) beginUpload(ctx context.Context, u PendingUpload) (upload.Direct, error) {
	tx := s.Store.Begin()
	u.ExpiresAt = cms.At(tx.At().Add(directTime))
	begun, err := s.uploadTarget(ctx, u)
	if err != nil {
		return begun, err
	}
	createDirectUpload(tx, u)
	tx.Made = begun
	return begun, s.Store.Commit(ctx, tx)
}

// uploadTarget returns where the client must send the content of a direct upload.
func (s *Media) uploadTarget(ctx context.Context, u PendingUpload) (upload.Direct, error) {
	meta := objectMeta(u.Name, u.Mime, 1)
	meta.ContentType = upload.TransferType(u.Mime)
	target, err := s.Blobs.PresignUpload(ctx, incomingKey(u.ID),
		blob.Upload{Size: u.Size, Meta: meta, Expires: u.ExpiresAt.Time})
	return upload.Direct{ID: u.ID, Upload: upload.Target(target), ExpiresAt: u.ExpiresAt}, err
}

// DirectAddress returns a URL like those of direct uploads. Pages need its origin in their content
// security policy.
func (s *Media) DirectAddress(ctx context.Context) (string, error) {
	u := blob.Upload{Size: 1, Meta: objectMeta("", upload.MimeSVG, 1), Expires: s.Store.Now().Add(time.Second)}
	target, err := s.Blobs.PresignUpload(ctx, incomingKey("none"), u)
	return target.URL, err
}

func (s *Media) directUpload(ctx context.Context, body map[string]any) (PendingUpload, error) {
	in, p := input.Decode[directInput](body)
	u := PendingUpload{Alt: in.Alt, Caption: in.Caption, FolderID: in.FolderID}
	u.Name, u.Mime, u.Size = upload.CheckAnnounced(p, in.Name, in.Mime, in.Size)
	checkMediaTexts(p, u.Alt, u.Caption)
	m := Asset{Alt: u.Alt}
	if err := s.applyAlts(ctx, in.Alts, &m, p); err != nil {
		return u, err
	}
	u.Alts = m.Alts
	if _, err := s.findFolder(ctx, p, u.FolderID, true); err != nil {
		return u, err
	}
	if err := cmp.Or(p.Err(), permitNewAlts(ctx, s, m)); err != nil {
		return u, err
	}
	kind, err := s.Inspector.CheckName(u.Name, u.Mime)
	if err != nil {
		return u, err
	}
	u.Mime = kind
	most := s.DirectMaxBytes
	if u.Mime == upload.MimeSVG {
		most = min(most, upload.MaxSVGBytes)
	}
	if u.Size > most {
		return u, cms.Errorf(cms.CodeFileTooLarge, "The file has more than %d bytes.", most)
	}
	return u, nil
}

// Complete creates the file of a direct upload after the client has sent the content. It checks the
// content, copies it to its public key, commits the record and deletes the temporary object. It can
// be repeated after a crash, and returns the same result if it is repeated after success or after
// it refused the content. The sweeper removes uploads that are never completed. Errors:
// FILE_NOT_FOUND if there is no such upload or it expired, CONFLICT before the transfer,
// VALIDATION_FAILED on size, UNSUPPORTED_MEDIA_TYPE, FORBIDDEN if the texts may not be written now, and those of
// Upload.
func (s *Media) Complete(ctx context.Context, actor cms.Actor, id string) (cms.Media, error) {
	if err := input.Permit(ctx, cms.ActionWrite, cms.AreaMedia, "file"); err != nil {
		return cms.Media{}, err
	}
	id, ok := input.CanonicalID(id)
	if !ok {
		return cms.Media{}, errFileNotFound
	}
	u, done, err := s.Store.DirectUpload(ctx, id)
	switch {
	case err != nil:
		return cms.Media{}, err
	case done != nil:
		return s.completedUpload(ctx, done)
	case u == nil || !s.Store.Now().Before(u.ExpiresAt.Time):
		return cms.Media{}, errFileNotFound
	}
	if err := permitNewAlts(ctx, s, Asset{Alt: u.Alt, Alts: u.Alts}); err != nil { // the rights may be others now
		return cms.Media{}, err
	}
	shown, err := s.complete(ctx, actor, u)
	if !errors.Is(err, errCompleted) && !errors.Is(err, blob.ErrNotFound) {
		return shown, err
	}
	// Either the content was not sent yet, or another request has completed the upload.
	u, done, err = s.Store.DirectUpload(ctx, id)
	switch {
	case err != nil:
		return cms.Media{}, err
	case done != nil:
		return s.completedUpload(ctx, done)
	case u != nil:
		return cms.Media{}, cms.Errorf(cms.CodeConflict, "The content of the file has not been transferred yet.")
	}
	return cms.Media{}, errFileNotFound // concurrently deleted or expired
}

// complete completes an open upload. It returns blob.ErrNotFound if the content has not been sent,
// and errCompleted if another request ended the upload.
func (s *Media) complete(ctx context.Context, actor cms.Actor, u *PendingUpload) (cms.Media, error) {
	m := &Asset{ID: u.ID, Name: u.Name, Size: u.Size, Alt: u.Alt, Alts: u.Alts, Caption: u.Caption,
		FolderID: u.FolderID, CreatedAt: u.CreatedAt, Direct: true}
	if err := s.publish(ctx, u, m); err != nil {
		return cms.Media{}, err
	}
	shown, err := s.record(ctx, actor, m, func(tx *db.Tx) {
		completeDirectUpload(tx, u, errCompleted)
		fileAwaited(tx, m.ID)
	})
	if err != nil {
		return cms.Media{}, err
	}
	ctx = context.WithoutCancel(ctx)
	if err := s.Blobs.Delete(ctx, incomingKey(u.ID)); err != nil {
		s.Log.WarnContext(ctx, "the temporary object of a direct upload is left to the sweeper", "file", u.ID,
			"error", err.Error())
	}
	return shown, nil
}

// completedUpload returns a file whose upload was completed earlier.
func (s *Media) completedUpload(ctx context.Context, m *Asset) (cms.Media, error) {
	if !m.Direct {
		return cms.Media{}, errFileNotFound
	}
	folder, err := s.folderOf(ctx, m.FolderID)
	shown := s.toShown(m, folder)
	shown.CreatedAt = cms.Time{}
	return shown, err
}

var errCompleted = errors.New("assets: the upload was ended by another request")

// publish checks the content against the announced size and type, and copies it to its public key.
// It sanitizes an SVG.
func (s *Media) publish(ctx context.Context, u *PendingUpload, m *Asset) error {
	info, err := s.Blobs.Stat(ctx, incomingKey(u.ID))
	if err != nil {
		return err
	}
	if info.Size != u.Size {
		p := cms.Problems{}
		p.Add("size", "is %d bytes, not %d", info.Size, u.Size)
		return uploadAgain(p.Err())
	}
	object := blob.NewReader(ctx, s.Blobs, info)
	defer object.Close()
	content, err := s.inspect(ctx, m, object)
	if err != nil {
		return uploadAgain(err)
	}
	if m.Mime != u.Mime || info.ContentType != upload.TransferType(u.Mime) {
		return uploadAgain(cms.Errorf(cms.CodeUnsupportedMedia,
			"The content of the file is %s, not %s.", m.Mime, u.Mime))
	}
	if content == object {
		return s.Blobs.Copy(ctx, info, objectKey(u.ID)) // info ensures that the copied bytes are the checked ones
	}
	return s.Blobs.Put(ctx, objectKey(u.ID), content, objectMeta(u.Name, u.Mime, 1))
}

// uploadAgain adds to an error about the content that a new upload is needed.
func uploadAgain(err error) error {
	var e *cms.Error
	if !errors.As(err, &e) {
		return err
	}
	told := *e
	told.Message += " Start a new upload; the sent content was removed."
	return &told
}
