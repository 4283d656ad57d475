package exporting

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"headless/scripts/cms/folder"
)

const (
	resumeName = "resume.json"
	// resumeAge is the time during which an interrupted export can be continued. After that, the
	// entries already read are too old to be mixed with new ones.
	resumeAge = 24 * time.Hour
)

// resume is the progress of an export. It is saved in the folder after each page of entries and
// removed at the end.
type resume struct {
	Started time.Time `json:"started"`
	Query   string    `json:"query"` // of the lists; a different one starts a new export
	Done    []string  `json:"done"`  // models whose files are complete
	Model   string    `json:"model"` // the model being read
	List    int       `json:"list"`  // which of its lists
	Cursor  string    `json:"cursor"`
	Lines   int       `json:"lines"` // written to its file
	Bytes   int64     `json:"bytes"`

	file string
}

// openResume reads the progress of an interrupted export to the folder, or begins a new export.
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

// save writes the progress to its file atomically.
func (r *resume) save() error {
	raw, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return folder.WriteFile(r.file, raw, 0o644)
}

func (r *resume) isDone(model string) bool { return slices.Contains(r.Done, model) }

// finish saves that a model's file is complete.
func (r *resume) finish(model string) error {
	r.Done = append(r.Done, model)
	r.Model, r.List, r.Cursor, r.Lines, r.Bytes = "", 0, "", 0, 0
	return r.save()
}

// remove removes the saved progress at the end of an export. An export of no models has none.
func (r *resume) remove() error {
	if err := os.Remove(r.file); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
