// Package secrets seals all stored secrets with the newest key: those that earlier versions stored
// unencrypted, and those that were sealed before a rotation of the key.
//
// Secrets are those of webhooks, the secret keys of reCAPTCHA, secret settings, second factors and
// the key of preview links. Passwords, secrets of API keys, sessions and tokens are stored as
// hashes.
package secrets

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"time"

	"headless/pkg/access"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/links/preview"
	"headless/pkg/rooms"
	"headless/pkg/seal"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/targets"
)

// settle is how long secrets are checked after a rotation, or after the first start of a version
// that seals them. During that time, other processes may still seal with an older key, or not at
// all.
const settle = 3 * seal.SealAge

// Resealer is a periodic task.
type Resealer struct {
	Stores *rooms.Stores
	Keys   *seal.Keys
	KMSKey string // encrypts the keys; "": none chosen. A change causes a rotation
	Log    *slog.Logger
}

// state is the progress of sealing.
type state struct {
	Rotate bool     `json:"rotate,omitempty"` // a new key was requested
	Since  cms.Time `json:"since"`            // when the newest key was made, or the first run
	KMSKey string   `json:"kms_key,omitempty"`
	Done   bool     `json:"done"` // every secret is sealed with the newest key
}

// Run makes a requested key and seals secrets. If there is nothing to do, it costs one read.
func (r *Resealer) Run(ctx context.Context) error {
	s, version, err := loadState(ctx, r.Stores.DB)
	if err != nil || s.Done && !s.Rotate && s.KMSKey == r.KMSKey {
		return err
	}
	now := r.Stores.Now()
	switch {
	case version > 0 && (s.Rotate || s.KMSKey != r.KMSKey):
		if err := r.Keys.Rotate(); err != nil {
			return err
		}
		s.Since = now
		r.Log.Info("secrets: new key")
	case version == 0:
		s.Since = now
	}
	s.Rotate, s.KMSKey, s.Done = false, r.KMSKey, false
	// The state is stored first, so that an interrupted run does not lead to a second key.
	if err := saveState(ctx, r.Stores.DB, s, version); err != nil {
		return ignoreOvertaken(err)
	}
	changed, err := r.Reseal(ctx)
	if changed > 0 {
		r.Log.Info("secrets: sealed", "count", changed)
	}
	if err != nil || changed > 0 || now.Sub(s.Since.Time) < settle {
		return ignoreOvertaken(err) // the next run tries again
	}
	s.Done = true
	return ignoreOvertaken(saveState(ctx, r.Stores.DB, s, version+1))
}

// ignoreOvertaken returns nil if another process was faster.
func ignoreOvertaken(err error) error {
	if errors.Is(err, db.ErrOvertaken) {
		return nil
	}
	return err
}

// MakeKey makes the first key of a keeper if there is none. A process that seals does so too.
func MakeKey(keeper seal.Keeper) error {
	_, err := seal.NewKeys(keeper, time.Now).Seal(nil)
	return err
}

// Rotate requests a new key, which the service makes within minutes.
func Rotate(ctx context.Context, d *db.DB) error {
	return d.Retry(ctx, func() error {
		s, version, err := loadState(ctx, d)
		if err != nil {
			return err
		}
		if version == 0 { // the first run must still happen
			s.Since = d.Now()
		}
		s.Rotate = true
		return saveState(ctx, d, s, version)
	})
}

// loadState reads the state; its version is 0 if there is none.
func loadState(ctx context.Context, d *db.DB) (s state, version int64, err error) {
	item, err := d.Get(ctx, db.SealingKey())
	if err != nil {
		return s, 0, db.Missing(err, nil)
	}
	return s, item.Version, db.Unmarshal(item.Body, &s)
}

// saveState replaces the state of a version. ErrOvertaken if another process was faster.
func saveState(ctx context.Context, d *db.DB, s state, version int64) error {
	body, err := cms.Marshal(s)
	if err != nil {
		return err
	}
	item := table.Item{Key: db.SealingKey(), Body: body}
	tx := d.Begin()
	tx.Save(item, version)
	return d.Commit(ctx, tx)
}

// Reseal opens all secrets, seals those that are not sealed with the newest key, and counts these.
func (r *Resealer) Reseal(ctx context.Context) (changed int, err error) {
	for _, part := range []func(context.Context) (int, error){r.Stores.Hooks.Reseal, r.users,
		r.forms, r.resealSettings, r.previews, (&targets.Targets{DB: r.Stores.DB}).Reseal} {
		n, partErr := part(ctx)
		changed, err = changed+n, errors.Join(err, partErr)
	}
	return changed, err
}

// users seals the second factors.
func (r *Resealer) users(ctx context.Context) (changed int, err error) {
	users, err := r.Stores.Access.Users(ctx)
	if err != nil {
		return 0, err
	}
	for _, u := range users.List {
		did, err := r.user(ctx, u)
		if err != nil {
			return changed, err
		}
		if did {
			changed++
		}
	}
	return changed, nil
}

func (r *Resealer) user(ctx context.Context, u access.User) (changed bool, err error) {
	for _, secret := range []*[]byte{&u.Factors.TOTP, &u.Factors.Pending} {
		if *secret == nil {
			continue
		}
		fresh, err := r.Stores.Reseal(*secret)
		if err != nil {
			return false, err
		}
		changed = changed || string(fresh) != string(*secret)
		*secret = fresh
	}
	if !changed {
		return false, nil
	}
	tx := r.Stores.Begin()
	access.PutFactors(tx, u)
	return true, ignoreOvertaken(r.Stores.Commit(ctx, tx)) // counted, so that the next run checks again
}

// errNothing aborts a change of the site that changes nothing.
var errNothing = errors.New("secrets: nothing to seal")

// forms seals the secret keys of reCAPTCHA, one form at a time.
func (r *Resealer) forms(ctx context.Context) (changed int, err error) {
	for {
		err := site.ChangeSite(ctx, r.Stores.Site, func(now *site.Site, tx *db.Tx) error {
			for slug, form := range now.Forms {
				if form.Recaptcha == nil {
					continue
				}
				fresh, err := r.Stores.ResealText(form.Recaptcha.SecretKey)
				if err != nil {
					return err
				}
				if fresh != form.Recaptcha.SecretKey {
					next, recaptcha := *form, *form.Recaptcha
					recaptcha.SecretKey = fresh
					next.Recaptcha = &recaptcha
					site.PutForm(tx, now, slug, next)
					return nil
				}
			}
			return errNothing
		})
		if err != nil {
			return changed, ignoreNothing(err)
		}
		changed++
	}
}

func ignoreNothing(err error) error {
	if errors.Is(err, errNothing) {
		return nil
	}
	return err
}

// atOnce is how many settings are changed in one transaction.
const atOnce = 50

// resealSettings seals secret settings.
func (r *Resealer) resealSettings(ctx context.Context) (changed int, err error) {
	for {
		err := site.ChangeSite(ctx, r.Stores.Site, func(now *site.Site, tx *db.Tx) error {
			all, err := cms.EachSecret(now.Settings, r.Stores.ResealText)
			if err != nil {
				return err
			}
			var fresh []cms.Setting
			for i, v := range all {
				if was := now.Settings[i]; v.Value != was.Value || !maps.Equal(v.Translations, was.Translations) {
					fresh = append(fresh, v)
				}
			}
			if len(fresh) == 0 {
				return errNothing
			}
			site.PutSettings(tx, now, fresh[:min(len(fresh), atOnce)]...)
			return nil
		})
		if err != nil {
			return changed, ignoreNothing(err)
		}
		changed++
	}
}

// previews seals the key of preview links.
func (r *Resealer) previews(ctx context.Context) (changed int, err error) {
	links := preview.Links{Entries: &editing.Entries{Store: r.Stores.Content}}
	did, err := links.Reseal(ctx)
	if did {
		changed = 1
	}
	return changed, ignoreOvertaken(err)
}
