package input

// What an import does with an existing entry that differs from the line (extensions §10).
const (
	ImportNewer = "newer" // take the line unless the stored entry was updated after it
	ImportSkip  = "skip"  // keep the stored entry
	ImportFail  = "fail"  // refuse the line
)

// ImportOptions are the options of an import.
type ImportOptions struct {
	OnConflict string // ImportNewer, ImportSkip or ImportFail
	DryRun     bool   // check only
}

// The results of a line.
const (
	ImportCreated   = "created"
	ImportUpdated   = "updated"
	ImportUnchanged = "unchanged"
	ImportSkipped   = "skipped"
)
