package exporting

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	resumeName = "resume.json"
	// resumeAge is how long an interrupted export can be taken up: after it, what was read before
	// is too old to stand beside what is read now.
	resumeAge = 24 * time.Hour
)

// resume says how far an export is. It is kept in the folder after each page of entries and removed
// at the end.
type resume struct {
	Started time.Time `json:"started"`
	Query   string    `json:"query"` // of the entries; another one begins anew
	Done    []string  `json:"done"`  // models whose files are whole
	Model   string    `json:"model"` // the model that is being read,
	Cursor  string    `json:"cursor"`
	Lines   int       `json:"lines"` // and what its file holds
	Bytes   int64     `json:"bytes"`

	file string
}

// openResume reads how far an export of the folder was, where one was interrupted.
func openResume(dir, query string) *resume {
	file := filepath.Join(dir, resumeName)
	var r resume
	raw, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(raw, &r) != nil || r.Query != query || time.Since(r.Started) > resumeAge {
		r = resume{Started: time.Now(), Query: query}
	}
	r.file = file
	return &r
}

// save keeps the place, in one step.
func (r *resume) save() error {
	raw, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.WriteFile(r.file+".part", raw, 0o644); err != nil {
		return err
	}
	return os.Rename(r.file+".part", r.file)
}

func (r *resume) isDone(model string) bool { return slices.Contains(r.Done, model) }

// finish notes that a model's file is whole.
func (r *resume) finish(model string) error {
	r.Done = append(r.Done, model)
	r.Model, r.Cursor, r.Lines, r.Bytes = "", "", 0, 0
	return r.save()
}

// remove ends the export. One of no models has kept no place.
func (r *resume) remove() error {
	if err := os.Remove(r.file); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
