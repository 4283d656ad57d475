package frame

import (
	"slices"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// ModelsLocked says why models change by the schema as code only, "" if they do not.
func ModelsLocked(now *site.Site) say.Text {
	locks := func(v cms.Setting) bool { return v.Group == "schema" && v.Key == "locked" && v.Value == "true" }
	if !slices.ContainsFunc(now.Settings, locks) {
		return ""
	}
	return "Models are locked: they change by the schema as code (cms schema apply). The setting " +
		"schema.locked unlocks them."
}

// lockReason returns the reason why nothing can be changed now, else "".
func (r Resource[T]) lockReason(c *Call) (say.Text, error) {
	if r.Locked == nil {
		return "", nil
	}
	return r.Locked(c)
}

// checkUnlocked returns CONFLICT while nothing can be changed.
func (r Resource[T]) checkUnlocked(c *Call) error {
	reason, err := r.lockReason(c)
	if err == nil && reason != "" {
		err = cms.Errorf(cms.CodeConflict, "%s", reason.String())
	}
	return err
}

// Guard refuses the request before a handler changes something while the resource is locked.
func (r Resource[T]) Guard(next Handler) Handler {
	return func(c *Call) (Result, error) {
		if err := r.checkUnlocked(c); err != nil {
			return Result{}, err
		}
		return next(c)
	}
}
