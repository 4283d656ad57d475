package input

// Precondition checks the stored value before a change; its error aborts the change. A nil
// Precondition always passes. It runs again on every retry, with the value that the retry has read.
type Precondition[T any] func(stored T) error

func (ok Precondition[T]) Check(stored T) error {
	if ok == nil {
		return nil
	}
	return ok(stored)
}
