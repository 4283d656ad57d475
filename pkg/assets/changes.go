package assets

import (
	"headless/pkg/cms"
	"headless/pkg/db"
)

// fileChanged notes that a media file was added, changed or deleted.
func fileChanged(t *db.Tx, id string) {
	t.Touch(cms.ChangedFile(id)...)
	t.AddChange(db.FeedMedia, db.Change{ID: id})
}
