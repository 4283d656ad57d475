package admin

import (
	"crypto/sha256"
	"encoding/hex"

	"headless/pkg/cms"
	"headless/pkg/input"
)

// versionKey is the name of the hidden field that says what an edit was made on, as If-Match does
// in the API.
const versionKey = "_version"

// versionOf changes with what JSON shows of something.
func versionOf(shown any) (string, error) {
	body, err := cms.Marshal(shown)
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:12]), err
}

// unchanged refuses an edit that was made on another version than the one that is stored. One that
// does not say, such as a single button, changes what there is.
func unchanged[T any](c *Call, shown func(T) any) input.Precondition[T] {
	if !c.form.Has(versionKey) {
		return nil
	}
	return func(stored T) error {
		version, err := versionOf(shown(stored))
		if err == nil && version != c.form.Get(versionKey) {
			err = cms.Errorf(cms.CodePreconditionFailed,
				"Somebody has changed this since you opened the form. "+
					"What you typed is below and not saved yet: compare it with the current version; Save puts it in the place of that.")
		}
		return err
	}
}

// through makes a precondition of what a service stores from one of what its pages show.
func through[A, B any](ok input.Precondition[B], shown func(A) B) input.Precondition[A] {
	if ok == nil {
		return nil
	}
	return func(stored A) error { return ok(shown(stored)) }
}
