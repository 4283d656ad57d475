package content

import (
	"headless/pkg/cms"
	"headless/pkg/db"
)

// ErrEntryNotFound is returned for an entry that does not exist in the model and locale.
var ErrEntryNotFound = cms.Errorf(cms.CodeEntryNotFound, "There is no such entry in this model and locale.")

// EntryNotFound turns db.ErrNotFound into ErrEntryNotFound. Other errors stay the same.
func EntryNotFound(err error) error {
	return db.Missing(err, ErrEntryNotFound)
}
