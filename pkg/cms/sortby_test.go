package cms_test

import (
	"slices"
	"testing"

	"headless/pkg/cms"
)

// TestNameOrder sorts names as people expect them: numbers by their value, and whatever their case.
func TestNameOrder(t *testing.T) {
	want := []string{"2 hands", "10 hands", "Model", "model 1", "Model 2", "model 02b", "Model 10", "Model 13", "Models"}
	names := slices.Clone(want)
	slices.Reverse(names)
	cms.SortBy(names, cms.NameOrder)
	if !slices.Equal(names, want) {
		t.Errorf("the order is %q, want %q", names, want)
	}
}
