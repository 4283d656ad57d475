package service

// Precondition is asked about what is stored before a change; its error stops the change. nil asks nothing. What it was told is what the
// change starts from: where another change comes first, it is asked again.
type Precondition[T any] func(stored T) error

func (ok Precondition[T]) check(stored T) error {
	if ok == nil {
		return nil
	}
	return ok(stored)
}
