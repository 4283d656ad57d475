package input

import "headless/pkg/cms"

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

// ImportTime decodes a time of a line; null or none is the zero time.
func ImportTime(p cms.Problems, key string, v any) *cms.Time {
	if v == nil {
		return &cms.Time{}
	}
	text, ok := v.(string)
	t, valid := cms.ParseDateTime(text)
	if !ok || !valid {
		p.Add(key, "must be a timestamp of the form 2026-01-31T12:00:00Z")
		return nil
	}
	at := cms.At(t)
	return &at
}
