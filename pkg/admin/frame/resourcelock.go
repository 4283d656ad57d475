package frame

import (
	"headless/pkg/admin/say"
	"headless/pkg/cms"
)

// locked returns the reason why nothing can be changed now, else "".
func (r Resource[T]) locked(c *Call) (say.Text, error) {
	if r.Locked == nil {
		return "", nil
	}
	return r.Locked(c)
}

// unlocked returns CONFLICT while nothing can be changed.
func (r Resource[T]) unlocked(c *Call) error {
	reason, err := r.locked(c)
	if err == nil && reason != "" {
		err = cms.Errorf(cms.CodeConflict, "%s", reason.String())
	}
	return err
}

// Guard refuses the request before a handler changes something while the resource is locked.
func (r Resource[T]) Guard(next Handler) Handler {
	return func(c *Call) (Result, error) {
		if err := r.unlocked(c); err != nil {
			return Result{}, err
		}
		return next(c)
	}
}
