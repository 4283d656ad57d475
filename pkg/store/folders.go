package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Folder is a stored media folder.
type Folder struct {
	cms.Folder
	Closing cms.Time `json:"closing"` // when its deletion began; zero otherwise

	version int64
}

// closingTime is how long a deletion may take; an older one was given up.
const closingTime = time.Minute

// Open tells whether files may be put into the folder.
func (f *Folder) Open(now cms.Time) bool { return now.Sub(f.Closing.Time) > closingTime }

func (s *Store) folders() Docs[Folder] { return Docs[Folder]{s: s, kind: "folder"} }

func storedFolder(d Doc[Folder]) Folder {
	d.Value.version = d.Version
	return d.Value
}

// Folder reads a folder; ErrNotFound when there is none.
func (s *Store) Folder(ctx context.Context, id string) (Folder, error) {
	d, err := s.folders().Get(ctx, id)
	return storedFolder(d), err
}

// Folders lists all folders in the order of their ids.
func (s *Store) Folders(ctx context.Context) ([]Folder, error) {
	docs, err := s.folders().All(ctx)
	list := make([]Folder, len(docs))
	for i, d := range docs {
		list[i] = storedFolder(d)
	}
	return list, err
}

// folderName is how a name is reserved: a hash, since a name may be longer than a key.
func folderName(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:])
}

// PutFolder creates a folder, or changes one that was read before, whose name was was. The commit is a CONFLICT when the name is taken.
func (t *Tx) PutFolder(f Folder, was string) {
	docs := t.s.folders()
	if f.version == 0 {
		docs.Create(t, f.ID, f, ErrOvertaken)
	} else {
		docs.Update(t, Doc[Folder]{ID: f.ID, Version: f.version, Value: f})
	}
	if was == f.Name {
		return
	}
	docs.ReserveName(t, folderName(f.Name), f.ID, cms.Errorf(cms.CodeConflict, "There is a folder of this name."))
	if was != "" {
		docs.FreeName(t, folderName(was))
	}
}

// DeleteFolder removes a folder.
func (t *Tx) DeleteFolder(f Folder) {
	t.s.folders().Delete(t, Doc[Folder]{ID: f.ID, Version: f.version})
	t.s.folders().FreeName(t, folderName(f.Name))
}

// HoldFolder makes the commit depend on the folder being still as it was read.
func (t *Tx) HoldFolder(f Folder) {
	t.do(table.Op{Kind: table.Check, Item: table.Item{Key: docKey("folder", f.ID)}, If: table.VersionIs, Version: f.version}, ErrOvertaken)
}

// FilesIn counts the files in a folder.
func (s *Store) FilesIn(ctx context.Context, folderID string) (int, error) {
	totals, err := s.counts(ctx, []string{mediaSpace}, valueCounter("folder", cms.Value{Kind: cms.ValueText, Text: folderID}))
	if err != nil {
		return 0, err
	}
	return totals[0], nil
}
