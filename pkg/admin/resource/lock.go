package resource

import (
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/cms"
)

// lockReason returns the reason why nothing can be changed now, else "".
func (k *Kind[T]) lockReason(c *frame.Call) say.Text {
	if k.Locked == nil {
		return ""
	}
	return k.Locked(c)
}

// checkUnlocked returns CONFLICT while nothing can be changed.
func (k *Kind[T]) checkUnlocked(c *frame.Call) error {
	if reason := k.lockReason(c); reason != "" {
		return cms.Errorf(cms.CodeConflict, "%s", reason.String())
	}
	return nil
}

// Guard refuses the request before a handler changes something while the resource is locked.
func (k *Kind[T]) Guard(next frame.Handler) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		if err := k.checkUnlocked(c); err != nil {
			return frame.Result{}, err
		}
		return next(c)
	}
}
