package assets

import (
	"headless/pkg/cms"
	"headless/pkg/db"
)

// fileChanged records that a media file was added, changed or deleted.
func fileChanged(t *db.Tx, id string) {
	t.Touch(cms.ChangedFile(id)...)
	t.AddChange(db.FeedMedia, db.Change{ID: id})
}

// folderRenamed records that the files of a folder now show another folder name.
func folderRenamed(t *db.Tx, id string) { t.AddChange(db.FeedMedia, db.Change{ID: id, Folder: true}) }
