package assets

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"

	"headless/pkg/assets/upload"
	"headless/pkg/blob"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

func swapKey(c ContentSwap) string { return incomingKey(c.name()) }

// ReplaceContent replaces the bytes of a file, which keeps its id, name, texts, folder, focal point
// and crop. Its URL gets the next edition. The new content is stored under a temporary key until the record is
// committed, and is then copied over the old content. After a crash the sweeper does this. Errors: FILE_NOT_FOUND,
// UNSUPPORTED_MEDIA_TYPE for content of another type, CONFLICT while another replacement runs, and those of Upload. If
// the content is the same, nothing changes.
func (s *Media) ReplaceContent(ctx context.Context, actor cms.Actor, id string, u *upload.Upload) (cms.Media, error) {
	return s.replaceContent(ctx, actor, id, replacement{content: u.File, size: u.Size, end: func(*db.Tx) {}})
}

// ReplaceByUpload is ReplaceContent with the content of a direct upload, which it ends. Errors: also those of Take.
func (s *Media) ReplaceByUpload(ctx context.Context, actor cms.Actor, id, uploadID string) (cms.Media, error) {
	taken, err := s.Take(ctx, uploadID)
	if err != nil {
		return cms.Media{}, err
	}
	defer taken.Close()
	return s.replaceContent(ctx, actor, id,
		replacement{content: taken.Reader, size: taken.info.Size, stored: &taken.info, end: taken.End})
}

// replacement is new content of a file.
type replacement struct {
	content io.ReadSeeker
	size    int64
	stored  *blob.Info   // of the object that has the content, nil if it is not in the store yet
	end     func(*db.Tx) // is called in the transaction that records the content
}

func (s *Media) replaceContent(ctx context.Context, actor cms.Actor, id string, r replacement) (cms.Media, error) {
	if err := input.PermitPublic(ctx, cms.ActionWrite, cms.AreaMedia, "file"); err != nil {
		return cms.Media{}, err
	}
	before, err := s.read(ctx, id)
	if err != nil {
		return cms.Media{}, err
	}
	found := Asset{Name: before.Name, Size: r.size}
	content, err := s.inspect(ctx, &found, r.content)
	if err != nil {
		return cms.Media{}, err
	}
	if found.Mime != before.Mime {
		return cms.Media{}, cms.Errorf(cms.CodeUnsupportedMedia, "The new content is %s, but this file is %s.",
			found.Mime, before.Mime)
	}
	if same, err := s.holds(ctx, before, content); err != nil || same {
		if same && before.Swap != "" { // this repeats a request that could not finish
			err = s.swapContent(ctx, ContentSwap{FileID: before.ID, Token: before.Swap})
		}
		folder, folderErr := s.folderOf(ctx, before.FolderID)
		return s.toShown(before, folder), errors.Join(err, folderErr)
	}
	swap, err := s.Store.expectContent(ctx, before.ID)
	if err != nil {
		return cms.Media{}, err
	}
	found.Edition = max(1, before.Edition) + 1
	meta := objectMeta(before.Name, before.Mime, found.Edition)
	if r.stored != nil && content == r.content {
		r.stored.Meta = meta
		err = s.Blobs.Copy(ctx, *r.stored, swapKey(swap)) // the Version in stored ensures that these are the checked bytes
	} else {
		err = s.Blobs.Put(ctx, swapKey(swap), content, meta)
	}
	if err != nil {
		return cms.Media{}, err
	}
	shown, err := s.recordSwap(ctx, actor, swap, &found, r.end)
	if err != nil { // the record may have been committed; the sweeper finds out
		return cms.Media{}, err
	}
	return shown, s.swapContent(context.WithoutCancel(ctx), swap)
}

// holds reports whether a file has this content, or gets it by a pending swap. The content is read from its start and
// left there.
func (s *Media) holds(ctx context.Context, m *Asset, content io.ReadSeeker) (bool, error) {
	size, err := content.Seek(0, io.SeekEnd)
	if err != nil || size != m.Size {
		return false, err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	var stored *blob.Object
	if err = blob.ErrNotFound; m.Swap != "" {
		stored, err = s.Blobs.Get(ctx, swapKey(ContentSwap{FileID: m.ID, Token: m.Swap}), blob.Range{})
	}
	if errors.Is(err, blob.ErrNotFound) { // there is no swap, or the content was already copied
		stored, err = s.Blobs.Get(ctx, objectKey(m.ID), blob.Range{})
	}
	if errors.Is(err, blob.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer stored.Body.Close()
	was, now := sha256.New(), sha256.New()
	_, readErr := io.Copy(was, stored.Body)
	_, err = io.Copy(now, content)
	return bytes.Equal(was.Sum(nil), now.Sum(nil)), errors.Join(readErr, err)
}

// recordSwap commits the size, dimensions and other data of the new content.
func (s *Media) recordSwap(ctx context.Context, actor cms.Actor, swap ContentSwap, found *Asset,
	end func(*db.Tx)) (shown cms.Media, err error) {
	err = s.Store.Retry(ctx, func() error {
		m, err := s.read(ctx, swap.FileID)
		if err != nil {
			return err
		}
		if m.Swap != "" || max(1, m.Edition)+1 != found.Edition {
			return cms.Errorf(cms.CodeConflict, "The content of this file is being replaced by another request.")
		}
		folder, err := s.folderOf(ctx, m.FolderID)
		if err != nil {
			return err
		}
		crop, focal := m.Crop, m.Focal
		if err := s.setCrop(m, nil); err != nil {
			return err
		}
		m.Size, m.Width, m.Height, m.Edition = found.Size, found.Width, found.Height, found.Edition
		m.Placeholder, m.Scalable, m.Swap = found.Placeholder, found.Scalable, swap.Token
		if crop != nil && m.Scalable {
			if err := s.setCrop(m, crop); err != nil {
				return err
			}
			m.Focal = focal
		}
		tx := s.Store.Begin()
		beginSwap(tx, *m, swap)
		shown = s.toShown(m, folder)
		end(tx)
		tx.Event(actor, cms.EventMediaReplaced, "", shown)
		tx.Activity(actor, cms.EventMediaReplaced, "file "+m.Name, m.ID)
		return s.Store.Commit(ctx, tx)
	})
	return shown, err
}

// swapContent copies the new content over the old one. It can be repeated.
func (s *Media) swapContent(ctx context.Context, swap ContentSwap) error {
	m, err := s.Store.Media(ctx, swap.FileID)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	if err == nil && m.Swap == swap.Token {
		if err := s.publishContent(ctx, swap); err != nil {
			return err
		}
	}
	if err := s.Blobs.Delete(ctx, swapKey(swap)); err != nil {
		return err
	}
	return s.Store.endSwap(ctx, swap)
}

func (s *Media) publishContent(ctx context.Context, swap ContentSwap) error {
	info, err := s.Blobs.Stat(ctx, swapKey(swap))
	if errors.Is(err, blob.ErrNotFound) {
		return nil // it was already copied
	}
	if err != nil {
		return err
	}
	if err := s.Blobs.Copy(ctx, info, objectKey(swap.FileID)); err != nil {
		return err
	}
	if _, err := s.Store.Media(ctx, swap.FileID); errors.Is(err, db.ErrNotFound) { // concurrently deleted
		return s.Blobs.Delete(ctx, objectKey(swap.FileID))
	}
	return s.removeVariants(ctx, swap.FileID)
}
