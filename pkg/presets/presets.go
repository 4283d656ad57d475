package presets

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// maxPresets is the maximum number of presets of a model.
const maxPresets = 50

var errManyPresets = cms.Errorf(cms.CodeConflict,
	"This model already has %d presets and templates, which is the maximum. Delete one first.", maxPresets)

// maxValues is the maximum size of the values of a preset as JSON, in bytes. Forms read all presets of a model.
const maxValues = 32 << 10

// Preset is a block preset or a template.
type Preset struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Field     string   `json:"field"` // path of the field of blocks; "" for a template
	Kind      string   `json:"kind"`  // type of the block; "" for a template
	Image     string   `json:"image"` // id of a picture of the library, "" for none
	Values    Values   `json:"values"`
	UserID    string   `json:"user_id"`
	CreatedAt cms.Time `json:"created_at"`
	UpdatedAt cms.Time `json:"updated_at"`
}

// IsTemplate reports whether new entries can begin with the preset.
func (v Preset) IsTemplate() bool { return v.Field == "" }

// stored is a preset with the generation of the model whose names of fields it has.
type stored struct {
	Preset
	Gen int `json:"gen,omitempty"`
}

// Values are values by the names of fields. Their numbers stay as they were written.
type Values map[string]any

// UnmarshalJSON reads an object.
func (v *Values) UnmarshalJSON(raw []byte) error {
	decoded, err := cms.DecodeJSON(raw)
	*v, _ = decoded.(map[string]any) // null is no values
	return err
}

// Store keeps the presets. It is safe for concurrent use.
type Store struct{ DB *db.DB }

// Of lists the presets of a model by name.
func (s *Store) Of(ctx context.Context, m *site.Model) ([]Preset, error) {
	all, err := docs(s.DB, m.ID).All(ctx)
	list := slice.Map(all, func(d db.Doc[stored]) Preset { return d.Value.named(m) })
	cms.SortBy(list, func(v Preset) string { return cms.NameOrder(v.Name) })
	return list, err
}

// Get reads a preset; NOT_FOUND when there is none.
func (s *Store) Get(ctx context.Context, m *site.Model, id string) (Preset, error) {
	d, err := docs(s.DB, m.ID).Get(ctx, id)
	return d.Value.named(m), input.NotFound(err, "preset")
}

// named returns a stored preset with the current names of the fields and of the type of its block.
func (v stored) named(m *site.Model) Preset {
	if v.IsTemplate() {
		m.RenameData(v.Gen, v.Values)
		return v.Preset
	}
	path := m.RenameBlock(v.Gen, v.Field+"."+v.Kind, v.Values)
	i := strings.LastIndexByte(path, '.')
	v.Field, v.Kind = path[:i], path[i+1:]
	return v.Preset
}

// Check adds problems with a preset to p. The caller provides it, because this package does not know
// files and what fits a field.
type Check = func(p cms.Problems, v *Preset) error

// Create saves a new preset.
func (s *Store) Create(ctx context.Context, actor cms.Actor, m *site.Model, body map[string]any,
	check Check) (Preset, error) {
	v := Preset{UserID: actor.UserID, Values: Values{}}
	err := s.DB.Retry(ctx, func() error {
		others, err := s.Of(ctx, m)
		if err == nil {
			err = v.read(body, others, check)
		}
		if err != nil {
			return err
		}
		tx := s.DB.Begin()
		docs(s.DB, m.ID).Limit(tx, maxPresets, errManyPresets)
		v.ID, v.CreatedAt, v.UpdatedAt = uuid.Must(uuid.NewV7()).String(), tx.At(), tx.At()
		docs(s.DB, m.ID).Create(tx, v.ID, stored{v, m.Gen}, db.ErrOvertaken)
		docs(s.DB, m.ID).ReserveName(tx, v.reserved(m.ID), v.ID, db.ErrOvertaken)
		tx.Activity(actor, "preset.created", v.subject(), v.ID)
		return s.DB.Commit(ctx, tx)
	})
	return v, err
}

// Update changes a preset that is as ok wants it.
func (s *Store) Update(ctx context.Context, actor cms.Actor, m *site.Model, id string, body map[string]any,
	ok input.Precondition[Preset], check Check) (Preset, error) {
	var v Preset
	err := s.DB.Retry(ctx, func() error {
		d, err := docs(s.DB, m.ID).Get(ctx, id)
		if err != nil {
			return input.NotFound(err, "preset")
		}
		v = d.Value.named(m)
		if err := ok.Check(v); err != nil {
			return err
		}
		others, err := s.Of(ctx, m)
		if err != nil {
			return err
		}
		others = slices.DeleteFunc(others, func(other Preset) bool { return other.ID == id })
		if err := v.read(body, others, check); err != nil {
			return err
		}
		tx := s.DB.Begin()
		if was := d.Value.reserved(m.ID); was != v.reserved(m.ID) {
			docs(s.DB, m.ID).FreeName(tx, was)
			docs(s.DB, m.ID).ReserveName(tx, v.reserved(m.ID), id, db.ErrOvertaken)
		}
		v.UpdatedAt = tx.At()
		d.Value = stored{v, m.Gen}
		docs(s.DB, m.ID).Update(tx, d)
		tx.Activity(actor, "preset.updated", v.subject(), id)
		return s.DB.Commit(ctx, tx)
	})
	return v, err
}

// Delete removes a preset. What began with it stays.
func (s *Store) Delete(ctx context.Context, actor cms.Actor, m *site.Model, id string) error {
	return s.DB.Retry(ctx, func() error {
		d, err := docs(s.DB, m.ID).Get(ctx, id)
		if err != nil {
			return input.NotFound(err, "preset")
		}
		tx := s.DB.Begin()
		docs(s.DB, m.ID).Delete(tx, d)
		docs(s.DB, m.ID).FreeName(tx, d.Value.reserved(m.ID))
		tx.Activity(actor, "preset.deleted", d.Value.subject(), id)
		return s.DB.Commit(ctx, tx)
	})
}

// reserved is the name that a preset reserves, so that no two of a model get it at the same time.
func (v Preset) reserved(modelID string) string {
	return db.NameDigest(modelID, strings.ToLower(v.Name))
}

// subject names the preset in the record of activity.
func (v Preset) subject() string {
	if v.IsTemplate() {
		return "template " + v.Name
	}
	return "preset " + v.Name
}

// read changes v as a body says. Errors: VALIDATION_FAILED, or CONFLICT for a name that another preset has.
func (v *Preset) read(body map[string]any, others []Preset, check Check) error {
	p := input.Apply(body, v, "user_id")
	v.Name = strings.TrimSpace(v.Name)
	input.CheckName(p, v.Name)
	if raw, err := cms.Marshal(v.Values); err != nil {
		return err
	} else if len(raw) > maxValues {
		p.Add("values", "must have at most %d KB", maxValues>>10)
	}
	saved := v.Values
	if err := check(p, v); err != nil {
		return err
	}
	if !slices.ContainsFunc([]string{"values", "field", "kind"}, func(key string) bool {
		_, given := body[key]
		return given
	}) {
		v.Values = saved // another name or picture takes nothing from the values
	}
	if err := p.Err(); err != nil {
		return err
	}
	if slices.ContainsFunc(others, func(o Preset) bool { return o.reserved("") == v.reserved("") }) {
		return cms.Errorf(cms.CodeConflict, "This model already has a preset or template of this name.")
	}
	return nil
}
