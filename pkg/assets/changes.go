package assets

import (
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/recheck"
)

// fileAdded records a new media file. No answer shows it yet; see also fileAwaited.
func fileAdded(t *db.Tx, id string) {
	t.AddChange(db.FeedMedia, db.Change{ID: id})
	recheck.File(t, id) // an import may bring back what entries refer to
}

// fileAwaited is for a new file whose id was known before: texts may refer to it already.
func fileAwaited(t *db.Tx, id string) { t.TouchIfUsed(id, cms.ChangedFile(id)...) }

// fileChanged records a change of a media file; shown means that published answers show something else of it.
func fileChanged(t *db.Tx, id string, shown bool) {
	if shown {
		t.Touch(cms.ChangedFile(id)...)
	}
	recheck.File(t, id)
	t.AddChange(db.FeedMedia, db.Change{ID: id})
}

// contentChanged records that the address of a media file leads to other content, or to none.
func contentChanged(t *db.Tx, id string) {
	fileChanged(t, id, true)
	t.TouchFile(id)
}

// folderRenamed records that the files of a folder now show another folder name.
func folderRenamed(t *db.Tx, id string) { t.AddChange(db.FeedMedia, db.Change{ID: id, Folder: true}) }
