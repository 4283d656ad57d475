package assets

import (
	"context"
	"errors"
	"math"

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

// cropInput is a crop in a request. All its numbers are required.
type cropInput struct {
	X      *float64 `json:"x"`
	Y      *float64 `json:"y"`
	Width  *float64 `json:"width"`
	Height *float64 `json:"height"`
}

// read returns the crop, nil for none: null, or one of the whole picture.
func (in *cropInput) read(p cms.Problems) *cms.Crop {
	if in == nil {
		return nil
	}
	c := &cms.Crop{}
	c.X, c.Width = span(p, "crop.x", in.X, "crop.width", in.Width)
	c.Y, c.Height = span(p, "crop.y", in.Y, "crop.height", in.Height)
	if *c == (cms.Crop{Width: 1, Height: 1}) {
		return nil
	}
	return c
}

// span reads the start and the size of a crop in one direction.
func span(p cms.Problems, startPath string, start *float64, sizePath string, size *float64) (at, length float64) {
	fits := func(size float64) bool { return cms.Crop{X: at, Width: size, Height: 1}.Valid() }
	at, length = input.Given(start, math.NaN()), input.Given(size, math.NaN())
	switch {
	case !fits(cms.MinCrop) && len(p[startPath]) == 0:
		p.Add(startPath, "must be a number from 0 to 0.99")
	case fits(cms.MinCrop) && !fits(length) && len(p[sizePath]) == 0:
		p.Add(sizePath, "must be a number from 0.01 to what its start leaves of 1")
	}
	return at, length
}

// applyCrop changes the crop of a file. in is nil if the request has none.
func (s *Media) applyCrop(in **cropInput, m *Asset, p cms.Problems) error {
	if in == nil {
		return nil
	}
	c := (*in).read(p)
	switch {
	case c != nil && !m.Scalable:
		p.Add("crop", "needs a picture of which variants can be made")
	case c == nil || c.Valid():
		return s.setCrop(m, c)
	}
	return nil
}

// setCrop gives a file a crop, or none, with the size and placeholder of what it then shows. The focal point stays
// where it is in the picture.
func (s *Media) setCrop(m *Asset, c *cms.Crop) (err error) {
	m.Focal = m.Focal.Moved(m.Crop, c)
	if m.Whole != nil {
		m.Width, m.Height, m.Placeholder = &m.Whole.Width, &m.Whole.Height, m.Whole.Placeholder
	}
	if m.Crop, m.Whole = c, nil; c == nil {
		return nil
	}
	m.Whole = &wholePicture{*m.Width, *m.Height, m.Placeholder}
	_, _, width, height := c.Pixels(m.Whole.Width, m.Whole.Height)
	m.Width, m.Height = &width, &height
	m.Placeholder, err = s.Inspector.CropPlaceholder(m.Whole.Placeholder, *c)
	return err
}

// WholeSize returns the size of the whole picture in pixels; 0 where there is none.
func (m *Asset) WholeSize() (width, height int) {
	if m.Whole != nil {
		return m.Whole.Width, m.Whole.Height
	}
	return input.Given(m.Width, 0), input.Given(m.Height, 0)
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
