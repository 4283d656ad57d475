package assets

import (
	"cmp"
	"context"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"

	"headless/pkg/assets/upload"
	"headless/pkg/blob"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// uploadTime is how long an upload through the service may take from writing the object to
// committing the record.
const uploadTime = 15 * time.Minute

// objectMeta returns the HTTP headers of an object with an edition of a file. Stores that cannot
// compare the edition with the request serve the header for a URL without one.
func objectMeta(name, mime string, edition int) blob.Meta {
	meta := blob.Meta{ContentType: upload.ContentType(mime), Disposition: upload.Disposition(name),
		CacheControl: blob.CacheForever}
	if edition > 1 {
		meta.CacheControl, meta.Edition = blob.CacheBriefly, edition
	}
	return meta
}

// Upload stores a file. Errors: those of Policy.Inspect and SanitizeSVG of package inspect, and
// VALIDATION_FAILED on folder_id and alts.
func (s *Media) Upload(ctx context.Context, actor cms.Actor, u *upload.Upload) (cms.Media, error) {
	if err := input.Permit(ctx, cms.ActionWrite, cms.AreaMedia, "file"); err != nil {
		return cms.Media{}, err
	}
	m := Asset{ID: cmp.Or(u.ID, uuid.Must(uuid.NewV7()).String()), Name: u.Name, Size: u.Size,
		Alt: u.Alt, Caption: u.Caption, FolderID: u.FolderID, CreatedAt: u.CreatedAt}
	p := cms.Problems{}
	checkMediaTexts(p, u.Alt, u.Caption)
	if err := s.applyAlts(ctx, sentAlts(u.Alts, p), &m, p); err != nil {
		return cms.Media{}, err
	}
	if _, err := s.findFolder(ctx, p, u.FolderID, true); err != nil {
		return cms.Media{}, err
	}
	if err := cmp.Or(p.Err(), permitNewAlts(ctx, s, m)); err != nil {
		return cms.Media{}, err
	}
	content, err := s.inspect(ctx, &m, u.File)
	if err != nil {
		return cms.Media{}, err
	}
	check, err := s.Store.expectObject(ctx, m.ID, cms.At(s.Store.Now().Add(uploadTime)))
	if err != nil {
		return cms.Media{}, err
	}
	if err := s.Blobs.Put(ctx, objectKey(m.ID), content, objectMeta(m.Name, m.Mime, 1)); err != nil {
		return cms.Media{}, err
	}
	return s.record(ctx, actor, &m, func(tx *db.Tx) {
		if keepObject(tx, check); u.ID != "" {
			fileAwaited(tx, m.ID)
		}
	})
}

// inspect determines the type and dimensions of a file. It returns the content to store: the file's
// own, or a sanitized copy of an SVG.
func (s *Media) inspect(ctx context.Context, m *Asset, file io.ReadSeeker) (io.ReadSeeker, error) {
	found, content, err := s.Inspector.Read(m.Name, file)
	if err != nil {
		return nil, err
	}
	m.Mime, m.Size = found.Mime, cmp.Or(found.Size, m.Size)
	if found.Width > 0 && found.Height > 0 {
		m.Width, m.Height = &found.Width, &found.Height
	}
	if strings.HasPrefix(m.Mime, "image/") {
		if m.Placeholder, m.Scalable, err = s.Inspector.Placeholder(ctx, file); err != nil {
			return nil, err
		}
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
	}
	return content, nil
}

// record commits the record of a stored object and returns it as the response to an upload.
// CreatedAt is now unless m has another time. end adds the end of the object's check to the
// transaction.
func (s *Media) record(ctx context.Context, actor cms.Actor, m *Asset, end func(*db.Tx)) (cms.Media, error) {
	var shown cms.Media
	if err := s.RememberOwn(ctx); err != nil {
		return shown, err
	}
	created := m.CreatedAt
	err := s.Store.Retry(ctx, func() error {
		p := cms.Problems{}
		folder, err := s.findFolder(ctx, p, m.FolderID, true)
		if err != nil {
			return err
		}
		if err := p.Err(); err != nil {
			return err
		}
		tx := s.Store.Begin()
		end(tx) // first, so that its failure is the one that is returned
		if m.CreatedAt = created; created.IsZero() {
			m.CreatedAt = tx.At()
		}
		if err := putInto(tx, m, folder); err != nil {
			return err
		}
		PutMedia(tx, *m, true)
		shown = s.toShown(m, folder)
		tx.Event(actor, cms.EventMediaUploaded, "", shown)
		shown.CreatedAt = cms.Time{}
		tx.Made = shown
		tx.Activity(actor, cms.EventMediaUploaded, "file "+m.Name, m.ID)
		return s.Store.Commit(ctx, tx)
	})
	return shown, err
}
