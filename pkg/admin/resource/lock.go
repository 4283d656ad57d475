package resource

import (
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/cms"
)

// lockReason returns the reason why nothing can be changed now, else "".
func (r Kind[T]) lockReason(c *frame.Call) (say.Text, error) {
	if r.Locked == nil {
		return "", nil
	}
	return r.Locked(c)
}

// checkUnlocked returns CONFLICT while nothing can be changed.
func (r Kind[T]) checkUnlocked(c *frame.Call) error {
	reason, err := r.lockReason(c)
	if err == nil && reason != "" {
		err = cms.Errorf(cms.CodeConflict, "%s", reason.String())
	}
	return err
}

// Guard refuses the request before a handler changes something while the resource is locked.
func (r Kind[T]) Guard(next frame.Handler) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		if err := r.checkUnlocked(c); err != nil {
			return frame.Result{}, err
		}
		return next(c)
	}
}
