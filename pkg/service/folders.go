package service

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// Folders lists the folders by name.
func (s *Media) Folders(ctx context.Context) ([]cms.Folder, error) {
	stored, err := s.Store.Folders(ctx)
	list := make([]cms.Folder, len(stored))
	for i, f := range stored {
		list[i] = f.Folder
	}
	slices.SortFunc(list, func(a, b cms.Folder) int {
		return cmp.Or(store.CompareText(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return list, err
}

// Folder reads a folder; NOT_FOUND when there is none.
func (s *Media) Folder(ctx context.Context, id string) (cms.Folder, error) {
	f, err := s.folder(ctx, id)
	return f.Folder, err
}

func (s *Media) folder(ctx context.Context, id string) (store.Folder, error) {
	id, ok := canonicalID(id)
	if !ok {
		return store.Folder{}, notFound(store.ErrNotFound, "folder")
	}
	f, err := s.Store.Folder(ctx, id)
	return f, notFound(err, "folder")
}

type folderInput struct {
	Name *string `json:"name"`
}

// CreateFolder makes a folder. Errors: VALIDATION_FAILED, CONFLICT when the name is taken.
func (s *Media) CreateFolder(ctx context.Context, actor cms.Actor, body map[string]any) (cms.Folder, error) {
	f := store.Folder{Folder: cms.Folder{ID: uuid.Must(uuid.NewV7()).String()}}
	if err := applyFolder(&f, body); err != nil {
		return cms.Folder{}, err
	}
	tx := s.Store.Begin()
	tx.PutFolder(f, "")
	tx.Activity(actor, "folder.created", "folder "+f.Name)
	return f.Folder, s.Store.Commit(ctx, tx)
}

// UpdateFolder renames a folder; its files show the new name at once. Errors: NOT_FOUND, VALIDATION_FAILED, CONFLICT when the name is taken.
func (s *Media) UpdateFolder(ctx context.Context, actor cms.Actor, id string, body map[string]any, ok Precondition[cms.Folder]) (cms.Folder, error) {
	var f store.Folder
	err := s.Store.Retry(ctx, func() (err error) {
		if f, err = s.folder(ctx, id); err != nil {
			return err
		}
		if err := ok.check(f.Folder); err != nil {
			return err
		}
		was := f.Name
		if err := applyFolder(&f, body); err != nil {
			return err
		}
		tx := s.Store.Begin()
		tx.PutFolder(f, was)
		tx.Activity(actor, "folder.updated", "folder "+f.Name)
		return s.Store.Commit(ctx, tx)
	})
	return f.Folder, err
}

func applyFolder(f *store.Folder, body map[string]any) error {
	var in folderInput
	p := cms.Problems{}
	decodeInput(body, &in, p)
	f.Name = given(in.Name, f.Name)
	checkName(p, f.Name)
	return p.Err()
}

// DeleteFolder removes an empty folder. Errors: NOT_FOUND, CONFLICT when files are in it.
//
// It closes the folder first, then counts: what was put into it before is counted, and nothing is put into it after.
func (s *Media) DeleteFolder(ctx context.Context, actor cms.Actor, id string) error {
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
			tx.PutFolder(f, f.Name)
			if err := s.Store.Commit(ctx, tx); err != nil {
				return err
			}
			return cms.Errorf(cms.CodeConflict, "The folder has files in it: %d.", files)
		}
		tx.DeleteFolder(f)
		tx.Activity(actor, "folder.deleted", "folder "+f.Name)
		return s.Store.Commit(ctx, tx)
	})
}

// close keeps files from being put into a folder, and gives it as it then is.
func (s *Media) close(ctx context.Context, id string) (store.Folder, error) {
	f, err := s.folder(ctx, id)
	if err != nil {
		return f, err
	}
	tx := s.Store.Begin()
	f.Closing = tx.At()
	tx.PutFolder(f, f.Name)
	if err := s.Store.Commit(ctx, tx); err != nil {
		return f, err
	}
	return s.folder(ctx, id)
}
