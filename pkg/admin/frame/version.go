package frame

import (
	"crypto/sha256"
	"encoding/hex"

	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
)

// VersionOf changes with what JSON shows of something.
func VersionOf(shown any) (string, error) {
	body, err := cms.Marshal(shown)
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:12]), err
}

// Unchanged refuses an edit that was made on another version than the one that is stored. One that
// does not say, such as a single button, changes what there is.
func Unchanged[T any](c *Call, shown func(T) any) input.Precondition[T] {
	if !c.Form.Has(ui.VersionKey) {
		return nil
	}
	return func(stored T) error {
		version, err := VersionOf(shown(stored))
		if err == nil && version != c.Form.Get(ui.VersionKey) {
			err = cms.Errorf(cms.CodePreconditionFailed,
				"Somebody has changed this since you opened the form. "+
					"What you typed is below and not saved yet: compare it with the current version; Save puts "+
					"it in the place of that.")
		}
		return err
	}
}

// Through makes a precondition of what a service stores from one of what its pages show.
func Through[A, B any](ok input.Precondition[B], shown func(A) B) input.Precondition[A] {
	if ok == nil {
		return nil
	}
	return func(stored A) error { return ok(shown(stored)) }
}
