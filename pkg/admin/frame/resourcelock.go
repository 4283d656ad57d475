package frame

import "headless/pkg/cms"

// locked says why nothing can be changed at present, else "".
func (r Resource[T]) locked(c *Call) (string, error) {
	if r.Locked == nil {
		return "", nil
	}
	return r.Locked(c)
}

// unlocked is a CONFLICT while nothing can be changed.
func (r Resource[T]) unlocked(c *Call) error {
	reason, err := r.locked(c)
	if err == nil && reason != "" {
		err = cms.Errorf(cms.CodeConflict, "%s", reason)
	}
	return err
}

// Guard puts the check of the lock before a handler that changes something.
func (r Resource[T]) Guard(next Handler) Handler {
	return func(c *Call) (Result, error) {
		if err := r.unlocked(c); err != nil {
			return Result{}, err
		}
		return next(c)
	}
}
