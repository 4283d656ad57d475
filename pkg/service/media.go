package service

import (
	"context"
	"errors"
	"log/slog"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"headless/pkg/blob"
	"headless/pkg/cms"
	"headless/pkg/media"
	"headless/pkg/store"
)

// Media are the media files: records in the store, objects in the blob store (specification §2.2, decisions §5).
type Media struct {
	Store          *store.Store
	Blobs          blob.Store
	Inspector      media.Inspector // unset where files are only read
	BaseURL        string          // address below which objects are served, without a slash at the end
	MaxBytes       int64           // of a file that is uploaded through the service
	DirectMaxBytes int64           // of a direct upload
	Log            *slog.Logger
}

// MediaPrefix starts the keys of media objects in the blob store; the id follows. Everybody may read them.
const MediaPrefix = "media/"

func objectKey(id string) string { return MediaPrefix + id }

// incomingPrefix starts the keys of what direct uploads send. It is not served to anybody: nothing is known of it yet.
const incomingPrefix = "incoming/"

func incomingKey(id string) string { return incomingPrefix + id }

var errFileNotFound = cms.Errorf(cms.CodeFileNotFound, "There is no such file.")

func fileNotFound(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return errFileNotFound
	}
	return err
}

// url leads to the object by its id alone: it stays when the file is renamed, and every store of objects can serve it.
func (s *Media) url(id string) string { return s.BaseURL + "/" + id }

// shown is a file as the API shows it. Folders are those that it may be in.
func (s *Media) shown(m *store.Media, folders []store.Folder) cms.Media {
	v := cms.Media{
		ID: m.ID, Name: m.Name, URL: s.url(m.ID), Mime: m.Mime, Size: m.Size, Width: m.Width, Height: m.Height,
		Alt: m.Alt, Caption: m.Caption, CreatedAt: m.CreatedAt, FolderID: m.FolderID,
	}
	for _, f := range folders {
		if f.ID == m.FolderID {
			v.Folder = f.Name
		}
	}
	return v
}

// Get reads a file; FILE_NOT_FOUND when there is none.
func (s *Media) Get(ctx context.Context, id string) (cms.Media, error) {
	id, ok := canonicalID(id)
	if !ok {
		return cms.Media{}, errFileNotFound
	}
	var m *store.Media
	var folders []store.Folder
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) { m, err = s.Store.Media(gctx, id); return })
	g.Go(func() (err error) { folders, err = s.Store.Folders(gctx); return })
	if err := g.Wait(); err != nil {
		return cms.Media{}, fileNotFound(err)
	}
	return s.shown(m, folders), nil
}

// Delete removes a file for good: the record and with it the promise to remove the object, then the object itself, which the sweeper repeats
// where it fails. Entries that refer to it keep the id. FILE_NOT_FOUND when there is none.
func (s *Media) Delete(ctx context.Context, actor cms.Actor, id string) error {
	id, ok := canonicalID(id)
	if !ok {
		return errFileNotFound
	}
	var check store.ObjectCheck
	err := s.Store.Retry(ctx, func() error {
		m, err := s.Store.Media(ctx, id)
		if err != nil {
			return fileNotFound(err)
		}
		folder, err := s.folderOf(ctx, m.FolderID)
		if err != nil {
			return err
		}
		tx := s.Store.Begin()
		tx.DeleteMedia(m)
		check = tx.RemoveObject(id, tx.At())
		if m.Direct && tx.At().Sub(m.CreatedAt.Time) < directTime {
			tx.RemoveObject(id, cms.At(tx.At().Add(directTime+time.Hour))) // a completion that is still running may copy it once more
		}
		tx.Event(cms.EventMediaDeleted, "", s.shown(m, folder))
		tx.Activity(actor, cms.EventMediaDeleted, "file "+m.Name)
		return s.Store.Commit(ctx, tx)
	})
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	if err := s.removeObject(ctx, check); err != nil {
		s.Log.WarnContext(ctx, "an object is left to the sweeper", "file", id, "error", err.Error())
	}
	return nil
}

// removeObject removes a condemned object and what a direct upload sent, or that alone, then the check that remembers it.
func (s *Media) removeObject(ctx context.Context, c store.ObjectCheck) error {
	if err := s.Blobs.Delete(ctx, incomingKey(c.ID)); err != nil {
		return err
	}
	if !c.Incoming {
		if err := s.Blobs.Delete(ctx, objectKey(c.ID)); err != nil {
			return err
		}
	}
	return s.Store.ForgetObject(ctx, c)
}

// folderOf is the folder with an id, as the list that shown takes; empty where there is none.
func (s *Media) folderOf(ctx context.Context, id string) ([]store.Folder, error) {
	if id == "" {
		return nil, nil
	}
	f, err := s.Store.Folder(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return []store.Folder{f}, err
}

// mediaInput is what can be changed of a file.
type mediaInput struct {
	Name     *string `json:"name"`
	Alt      *string `json:"alt"`
	Caption  *string `json:"caption"`
	FolderID *string `json:"folder_id"`
}

// Update changes a file's texts, its name or its folder; address and object stay. Errors: FILE_NOT_FOUND, VALIDATION_FAILED.
func (s *Media) Update(ctx context.Context, actor cms.Actor, id string, body map[string]any, ok Precondition[cms.Media]) (cms.Media, error) {
	id, valid := canonicalID(id)
	if !valid {
		return cms.Media{}, errFileNotFound
	}
	var in mediaInput
	decoding := cms.Problems{}
	decodeInput(body, &in, decoding, "url", "mime", "size", "width", "height", "folder")
	var updated cms.Media
	err := s.Store.Retry(ctx, func() error {
		m, err := s.Store.Media(ctx, id)
		if err != nil {
			return fileNotFound(err)
		}
		was, err := s.folderOf(ctx, m.FolderID)
		if err != nil {
			return err
		}
		if err := ok.check(s.shown(m, was)); err != nil {
			return err
		}
		p := cms.Problems{}
		p.Merge(decoding)
		in.apply(m, p)
		s.checkName(p, in.Name, m.Mime)
		folder, err := s.findFolder(ctx, p, m.FolderID, in.FolderID != nil)
		if err != nil {
			return err
		}
		if err := p.Err(); err != nil {
			return err
		}
		tx := s.Store.Begin()
		if in.FolderID != nil {
			if err := putInto(tx, m, folder); err != nil {
				return err
			}
		}
		tx.PutMedia(*m)
		tx.Activity(actor, "media.updated", "file "+m.Name)
		updated = s.shown(m, folder)
		return s.Store.Commit(ctx, tx)
	})
	return updated, err
}

func (in *mediaInput) apply(m *store.Media, p cms.Problems) {
	m.Name = given(in.Name, m.Name)
	m.Alt = given(in.Alt, m.Alt)
	m.Caption = given(in.Caption, m.Caption)
	m.FolderID = given(in.FolderID, m.FolderID)
	checkMediaTexts(p, m.Alt, m.Caption)
}

// checkName asks for a name as an upload would keep it, with an ending of the file's type.
func (s *Media) checkName(p cms.Problems, name *string, mime string) {
	switch {
	case name == nil || len(p["name"]) > 0:
	case *name == "":
		p.Add("name", "is required")
	case media.CleanName(*name) != *name:
		p.Add("name", "must be a file name of at most %d characters, without path and control characters", media.MaxNameChars)
	default:
		if settled, ok := s.Inspector.Agree(*name, mime); !ok || settled != mime {
			p.Add("name", "must have an ending of the type %s", mime)
		}
	}
}

// maxMediaText is the longest alt text and caption in bytes.
const maxMediaText = 64 << 10

func checkMediaTexts(p cms.Problems, alt, caption string) {
	for name, text := range map[string]string{"alt": alt, "caption": caption} {
		if len(text) > maxMediaText || !utf8.ValidString(text) {
			p.Add(name, "must have at most %d bytes of UTF-8", maxMediaText)
		}
	}
}

// findFolder reads the folder that a file is in or shall be put into; its absence is a problem in the latter case only.
func (s *Media) findFolder(ctx context.Context, p cms.Problems, id string, put bool) ([]store.Folder, error) {
	if id == "" {
		return nil, nil
	}
	canonical, ok := canonicalID(id)
	if !ok {
		p.Add("folder_id", "must be the id of a folder")
		return nil, nil
	}
	folder, err := s.folderOf(ctx, canonical)
	if put && err == nil && len(folder) == 0 {
		p.Add("folder_id", "there is no such folder")
	}
	return folder, err
}

// putInto puts a file into the folder and keeps it from being deleted meanwhile. While a deletion is counting its files, the use case must be tried again.
func putInto(tx *store.Tx, m *store.Media, folder []store.Folder) error {
	for _, f := range folder {
		if !f.Open(tx.At()) {
			return store.ErrOvertaken
		}
		m.FolderID = f.ID // in its usual spelling
		tx.HoldFolder(f)
	}
	return nil
}

// Types tells the MIME types of those of the ids that are media files.
func (s *Media) Types(ctx context.Context, ids []string) (map[string]string, error) {
	types := map[string]string{}
	err := s.each(ctx, ids, func(id string, m *store.Media) { types[id] = m.Mime })
	return types, err
}

// Inline gives the objects that stand for media files where they are included.
func (s *Media) Inline(ctx context.Context, ids []string) (map[string]any, error) {
	objects := map[string]any{}
	err := s.each(ctx, ids, func(id string, m *store.Media) {
		objects[id] = cms.MediaInline{ID: m.ID, URL: s.url(m.ID), Alt: m.Alt, Name: m.Name, Mime: m.Mime, Width: m.Width, Height: m.Height}
	})
	return objects, err
}

// each finds files by ids in any spelling; what is no id of a file is left out.
func (s *Media) each(ctx context.Context, ids []string, found func(id string, m *store.Media)) error {
	spelled := map[string]string{}
	var canonical []string
	for _, id := range ids {
		if c, ok := canonicalID(id); ok {
			spelled[id] = c
			canonical = append(canonical, c)
		}
	}
	files, err := s.Store.MediaByID(ctx, canonical...)
	if err != nil {
		return err
	}
	for id, c := range spelled {
		if m := files[c]; m != nil {
			found(id, m)
		}
	}
	return nil
}
