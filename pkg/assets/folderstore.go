package assets

import (
	"context"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/index/totals"
	"headless/pkg/slice"
)

// Folder is a stored media folder.
type Folder struct {
	cms.Folder
	Closing cms.Time `json:"closing"` // when its deletion started; zero otherwise

	version int64
}

// closingTime is how long the deletion of a folder may take. After that it counts as abandoned.
const closingTime = time.Minute

// Open reports whether files may be added to the folder.
func (f *Folder) Open(now cms.Time) bool { return now.Sub(f.Closing.Time) > closingTime }

func folders(s *db.DB) db.Docs[Folder] { return db.Docs[Folder]{DB: s, Kind: "folder"} }

func storedFolder(d db.Doc[Folder]) Folder {
	d.Value.version = d.Version
	return d.Value
}

// Folder reads a folder; ErrNotFound if there is none.
func (s *Store) Folder(ctx context.Context, id string) (Folder, error) {
	d, err := folders(s.DB).Get(ctx, id)
	return storedFolder(d), err
}

// Folders lists all folders in the order of their ids.
func (s *Store) Folders(ctx context.Context) ([]Folder, error) {
	docs, err := folders(s.DB).All(ctx)
	return slice.Map(docs, storedFolder), err
}

// PutFolder creates a folder, or changes one that was read before. was is its current name. The
// commit fails with CONFLICT if the name is taken.
func PutFolder(t *db.Tx, f Folder, was string) {
	docs := folders(t.DB)
	docs.Save(t, db.Doc[Folder]{ID: f.ID, Version: f.version, Value: f})
	if was == f.Name {
		return
	}
	docs.ReserveName(t, db.NameDigest(f.Name), f.ID,
		cms.Errorf(cms.CodeConflict, "There is already a folder with this name."))
	if was != "" {
		docs.FreeName(t, db.NameDigest(was))
		folderRenamed(t, f.ID)
	}
}

// DeleteFolder deletes a folder.
func DeleteFolder(t *db.Tx, f Folder) {
	folders(t.DB).Delete(t, db.Doc[Folder]{ID: f.ID, Version: f.version})
	folders(t.DB).FreeName(t, db.NameDigest(f.Name))
}

// requireFolder makes the commit fail if the folder changed after it was read.
func requireFolder(t *db.Tx, f Folder) {
	t.Require(db.DocKey("folder", f.ID), f.version)
}

// FilesIn counts the files in a folder.
func (s *Store) FilesIn(ctx context.Context, folderID string) (int, error) {
	n, err := totals.Of(ctx, s.DB, []string{MediaSpace},
		index.ValueCounter("folder", query.Value{Kind: cms.ValueText, Text: folderID}))
	if err != nil {
		return 0, err
	}
	return n[0], nil
}
