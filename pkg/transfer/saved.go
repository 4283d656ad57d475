package transfer

import (
	"context"

	"headless/pkg/cms"
)

// SaveAlt saves the alternative text of a file in a locale, unless ok refuses to have it in place of the present one.
type SaveAlt func(ctx context.Context, actor cms.Actor, file, locale, text string, ok func(now string) error) error

// Saved describes the save of an entry or a file by an import or a job, so that it can be taken back.
type Saved struct {
	Version int64     `json:"version"`           // of the entry; 0 if it stayed
	Draft   int64     `json:"draft"`             // number of the draft; 0 if there is none
	Was     int64     `json:"was,omitempty"`     // version or number before, of an import; else it is one less
	Created bool      `json:"created,omitempty"` // the entry is new
	First   bool      `json:"first,omitempty"`   // there was no draft before
	Alt     *SavedAlt `json:"alt,omitempty"`     // of a file
}

// After joins s with an earlier save of the same import. It returns s if somebody saved between them.
func (s Saved) After(before Saved) Saved {
	switch {
	case s.Version > 0 && before.Created && before.Version == s.Was:
		return Saved{Version: s.Version, Created: true}
	case s.Version > 0 && before.Version == s.Was, before.Draft > 0 && before.Draft == s.Was:
		s.Was, s.First = before.Was, before.First
	}
	return s
}

// SavedAlt is an alternative text in a locale that took the place of another one.
type SavedAlt struct {
	Locale string `json:"locale"`
	Was    string `json:"was"`
	Now    string `json:"now"`
}

// OfFile begins the name of a file among the ids of entries.
const OfFile = "media/"
