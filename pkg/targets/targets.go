package targets

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks/webhook"
	"headless/pkg/input"
	"headless/pkg/slice"
)

// Targets are the use cases of targets.
type Targets struct {
	DB     *db.DB
	Client *webhook.Client // nil where nothing is changed or built
}

// Target is a target as shown, without its build address.
type Target struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Provider  string   `json:"provider"`
	CreatedAt cms.Time `json:"created_at"`
	UpdatedAt cms.Time `json:"updated_at"`
	Build     *Build   `json:"build"`            // the latest; nil before the first
	Secret    string   `json:"secret,omitempty"` // only in the answer to a create that named none
}

// stored is a target with its secrets, sealed.
type stored struct {
	Target
	BuildURL string `json:"build_url"`
	Key      string `json:"key"` // the secret
}

// maxTargets is how many targets there may be.
const maxTargets = 50

var errManyTargets = cms.Errorf(cms.CodeConflict, "There are %d targets already.", maxTargets)

// List lists all targets by name.
func (s *Targets) List(ctx context.Context, p db.Paging) (db.Page[Target], error) {
	all, err := s.listAll(ctx)
	list := make([]Target, len(all))
	for i, d := range all {
		if list[i], err = s.toShown(ctx, d); err != nil {
			return db.Page[Target]{}, err
		}
	}
	return db.PageOf(list, p), err
}

// Glance lists all targets by name, without their builds.
func (s *Targets) Glance(ctx context.Context) ([]Target, error) {
	all, err := s.listAll(ctx)
	return slice.Map(all, func(a db.Doc[stored]) Target { return a.Value.Target }), err
}

func (s *Targets) listAll(ctx context.Context) ([]db.Doc[stored], error) {
	all, err := docs(s.DB).All(ctx)
	cms.Sort(all, func(a, b db.Doc[stored]) int { return strings.Compare(a.Value.Name, b.Value.Name) })
	return all, err
}

// Get reads a target; NOT_FOUND if there is none.
func (s *Targets) Get(ctx context.Context, id string) (Target, error) {
	d, err := docs(s.DB).Get(ctx, id)
	if err != nil {
		return Target{}, input.NotFound(err, "target")
	}
	return s.toShown(ctx, d)
}

// toShown adds the latest build to a target.
func (s *Targets) toShown(ctx context.Context, d db.Doc[stored]) (Target, error) {
	builds, err := s.builds(ctx, d.ID, 1)
	v := d.Value.Target
	if len(builds) > 0 {
		v.Build = &builds[0]
	}
	return v, err
}

// targetInput is the body of a create and an update.
type targetInput struct {
	Name     string `json:"name"`
	Provider string `json:"provider"`
	BuildURL string `json:"build_url"`
	Secret   string `json:"secret"`
}

// Create adds a target. It makes a secret if the body has none. Errors: VALIDATION_FAILED; CONFLICT beyond
// maxTargets.
func (s *Targets) Create(ctx context.Context, actor cms.Actor, body map[string]any) (Target, error) {
	v := stored{}
	secret, err := s.applyBody(ctx, &v, body)
	if err != nil {
		return Target{}, err
	}
	err = s.DB.Retry(ctx, func() error {
		tx := s.DB.Begin()
		v.ID, v.CreatedAt, v.UpdatedAt = uuid.Must(uuid.NewV7()).String(), tx.At(), tx.At()
		docs(s.DB).Limit(tx, maxTargets, errManyTargets)
		docs(s.DB).Create(tx, v.ID, v, db.ErrOvertaken)
		tx.Activity(actor, "target.created", "target "+v.Name, v.ID)
		return s.DB.Commit(ctx, tx)
	})
	v.Secret = secret
	return v.Target, err
}

// Update changes a target. What the body leaves out stays. Errors: VALIDATION_FAILED, NOT_FOUND, and the
// error of the precondition.
func (s *Targets) Update(ctx context.Context, actor cms.Actor, id string, body map[string]any,
	ok input.Precondition[Target]) (Target, error) {
	var d db.Doc[stored]
	err := s.DB.Retry(ctx, func() (err error) {
		if d, err = docs(s.DB).Get(ctx, id); err != nil {
			return input.NotFound(err, "target")
		}
		if err := ok.Check(d.Value.Target); err != nil {
			return err
		}
		if _, err := s.applyBody(ctx, &d.Value, body); err != nil {
			return err
		}
		tx := s.DB.Begin()
		d.Value.UpdatedAt = tx.At()
		docs(s.DB).Update(tx, d)
		tx.Activity(actor, "target.updated", "target "+d.Value.Name, id)
		return s.DB.Commit(ctx, tx)
	})
	if err != nil {
		return Target{}, err
	}
	return s.toShown(ctx, d)
}

// applyBody applies a body to a target and seals its secrets. made is the secret if it had to be made.
func (s *Targets) applyBody(ctx context.Context, v *stored, body map[string]any) (made string, err error) {
	in := targetInput{Name: v.Name, Provider: v.Provider}
	p := input.Apply(body, &in, "build")
	v.Name, v.Provider = in.Name, in.Provider
	if v.Name == "" || len([]rune(v.Name)) > cms.MaxName {
		p.Add("name", "must have 1 to %d characters", cms.MaxName)
	}
	if providers[v.Provider] == nil {
		p.Add("provider", "must be vercel, netlify, cloudflare, github or url")
	}
	secret, address := in.Secret, in.BuildURL
	if address == "" && v.BuildURL == "" {
		p.Add("build_url", "is required")
	}
	if address != "" {
		plain, _ := bearer(address)
		if err := s.Client.CheckURL(ctx, plain); err != nil {
			p.Add("build_url", "%s", err.Error())
		}
	}
	if utf8.RuneCountInString(secret) > 255 {
		p.Add("secret", "must have at most 255 characters")
	}
	if err := p.Err(); err != nil {
		return "", err
	}
	if secret == "" && v.Key == "" {
		made = db.RandomToken()
		secret = made
	}
	if address != "" {
		v.BuildURL, err = s.DB.SealText(address)
	}
	if secret != "" && err == nil {
		v.Key, err = s.DB.SealText(secret)
	}
	return made, err
}

// Delete deletes a target; NOT_FOUND if there is none. Its builds expire.
func (s *Targets) Delete(ctx context.Context, actor cms.Actor, id string) error {
	d, err := docs(s.DB).Get(ctx, id)
	if err != nil {
		return input.NotFound(err, "target")
	}
	tx := s.DB.Begin()
	docs(s.DB).Delete(tx, d)
	tx.Activity(actor, "target.deleted", "target "+d.Value.Name, id)
	if err = s.DB.Commit(ctx, tx); errors.Is(err, db.ErrOvertaken) {
		err = cms.Errorf(cms.CodeConflict, "The target was changed at the same time. Try again.")
	}
	return err
}

// Reseal seals the secrets of all targets with the current key, and returns how many it changed.
func (s *Targets) Reseal(ctx context.Context) (changed int, err error) {
	all, err := docs(s.DB).All(ctx)
	for _, d := range all {
		address, err1 := s.DB.ResealText(d.Value.BuildURL)
		key, err2 := s.DB.ResealText(d.Value.Key)
		if err := errors.Join(err1, err2); err != nil {
			return changed, err
		}
		if address == d.Value.BuildURL && key == d.Value.Key {
			continue
		}
		d.Value.BuildURL, d.Value.Key = address, key
		tx := s.DB.Begin()
		docs(s.DB).Update(tx, d)
		if err := s.DB.Commit(ctx, tx); err != nil && !errors.Is(err, db.ErrOvertaken) {
			return changed, err
		}
		changed++ // also if another write was faster, so that the caller runs again
	}
	return changed, err
}
