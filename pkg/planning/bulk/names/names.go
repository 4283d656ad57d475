// Package names gives a job the present names of its model and of fields. A model may get another slug, and its fields
// other names, while the job runs.
package names

import (
	"encoding/json"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/translations"
)

// Names are the names of a model and of its fields that a job uses.
type Names struct {
	Model   string          `json:"model"`              // slug; a job is read with the present one
	ModelID string          `json:"model_id,omitempty"` // "" over several models, and in rows from a former version
	Gen     int             `json:"gen,omitempty"`      // of the model when it had these names of fields
	Set     json.RawMessage `json:"set,omitempty"`      // body of the saves

	translations.Choice // the filter of a job without ids
}

// ErrFormer says that a step did nothing, since the job has former names.
var ErrFormer = errors.New("names: the model was changed")

// Slug returns the slug of the model with an id, another one if there is no such model.
func Slug(now *site.Site, id, otherwise string) string {
	if m := now.ModelByID(id); m != nil {
		return m.Slug
	}
	return otherwise
}

// Changed returns the model if it was changed since the job got its names, else nil.
func (n *Names) Changed(now *site.Site) *site.Model {
	m := now.ModelByID(n.ModelID)
	if m != nil && m.Slug == n.Model && (n.Gen == m.Gen || n.Gen == 0) {
		return nil
	}
	return m
}

// Follow makes the names, and the columns of the job's file, those of the model now. It reports false if they name a
// field that has lost its values since.
func (n *Names) Follow(m *site.Model, columns []string) (kept bool, err error) {
	if n.Model = m.Slug; n.Gen == 0 {
		return true, nil
	}
	var paths []*string
	for i := range n.Filters {
		paths = append(paths, &n.Filters[i].Path)
	}
	for i := range columns {
		paths = append(paths, &columns[i])
	}
	body := map[string]any{}
	if n.Set != nil {
		body, err = cms.DecodeObject(n.Set)
	}
	data, _ := body["data"].(map[string]any)
	kept = m.RenameNames(n.Gen, paths, data)
	if n.Gen = m.Gen; data != nil {
		n.Set = db.MustMarshal(body)
	}
	return kept, err
}
