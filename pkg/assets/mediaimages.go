package assets

import (
	"context"
	"errors"

	"headless/pkg/assets/variant"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// focalInput is a focal point in a request. Both coordinates are required.
type focalInput struct {
	X *float64 `json:"x"`
	Y *float64 `json:"y"`
}

// applyTo sets the focal point of a file. Null removes it.
func (in *focalInput) applyTo(m *Asset, p cms.Problems) {
	if in == nil {
		m.Focal = nil
		return
	}
	coordinate := func(name string, v *float64) float64 {
		if v == nil && len(p[name]) == 0 || v != nil && (*v < 0 || *v > 1) {
			p.Add(name, "must be a number from 0 to 1")
		}
		return input.Given(v, 0)
	}
	m.Focal = &cms.Focal{X: coordinate("focal.x", in.X), Y: coordinate("focal.y", in.Y)}
}

// File reads the record of a file without permissions, for its public content. It returns nil if
// there is none.
func (s *Media) File(ctx context.Context, id string) (*Asset, error) {
	id, ok := input.CanonicalID(id)
	if !ok {
		return nil, nil
	}
	m, err := s.Store.Media(ctx, id)
	if errors.Is(err, db.ErrNotFound) {
		return nil, nil
	}
	return m, err
}

// placeholder returns the placeholder of a file as the API shows it.
func placeholder(m *Asset) *string {
	if m.Placeholder == "" {
		return nil
	}
	return &m.Placeholder
}

// removeVariants deletes the variants of a file.
func (s *Media) removeVariants(ctx context.Context, id string) error {
	for object, err := range s.Blobs.List(ctx, variant.Prefix+id+"/", "") {
		if err != nil {
			return err
		}
		if err := s.Blobs.Delete(ctx, object.Key); err != nil {
			return err
		}
	}
	return nil
}
