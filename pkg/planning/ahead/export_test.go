package ahead

// SetFew sets how many changes are read together, and returns the number before.
func SetFew(n int) (before int) {
	before, fewChanges = fewChanges, n
	return before
}
