package resource

import (
	"crypto/sha256"
	"encoding/hex"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/web"
)

// VersionOf returns a digest of the JSON of a value, which changes whenever that JSON changes.
func VersionOf(shown any) (string, error) {
	body, err := cms.Marshal(shown)
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:12]), err
}

// tagOf returns the ETag of an item.
func tagOf(shown any) (string, error) {
	version, err := VersionOf(shown)
	return `"` + version + `"`, err
}

// Matching returns a precondition that fails if the item does not have an ETag that If-Match names. It
// is nil without If-Match.
func Matching[T any](c *frame.Call, shown func(T) any) input.Precondition[T] {
	tags := c.R.Header.Values("If-Match")
	if len(tags) == 0 {
		return nil
	}
	return func(stored T) error {
		tag, err := tagOf(shown(stored))
		if err == nil && !web.MatchesTag(tags, tag, false) {
			err = cms.Errorf(cms.CodePreconditionFailed, "This has changed since you read it. Read it again.")
		}
		return err
	}
}

// Unchanged returns a precondition that fails if the item changed after the form was opened. Its error names who
// changed the item, see frame.Call.Changer for event and id. It is nil if the request names no version, as with a
// single button.
func Unchanged[T any](c *frame.Call, event, id string, shown func(T) any) input.Precondition[T] {
	if !c.Form.Has(ui.VersionKey) {
		return nil
	}
	return func(stored T) error {
		version, err := VersionOf(shown(stored))
		sent, _ := c.SentVersion()
		if err == nil && (version != sent || ui.IsRestored(c.Form)) {
			err = overtaken(c, event, id)
		}
		return err
	}
}

// overtaken returns the error of a form whose item changed after the form was opened.
func overtaken(c *frame.Call, event, id string) error {
	name, own, err := c.Changer(event, id)
	switch {
	case err != nil:
		return err
	case name == "" && !own:
		return cms.Errorf(cms.CodePreconditionFailed, "Somebody has changed this since you opened the form. "+
			"What you typed is below and not saved yet: compare it with the current version; Save puts it in the place "+
			"of that.")
	case own:
		return cms.Errorf(cms.CodePreconditionFailed, "You have changed this in another window since you opened the form. "+
			"What you typed is below and not saved yet: compare it with the current version; Save puts it in the place "+
			"of that.")
	}
	return cms.Errorf(cms.CodePreconditionFailed, "%s has changed this since you opened the form. "+
		"What you typed is below and not saved yet: compare it with the current version; Save puts it in the place "+
		"of that.", c.Language().Say(name))
}

// Through converts a precondition on the type that pages show to one on the stored type.
func Through[A, B any](ok input.Precondition[B], shown func(A) B) input.Precondition[A] {
	if ok == nil {
		return nil
	}
	return func(stored A) error { return ok(shown(stored)) }
}
