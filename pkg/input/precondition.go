package input

// Precondition checks the stored value before a change; its error stops the change. A nil
// Precondition always passes. It runs again on every retry, against the value that the retry starts
// from.
type Precondition[T any] func(stored T) error

func (ok Precondition[T]) Check(stored T) error {
	if ok == nil {
		return nil
	}
	return ok(stored)
}
