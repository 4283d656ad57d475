package input

// What an import does with an entry that is there already and differs (extensions §10).
const (
	ImportNewer = "newer" // take the line unless the stored entry was updated after it
	ImportSkip  = "skip"  // keep the stored entry
	ImportFail  = "fail"  // refuse the line
)

// ImportOptions say how lines are taken.
type ImportOptions struct {
	OnConflict string // ImportNewer, ImportSkip or ImportFail
	DryRun     bool   // check only
}

// What became of a line.
const (
	ImportCreated   = "created"
	ImportUpdated   = "updated"
	ImportUnchanged = "unchanged"
	ImportSkipped   = "skipped"
)
