package assets

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"headless/pkg/assets/upload"
	"headless/pkg/blob"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/refs"
)

// Media are the use cases of media files: records in the table, objects in the blob store
// (specification §2.2, decisions §5).
type Media struct {
	Store          *Store
	Blobs          blob.Store
	Inspector      upload.Inspector // zero if files are only read
	BaseURL        string           // URL prefix of objects, without a slash at the end
	SiteURL        string           // URL of the service, without a slash at the end; see Own
	FormerURLs     []string         // URL prefixes that objects had before
	MaxBytes       int64            // limit for an upload through the service
	DirectMaxBytes int64            // limit for a direct upload
	Log            *slog.Logger
	Uses           Uses // nil if files are only read
	// Locales returns the locales of the site, including inactive ones; nil if files are only read.
	Locales func(context.Context) ([]cms.Locale, error)

	own        atomic.Pointer[refs.Own] // see Own
	remembered atomic.Bool              // see RememberOwn
}

// Uses finds the references to files (extensions §6).
type Uses interface {
	// DeleteUnused runs remove if nothing refers to target; otherwise it returns IN_USE. With all,
	// the error lists every mention that the caller may read.
	DeleteUnused(ctx context.Context, target string, all bool, remove func(*db.Deletion) error) error
	// Used reports whether anything refers to a file.
	Used(ctx context.Context, target string) (bool, error)
}

// MediaPrefix starts the keys of media objects in the blob store, before the id. These objects are
// public.
const MediaPrefix = "media/"

func objectKey(id string) string { return MediaPrefix + id }

// incomingPrefix starts the keys of temporary objects of direct uploads. They are not public,
// because their content has not been checked yet.
const incomingPrefix = "incoming/"

func incomingKey(id string) string { return incomingPrefix + id }

var errFileNotFound = cms.Errorf(cms.CodeFileNotFound, "There is no such file.")

// read returns the record of a file; FILE_NOT_FOUND if there is none.
func (s *Media) read(ctx context.Context, id string) (*Asset, error) {
	id, ok := input.CanonicalID(id)
	if !ok {
		return nil, errFileNotFound
	}
	m, err := s.Store.Media(ctx, id)
	return m, db.Missing(err, errFileNotFound)
}

// readToChange returns the record of a file, its folder, and the file as it is shown, which ok checks.
func (s *Media) readToChange(ctx context.Context, id string, ok input.Precondition[cms.Media]) (m *Asset,
	folder []Folder, shown cms.Media, err error) {
	if m, err = s.read(ctx, id); err != nil {
		return nil, nil, shown, err
	}
	if folder, err = s.folderOf(ctx, m.FolderID); err != nil {
		return nil, nil, shown, err
	}
	shown = s.toShown(m, folder)
	return m, folder, shown, ok.Check(shown)
}

// url returns the URL of a file. It has the id, so it does not change if the file is renamed, and
// every blob store can serve it. If the content was replaced, the parameter v is its edition. A crop
// is in the parameter crop, so that a new one is a new address.
func (s *Media) url(m *Asset) string {
	address := s.BaseURL + "/" + m.ID
	if m.Edition > 1 {
		address += "?v=" + strconv.Itoa(m.Edition)
	}
	if m.Crop != nil {
		address = cms.VariantURL(address, "crop="+m.Crop.String())
	}
	return address
}

// toShown returns a file as the API shows it. folders must include its folder.
func (s *Media) toShown(m *Asset, folders []Folder) cms.Media {
	v := cms.Media{
		ID: m.ID, Name: m.Name, URL: s.url(m), Mime: m.Mime, Size: m.Size, Width: m.Width,
		Height: m.Height,
		Alt:    m.Alt, Caption: m.Caption, CreatedAt: m.CreatedAt, FolderID: m.FolderID,
		Focal: m.Focal, Placeholder: placeholder(m), Decorative: m.Decorative, Scalable: m.Scalable,
		Tags: append([]string{}, m.Tags...), Alts: m.Alts, Crop: m.Crop,
	}
	for _, f := range folders {
		if f.ID == m.FolderID {
			v.Folder = f.Name
		}
	}
	return v
}

// Get reads a file; FILE_NOT_FOUND if there is none.
func (s *Media) Get(ctx context.Context, id string) (cms.Media, error) {
	if err := input.Permit(ctx, cms.ActionRead, cms.AreaMedia, "file"); err != nil {
		return cms.Media{}, err
	}
	id, ok := input.CanonicalID(id)
	if !ok {
		return cms.Media{}, errFileNotFound
	}
	var m *Asset
	var folders []Folder
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) { m, err = s.Store.Media(gctx, id); return })
	g.Go(func() (err error) { folders, err = s.Store.Folders(gctx); return })
	if err := g.Wait(); err != nil {
		return cms.Media{}, db.Missing(err, errFileNotFound)
	}
	return s.toShown(m, folders), nil
}

// folderOf returns the folder with an id as a list for toShown, empty if there is none.
func (s *Media) folderOf(ctx context.Context, id string) ([]Folder, error) {
	if id == "" {
		return nil, nil
	}
	f, err := s.Store.Folder(ctx, id)
	if errors.Is(err, db.ErrNotFound) {
		return nil, nil
	}
	return []Folder{f}, err
}

// Types returns the MIME types of the media files among the ids.
func (s *Media) Types(ctx context.Context, ids []string) (map[string]string, error) {
	types := map[string]string{}
	err := s.forEach(ctx, ids, func(id string, m *Asset) { types[id] = m.Mime })
	return types, err
}

// Inline returns the JSON objects for included media files.
func (s *Media) Inline(ctx context.Context, ids []string) (map[string]any, error) {
	objects := map[string]any{}
	err := s.forEach(ctx, ids, func(id string, m *Asset) {
		objects[id] = &cms.MediaInline{
			ID: m.ID, URL: s.url(m), Alt: m.Alt, Name: m.Name, Mime: m.Mime, Width: m.Width,
			Height: m.Height,
			Focal:  m.Focal, Placeholder: placeholder(m), Scalable: m.Scalable,
			Alts: m.Alts, AltPath: "alt",
		}
	})
	return objects, err
}

// forEach calls found for every file among the ids, which may have any spelling. It skips ids without
// a file.
func (s *Media) forEach(ctx context.Context, ids []string, found func(id string, m *Asset)) error {
	spelled := map[string]string{}
	var canonical []string
	for _, id := range ids {
		if c, ok := input.CanonicalID(id); ok {
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
