package assets

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/index/sortkey"
	"headless/pkg/input"
	"headless/pkg/slice"
)

// Folders lists the folders by name.
func (s *Media) Folders(ctx context.Context) ([]cms.Folder, error) {
	if err := input.Permit(ctx, cms.ActionRead, cms.AreaMedia, "folder"); err != nil {
		return nil, err
	}
	stored, err := s.Store.Folders(ctx)
	list := slice.Map(stored, func(f Folder) cms.Folder { return f.Folder })
	cms.Sort(list, func(a, b cms.Folder) int {
		return cmp.Or(sortkey.CompareText(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return list, err
}

// Folder reads a folder; NOT_FOUND if there is none.
func (s *Media) Folder(ctx context.Context, id string) (cms.Folder, error) {
	if err := input.Permit(ctx, cms.ActionRead, cms.AreaMedia, "folder"); err != nil {
		return cms.Folder{}, err
	}
	f, err := s.folder(ctx, id)
	return f.Folder, err
}

func (s *Media) folder(ctx context.Context, id string) (Folder, error) {
	id, ok := input.CanonicalID(id)
	if !ok {
		return Folder{}, input.NotFound(db.ErrNotFound, "folder")
	}
	f, err := s.Store.Folder(ctx, id)
	return f, input.NotFound(err, "folder")
}

// CreateFolder makes a folder. Errors: VALIDATION_FAILED, CONFLICT if the name is taken.
func (s *Media) CreateFolder(ctx context.Context, actor cms.Actor, body map[string]any) (cms.Folder, error) {
	if err := input.Permit(ctx, cms.ActionWrite, cms.AreaMedia, "folder"); err != nil {
		return cms.Folder{}, err
	}
	f := Folder{Folder: cms.Folder{ID: uuid.Must(uuid.NewV7()).String()}}
	if err := applyFolder(&f, body); err != nil {
		return cms.Folder{}, err
	}
	tx := s.Store.Begin()
	PutFolder(tx, f, "")
	tx.Activity(actor, "folder.created", "folder "+f.Name, f.ID)
	return f.Folder, s.Store.Commit(ctx, tx)
}

// UpdateFolder renames a folder; its files show the new name at once. Errors: NOT_FOUND,
// VALIDATION_FAILED, CONFLICT if the name is taken.
func (s *Media) UpdateFolder(ctx context.Context, actor cms.Actor, id string, body map[string]any,
	ok input.Precondition[cms.Folder]) (cms.Folder, error) {
	if err := input.Permit(ctx, cms.ActionWrite, cms.AreaMedia, "folder"); err != nil {
		return cms.Folder{}, err
	}
	var f Folder
	err := s.Store.Retry(ctx, func() (err error) {
		if f, err = s.folder(ctx, id); err != nil {
			return err
		}
		if err := ok.Check(f.Folder); err != nil {
			return err
		}
		was := f.Name
		if err := applyFolder(&f, body); err != nil {
			return err
		}
		tx := s.Store.Begin()
		PutFolder(tx, f, was)
		tx.Activity(actor, "folder.updated", "folder "+f.Name, f.ID)
		return s.Store.Commit(ctx, tx)
	})
	return f.Folder, err
}

func applyFolder(f *Folder, body map[string]any) error {
	p := input.Apply(body, &f.Folder)
	input.CheckName(p, f.Name)
	return p.Err()
}

// DeleteFolder deletes an empty folder. Errors: NOT_FOUND, CONFLICT if it has files.
//
// It closes the folder before it counts the files, so that no file is added after the count.
func (s *Media) DeleteFolder(ctx context.Context, actor cms.Actor, id string) error {
	if err := input.Permit(ctx, cms.ActionDelete, cms.AreaMedia, "folder"); err != nil {
		return err
	}
	return s.Store.Retry(ctx, func() error {
		f, err := s.close(ctx, id)
		if err != nil {
			return err
		}
		files, err := s.Store.FilesIn(ctx, f.ID)
		if err != nil {
			return err
		}
		tx := s.Store.Begin()
		if files > 0 {
			f.Closing = cms.Time{}
			PutFolder(tx, f, f.Name)
			if err := s.Store.Commit(ctx, tx); err != nil {
				return err
			}
			return cms.Errorf(cms.CodeConflict, "The folder is not empty. Files in it: %d.", files)
		}
		DeleteFolder(tx, f)
		tx.Activity(actor, "folder.deleted", "folder "+f.Name, f.ID)
		return s.Store.Commit(ctx, tx)
	})
}

// close closes a folder to new files, and returns it.
func (s *Media) close(ctx context.Context, id string) (Folder, error) {
	f, err := s.folder(ctx, id)
	if err != nil {
		return f, err
	}
	tx := s.Store.Begin()
	f.Closing = tx.At()
	PutFolder(tx, f, f.Name)
	if err := s.Store.Commit(ctx, tx); err != nil {
		return f, err
	}
	return s.folder(ctx, id)
}
